import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminKeyFile, type Config, DATA_DIR_DEFAULT, readConfig } from '../config.ts'
import { type Service, startService } from '../start.ts'
import { defineCommand } from './command.ts'
import { explain, say } from './terminal.ts'

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../../bin/switchyard')

export const command = defineCommand({
  name: 'serve',
  about: 'Runs the service until it is told to stop (Ctrl-C). "npm start" does the same.',
  options: {},
  example: 'PORT=8080 switchyard serve',
  run: serve,
})

/** Runs the service until it is told to stop. */
export async function serve(): Promise<void> {
  let config: Config
  let service: Service
  try {
    config = readConfig()
    service = await startService(config, say)
  } catch (error) {
    explain(error)
    process.exitCode = 1
    return
  }
  say(welcome(config, service))
  stopOnSignal(service)
}

function welcome(config: Config, { publicUrl }: Service): string {
  if (config.role === 'worker') return `Switchyard is running as a worker (${config.environment}).\n`
  const key = adminKeyFile(config.dataDir)
  return [
    `Switchyard is running (${config.environment}).`,
    '',
    `  API            ${publicUrl}`,
    `  Reference      ${publicUrl}/docs`,
    ...(existsSync(key)
      ? [`  Private key    ${key}`, '', '  Try it:', `  ${firstRequest(config, publicUrl)}`]
      : howToGetKey()),
    '',
  ].join('\n')
}

/** Works when pasted into any terminal of this machine, whatever its folder. */
function firstRequest({ dataDir }: Config, publicUrl: string): string {
  const folder = dataDir === DATA_DIR_DEFAULT ? '' : `DATA_DIR=${quoted(dataDir)} `
  return `curl -H "Authorization: Bearer $(${folder}${quoted(PROGRAM)} token)" ${publicUrl}/api-key-pairs`
}

function howToGetKey(): string[] {
  return ['', '  Make a key:', `  ${quoted(PROGRAM)} keys create --display-name "First key"`]
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** One Ctrl-C can arrive several times, from the terminal and from npm; the first one counts. */
function stopOnSignal(service: Service): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    say('Stopping …')
    service.stop().then(
      () => process.exit(0),
      (error) => {
        explain(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
