import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardUrlOf } from '#platform/access/identify.ts'
import { idsOf } from '#processing/outside/load-packages.ts'
import { admitPackages } from '../admit-packages.ts'
import { type Config, DATA_DIR_DEFAULT, PORT_DEFAULT, readConfig } from '../config.ts'
import type { Service } from '../start.ts'
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

/** One Ctrl-C can arrive several times, from the terminal and from npm, all within this time. */
const SAME_SIGNAL_MS = 1_000

/** Runs the service until a signal stops it. A second one does not wait for open requests. */
export async function serve(terminal: Terminal): Promise<void> {
  const told = new AbortController()
  let toldAt = Number.POSITIVE_INFINITY
  const stop = () => {
    if (performance.now() - toldAt > SAME_SIGNAL_MS) {
      terminal.say('Ending at once. Open requests are cut off.')
      process.exit(1)
    }
    toldAt = Math.min(toldAt, performance.now())
    told.abort(new Error('Stopped while starting.'))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.exit(await serveUntil(told.signal, terminal))
}

/** Returns the exit code of the process. A signal during the start undoes what was begun. */
export async function serveUntil(told: AbortSignal, { env, say, isWatched }: Terminal): Promise<number> {
  try {
    const config = readConfig(env)
    for (const one of await admitPackages(config))
      say(`Connectors of ${one.name} ${one.version}: ${idsOf(one).join(', ')}.`)
    const start = await loadStart(config)
    const service = await start(config, say, told)
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

/** Loaded only after the packages: the API that it puts together describes the options of all connectors. */
async function loadStart({ workers }: Config) {
  if (workers > 1) return (await import('../start-workers.ts')).startWorkers
  return (await import('../start.ts')).startService
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
    ...(config.workers > 1 ? [`  Processes      ${describeProcesses(config)}`] : []),
    ...setUp,
    ...(keyFile === null
      ? []
      : [`  Private key    ${keyFile}`, '', '  Try it:', `  ${firstRequest(config, publicUrl)}`]),
    ...(hasKeys ? [] : howToGetKey(config)),
    ...(isPlain(config) || (hasKeys && setUp.every((line) => !line.includes(INVITE)))
      ? []
      : ['', HOW_TO_RUN]),
    ...(atDefaultPort === null ? [] : ['', moved]),
    '',
  ].join('\n')
}

function describeProcesses({ workers, role }: Config): string {
  return role === 'api' ? `${workers} for the API` : `${workers} for the API, 1 for jobs`
}

/** The link is a secret for half an hour. Only a person may see it, and no log. */
async function howToSetUp(
  config: Config,
  { publicUrl, makeSetupLink }: Service,
  isWatched: boolean,
): Promise<string[]> {
  if (makeSetupLink === null) return [`  Dashboard      ${dashboardUrlOf(publicUrl)}/dashboard`]
  if (isWatched) return [`  Dashboard      ${await makeSetupLink()}`]
  return [`  Dashboard      ${commandsOf(config)} ${INVITE} YOUR_EMAIL_ADDRESS`]
}

function firstRequest(config: Config, publicUrl: string): string {
  return `curl -H "Authorization: Bearer $(${program(config)} token)" ${publicUrl}/api-key-pairs`
}

function howToGetKey(config: Config): string[] {
  return [
    '',
    '  Make a key:',
    `  ${commandsOf(config)} keys create --display-name Administrator --role administrator --out admin-key.pem`,
  ]
}

/** Whether commands find this installation in a terminal without its settings. */
function isPlain({ environment, databaseUrl }: Config): boolean {
  return environment === 'sandbox' && databaseUrl === null
}

function commandsOf(config: Config): string {
  return isPlain(config) ? program(config) : quoted(PROGRAM)
}

const INVITE = 'users invite'
const HOW_TO_RUN =
  '  Run commands with the settings of this process: docker compose exec api switchyard …, kubectl exec deploy/NAME-api -- switchyard …;\n' +
  '  with systemd, docs/guide/deploy.md shows how to read them. Without them, a command would look for another installation.'

/** Works in any terminal of this machine, in any folder, if the database is the embedded one of a sandbox. */
function program({ dataDir }: Config): string {
  const folder = dataDir === DATA_DIR_DEFAULT ? '' : `DATA_DIR=${quoted(dataDir)} `
  return `${folder}${quoted(PROGRAM)}`
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
