import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const KEY_BYTES = 32
const COMMAND_TIMEOUT_MS = 30_000

/** Where the key-encryption keys come from. The first is active; the others only open what they sealed. */
export type KeySource =
  | { readonly kind: 'given'; readonly keys: readonly Buffer[] }
  /** `other` is the key of another purpose. The active key must differ from it. */
  | { readonly kind: 'command'; readonly command: string; readonly other?: Buffer | null }
  | { readonly kind: 'file'; readonly path: string }

/** The current keys: a file or a command may give others than at the start. */
export async function readKeys(source: KeySource): Promise<Buffer[]> {
  if (source.kind === 'given') return [...source.keys]
  if (source.kind === 'file') {
    if (!existsSync(source.path)) return []
    return parseKeys(readFileSync(source.path, 'utf8'), source.path)
  }
  const { stdout } = await run('/bin/sh', ['-c', source.command], { timeout: COMMAND_TIMEOUT_MS }).catch(
    () => {
      // The command's error message might contain the key.
      throw new Error('VAULT_KEY_COMMAND failed. Run it by hand to see why.')
    },
  )
  const keys = parseKeys(stdout, 'The output of VAULT_KEY_COMMAND')
  if (keys[0] && source.other?.equals(keys[0])) {
    throw new Error('VAULT_KEY_COMMAND prints the same key as SECRET_KEY. Make another one for the vault.')
  }
  return keys
}

export function describeSource(source: KeySource): string {
  return {
    given: 'VAULT_KEY',
    command: 'VAULT_KEY_COMMAND',
    file: source.kind === 'file' ? source.path : '',
  }[source.kind]
}

/** Of several processes that start at once, one makes the file, and no process ever sees half of it. */
export function makeKeyFile(path: string): void {
  const beside = `${path}.${process.pid}`
  writeFile(beside, [randomBytes(KEY_BYTES).toString('base64')])
  try {
    linkSync(beside, path)
    syncFolderOf(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    unlinkSync(beside)
  }
}

/**
 * Puts a new key first. Writes a new file and renames it, so that a crash leaves the old file or the new one.
 */
export function addKeyToFile(path: string): void {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  replaceFile(path, [randomBytes(KEY_BYTES).toString('base64'), ...lines])
}

export function keepKeysInFile(path: string, isKept: (key: Buffer) => boolean): void {
  const kept = parseKeys(readFileSync(path, 'utf8'), path).filter(isKept)
  replaceFile(
    path,
    kept.map((key) => key.toString('base64')),
  )
}

function parseKeys(text: string, origin: string): Buffer[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => Buffer.from(part, 'base64'))
  if (keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(`${origin} does not hold keys of 32 bytes in base64.`)
  }
  return keys
}

function replaceFile(path: string, lines: readonly string[]): void {
  const beside = `${path}.${process.pid}`
  writeFile(beside, lines)
  renameSync(beside, path)
  syncFolderOf(path)
}

function writeFile(path: string, lines: readonly string[]): void {
  const handle = openSync(path, 'w', 0o600)
  writeSync(handle, `${lines.join('\n')}\n`)
  fsyncSync(handle)
  closeSync(handle)
  chmodSync(path, 0o600)
}

/** A new name survives a power failure only after its folder is written, too. */
function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
