import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { Connection } from '#platform/database/open-database.ts'
import { runCommandLine } from '../cli/command-line.ts'
import { terminalOf } from '../cli/terminal.ts'
import { guardProcess } from './guard.ts'

const PROGRAM = fileURLToPath(new URL('../../dist/switchyard.js', import.meta.url))
/** As in bin/switchyard. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/switchyard', import.meta.url))

export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/**
 * Runs a command in the process of the test, with no environment but what is given. A process of its own takes a
 * second to start, and does the same: `switchyard.test.ts` compares the two.
 */
export async function switchyard(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' }
  const terminal = terminalOf({
    stdout: {
      write: (text) => {
        written.stdout += text
      },
    },
    stderr: {
      write: (text) => {
        written.stderr += text
      },
    },
    env,
  })
  const code = await runCommandLine(terminal, args)
  return { code, ...written }
}

/** Runs the real program in its own process, with only the path of our environment. */
export async function switchyardProcess(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const child = startSwitchyard(args, env)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

export function startSwitchyard(args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid))
  return child
}

/** A database without a single table. */
export async function emptyDatabase(): Promise<Connection> {
  const server = { host: inject('databaseHost'), user: 'switchyard' }
  const database = `empty_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ ...server, database: 'switchyard' })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  return { ...server, database }
}

/** Holds a command up with a lock, kills it there, and lets go. */
export async function killWhileWaiting(
  env: Record<string, string>,
  lock: string,
  args: readonly string[],
): Promise<void> {
  const holder = new pg.Client({ connectionString: env['DATABASE_URL'] })
  const watcher = new pg.Client({ connectionString: env['DATABASE_URL'] })
  await Promise.all([holder.connect(), watcher.connect()])
  const others = async (condition: string) => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where datname = current_database() and application_name like 'switchyard%' and ${condition}`,
    )
    return rows.length
  }
  await holder.query(`begin; ${lock}`)
  const child = startSwitchyard(args, env)
  const killed = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  await expect.poll(() => others(`wait_event_type = 'Lock'`), { timeout: 60_000 }).toBe(1)
  child.kill('SIGKILL')
  expect(await killed).toBe('SIGKILL')
  await holder.query('rollback')
  // Its transaction ends when the server notices.
  await expect.poll(() => others('true')).toBe(0)
  await Promise.all([holder.end(), watcher.end()])
}
