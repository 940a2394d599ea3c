import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardUrlOf } from '#platform/session-cookie.ts'
import { type Config, DATA_DIR_DEFAULT, PORT_DEFAULT, readConfig } from '../config.ts'
import { type Service, startService } from '../start.ts'
import { defineCommand } from './command.ts'
import { explanationOf, type Terminal } from './terminal.ts'

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '../../../bin/switchyard')

export const command = defineCommand({
  name: 'serve',
  about: 'Runs the service until it is told to stop (Ctrl-C). "npm start" does the same.',
  options: {},
  example: 'PORT=8080 switchyard serve',
  run: serve,
})

/** Runs the service until a signal stops it. */
export async function serve(terminal: Terminal): Promise<void> {
  const told = new AbortController()
  // One Ctrl-C can arrive several times, from the terminal and from npm; the first one counts.
  const stop = () => told.abort(new Error('Stopped while starting.'))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.exit(await serveUntil(told.signal, terminal))
}

/** Returns the exit code of the process. A signal during the start undoes what was begun. */
export async function serveUntil(told: AbortSignal, { env, say, isWatched }: Terminal): Promise<number> {
  try {
    const config = readConfig(env)
    const service = await startService(config, say, told)
    const setUp = config.role === 'worker' ? [] : await howToSetUp(config, service, isWatched)
    say(welcome(config, service, setUp))
    if (!told.aborted) await once(told, 'abort')
    say('Stopping …')
    await service.stop()
    return 0
  } catch (error) {
    say(explanationOf(error))
    return told.aborted ? 0 : 1
  }
}

function welcome(
  config: Config,
  { publicUrl, keyFile, hasKeys, atDefaultPort }: Service,
  setUp: readonly string[],
): string {
  if (config.role === 'worker') return `Switchyard is running as a worker (${config.environment}).\n`
  const moved = `  Port ${PORT_DEFAULT} is in use by ${atDefaultPort}, so this is another one. Set API=${publicUrl} for the guides.`
  return [
    `Switchyard is running (${config.environment}).`,
    '',
    `  API            ${publicUrl}`,
    `  Reference      ${publicUrl}/docs`,
    ...setUp,
    ...(keyFile === null
      ? []
      : [`  Private key    ${keyFile}`, '', '  Try it:', `  ${firstRequest(config, publicUrl)}`]),
    ...(hasKeys ? [] : howToGetKey(config)),
    ...(atDefaultPort === null ? [] : ['', moved]),
    '',
  ].join('\n')
}

/** The link is a secret for half an hour. Only a person may see it, and no log. */
async function howToSetUp(
  config: Config,
  { publicUrl, makeSetupLink }: Service,
  isWatched: boolean,
): Promise<string[]> {
  if (makeSetupLink === null) return [`  Dashboard      ${dashboardUrlOf(publicUrl)}/dashboard`]
  if (isWatched) return [`  Dashboard      ${await makeSetupLink()}`]
  return [`  Dashboard      ${program(config)} users invite YOUR_EMAIL_ADDRESS`]
}

function firstRequest(config: Config, publicUrl: string): string {
  return `curl -H "Authorization: Bearer $(${program(config)} token)" ${publicUrl}/api-key-pairs`
}

function howToGetKey(config: Config): string[] {
  return ['', '  Make a key:', `  ${program(config)} keys create --display-name "First key"`]
}

/** Works in any terminal of this machine, in any folder. */
function program({ dataDir }: Config): string {
  const folder = dataDir === DATA_DIR_DEFAULT ? '' : `DATA_DIR=${quoted(dataDir)} `
  return `${folder}${quoted(PROGRAM)}`
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
