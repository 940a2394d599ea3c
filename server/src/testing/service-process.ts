import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createPrivateKey, randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { restartIds } from '#domain/ids.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import { freePort } from '../../../lab/processes.ts'
import { serveUntil } from '../cli/serve.ts'
import { terminalOf } from '../cli/terminal.ts'
import { forgetFolder, guardedFolder, guardProcess } from './guard.ts'
import { removeDataFolder } from './remove-data-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
/** As in `npm start`. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/switchyard', import.meta.url))

export type Running = {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly output: () => string
  readonly exited: Promise<number | null>
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The service as an operator runs it: its own process, configured by its environment. */
export function spawnService(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid))
  return child
}

/**
 * The same in the process of the test, which has loaded the service already: a process of its own takes a second of
 * processor time to do so. Only `startProcess` shows what signals do, and what is logged.
 */
export async function startHere(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  restartIds()
  const port = await freePort()
  const told = new AbortController()
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const settings = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent', ...env }
  const exited = serveUntil(told.signal, terminalOf({ stdout: { write }, stderr: { write }, env: settings }))
  const service: Running = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: process.pid,
    output: () => output,
    exited,
    end: (signal) => {
      if (signal === 'SIGKILL') throw new Error('only a process can be killed: use startProcess')
      told.abort(new Error('Stopped while starting.'))
      return exited
    },
  }
  await upOrEnded(service)
  return service
}

/** Ends when the service is ready, or has ended. */
export async function startProcess(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  const child = spawnService({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'info', ...env })
  const service = watch(child, port)
  await upOrEnded(service)
  return service
}

/**
 * A data folder that a first start has set up. Copying it takes a tenth of the time of another first start.
 */
export async function setUpFolder(): Promise<string> {
  const folder = guardedFolder()
  const service = await startHere(folder)
  await service.end('SIGTERM')
  return folder
}

/** Copies everything, with the owners of the files. The database may be elsewhere, behind a link. */
export function copyFolder(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    execFileSync('cp', ['-a', realpathSync(join(from, name)), join(to, name)])
  }
  // As root, the database runs as another user, who has to pass through.
  if (process.getuid?.() === 0) chmodSync(to, 0o711)
}

export function removeFolder(folder: string): void {
  removeDataFolder(folder)
  forgetFolder(folder)
}

function watch(child: ChildProcess, port: number): Running {
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => output,
    exited,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return exited
    },
  }
}

/** Watches only while the service may still come up: the process of the test outlives it by minutes. */
async function upOrEnded(service: Running): Promise<void> {
  let hasEnded = false
  const ended = service.exited.then(() => {
    hasEnded = true
  })
  const up = async () => {
    while (!hasEnded) {
      const live = await fetch(`${service.url}/health/ready`).catch(() => undefined)
      if (live?.ok && service.output().includes('Switchyard is running')) return
      await sleep(20)
    }
  }
  await Promise.race([ended, up()])
}

export async function tokenOf(dataDir: string): Promise<string> {
  const pem = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')
  const { thumbprint } = await describePrivateKey(pem)
  return new SignJWT({ scopes: ['*.read', '*.write'] })
    .setProtectedHeader({ alg: 'ES512', kid: thumbprint })
    .setExpirationTime('10m')
    .sign(createPrivateKey(pem))
}

export async function call(
  service: Running,
  dataDir: string,
  path: string,
  body?: object,
): Promise<Response> {
  const [, method = body ? 'POST' : 'GET', rest = path] = /^([A-Z]+) (.*)$/.exec(path) ?? []
  return fetch(`${service.url}${rest}`, {
    method,
    headers: {
      authorization: `Bearer ${await tokenOf(dataDir)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** The settings for production, on its own database. */
export function productionSettings(): Record<string, string> {
  const key = () => randomBytes(32).toString('base64')
  return {
    ENVIRONMENT: 'production',
    ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
    SECRET_KEY: key(),
    VAULT_KEY: key(),
  }
}
