import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forgetFolder, guardedFolder, guardProcess } from '#testing/guard.ts'
import { removeDataFolder } from '#testing/remove-data-folder.ts'

export const CHECKOUT = dirname(dirname(fileURLToPath(import.meta.url)))
const STOP_DEADLINE_MS = 15_000
const ANSWER_DEADLINE_MS = 300_000
const COMPLAINT_MAX = 4_000

export type Running = {
  readonly child: ChildProcess
  readonly pid: number
  readonly complaint: () => string
  readonly stop: () => Promise<void>
}

type Start = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Opens a channel for messages. Without it the program runs as an operator would run it. */
  readonly hasChannel?: boolean
  /** Keeps its standard output together with its standard error. */
  readonly isLogKept?: boolean
}

type Undo = () => Promise<void>

const leftovers = new Set<Undo>()

/** At the end of any run: ends our processes and removes our folders. */
export async function cleanUp(): Promise<void> {
  const failures: unknown[] = []
  // Interrupted work may go on for a moment, and start more.
  for (let last = lastOf(leftovers); last; last = lastOf(leftovers)) {
    await last().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

function lastOf<Item>(items: ReadonlySet<Item>): Item | undefined {
  return [...items].at(-1)
}

/** Registers an undo. The caller runs it, or else the end of the run does. */
export function undoable(undo: Undo): Undo {
  const once = async () => {
    if (leftovers.delete(once)) await undo()
  }
  leftovers.add(once)
  return once
}

export function temporaryFolder(): { readonly path: string; readonly remove: Undo } {
  const path = guardedFolder()
  const remove = undoable(async () => {
    removeDataFolder(path)
    forgetFolder(path)
  })
  return { path, remove }
}

/** The environment starts empty: the operator's own settings must not change the measurement. */
export function start({ command, args, env = {}, cwd = CHECKOUT, ...options }: Start): Running {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...env },
    stdio: [
      'ignore',
      options.isLogKept ? 'pipe' : 'ignore',
      'pipe',
      ...(options.hasChannel ? (['ipc'] as const) : []),
    ],
  })
  let complaint = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-COMPLAINT_MAX)
    })
  }
  if (child.pid === undefined) throw new Error(`${command} cannot be started`)
  child.once('exit', guardProcess(child.pid))
  return { child, pid: child.pid, complaint: () => complaint, stop: undoable(() => end(child)) }
}

/** A program of this folder, with a channel. */
export function startHelper(file: string, args: readonly string[] = []): Running {
  return start({ command: process.execPath, args: [file, ...args], hasChannel: true })
}

export async function ask<Answer>({ child, complaint }: Running, message: object | string): Promise<Answer> {
  const isDone = new AbortController()
  const signal = AbortSignal.any([isDone.signal, AbortSignal.timeout(ANSWER_DEADLINE_MS)])
  const exited = once(child, 'exit', { signal }).then(() => {
    throw new Error(`a helper ended early: ${complaint()}`)
  })
  const answered = once(child, 'message', { signal })
  child.send(message)
  try {
    const [answer] = await Promise.race([answered, exited])
    return answer as Answer
  } finally {
    // Removes the listener that was not needed.
    isDone.abort()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const isDone = await Promise.race([exited.then(() => true), sleep(STOP_DEADLINE_MS, false, { ref: false })])
  if (!isDone) child.kill('SIGKILL')
  await exited
}

/** Below the ports that systems give to outgoing connections: one of them may take its port at any moment. */
const PORTS = { first: 10_000, count: 20_000 }

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** The resident memory of the process now, in megabytes. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

const TICKS_PER_SECOND = 100

/** CPU time so far, user and system. Unlike wall-clock time, it does not grow when other programs are busy. */
export function processorSeconds(pid: number): number {
  // The name, in parentheses, may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** How long the main thread waited for a CPU that other programs used. Only Linux reports it. */
export function waitedMs(pid: number): number {
  if (process.platform !== 'linux') return 0
  const [, nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

/** The process below `pid`, itself included, whose command line holds the text. */
export function findBelow(pid: number, text: string): number | undefined {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(text)) return pid
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    for (const child of children.filter(Boolean)) {
      const found = findBelow(Number(child), text)
      if (found !== undefined) return found
    }
  } catch {}
  return undefined
}
