import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { removeAbandoned } from './remove-abandoned.ts'

const PROGRAM = fileURLToPath(new URL('guard-process.ts', import.meta.url))
/** The name of a folder says which process made it, and when that process started. */
const FOLDER = /^switchyard-run-(\d+)-(\d*)-/

/** The guard's orders, one for each line. */
export type Order =
  | { readonly watch: 'folder'; readonly path: string }
  | { readonly watch: 'process'; readonly pid: number }
  | { readonly forget: string | number }

let guard: Writable | undefined

/** Starts a guard for this process: another process that cleans up after it, even if it is killed. */
function tell(order: Order): void {
  guard ??= startGuard()
  guard.write(`${JSON.stringify(order)}\n`)
}

function startGuard(): Writable {
  const child = spawn(process.execPath, [PROGRAM], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => {})
  child.unref()
  const { stdin } = child
  stdin.on('error', () => {})
  // The guard waits for us, and must not keep us alive.
  ;(stdin as Writable & { unref?: () => void }).unref?.()
  return stdin
}

/** A folder that is removed when this process ends, with the database server that runs in it. */
export function guardedFolder(): string {
  const path = mkdtempSync(join(tmpdir(), `switchyard-run-${process.pid}-${startOf(process.pid)}-`))
  tell({ watch: 'folder', path })
  return path
}

/** A process that is killed when this one ends. Returns a function to call when it has ended by itself. */
export function guardProcess(pid: number): () => void {
  tell({ watch: 'process', pid })
  return () => tell({ forget: pid })
}

export function forgetFolder(path: string): void {
  tell({ forget: path })
}

/** Removes leftovers of runs whose process and guard are both gone, for example after a power failure. */
export async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid, start] = FOLDER.exec(name) ?? []
    if (pid === undefined || (isRunning(Number(pid)) && startOf(Number(pid)) === start)) continue
    // A folder that cannot be removed belongs to another user.
    await removeAbandoned(join(tmpdir(), name)).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, if the system tells: another process may get its number later. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return fields.replace(/^.*\) /s, '').split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
