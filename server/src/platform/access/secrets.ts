import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The instance's secret, from which a key for each purpose is derived. It never leaves this module. */
export type Secrets = {
  /** A keyed hash: the same input gives the same bytes, which reveal nothing about it. */
  readonly mac: (purpose: string, input: string) => Buffer
  /** Encrypts with AES-256-GCM. `bound` names the place of the value; it opens nowhere else. */
  readonly seal: (purpose: string, bound: string, plain: string | Buffer) => Buffer
  readonly open: (purpose: string, bound: string, sealed: Buffer) => string
  readonly openBytes: (purpose: string, bound: string, sealed: Buffer) => Buffer
}

const IVS = 256
let ivs = Buffer.alloc(0)

/** Random bytes are taken for many at once: each request for some costs as much as the encryption of an answer. */
function newIv(): Buffer {
  if (ivs.length === 0) ivs = randomBytes(IV_BYTES * IVS)
  const iv = ivs.subarray(0, IV_BYTES)
  ivs = ivs.subarray(IV_BYTES)
  return iv
}

export function secretsFrom(root: Buffer): Secrets {
  const keys = new Map<string, KeyObject>()
  const keyFor = (purpose: string): KeyObject => {
    const known = keys.get(purpose)
    if (known) return known
    // As an object, because a hash with plain bytes would import them again each time.
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', root, '', `switchyard ${purpose}`, KEY_BYTES)))
    keys.set(purpose, key)
    return key
  }
  const openBytes = (purpose: string, bound: string, sealed: Buffer): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(bound))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const plain = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES))
    return Buffer.concat([plain, decipher.final()])
  }
  return {
    mac: (purpose, input) => createHmac('sha256', keyFor(purpose)).update(input).digest(),
    seal: (purpose, bound, plain) => {
      const iv = newIv()
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv)
      cipher.setAAD(Buffer.from(bound))
      const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
      const rest = cipher.final()
      return Buffer.concat([iv, cipher.getAuthTag(), sealed, rest])
    },
    open: (purpose, bound, sealed) => openBytes(purpose, bound, sealed).toString('utf8'),
    openBytes,
  }
}

/** The instance's secret on a laptop: made once, kept beside the data, readable only by its owner. */
export function readOrMakeSecretFile(dataDir: string): Buffer {
  writeNewFile(secretFile(dataDir), `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  return readSecretFile(dataDir)
}

export function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.key')
}

export function readSecretFile(dataDir: string): Buffer {
  const file = secretFile(dataDir)
  const secret = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (secret.length !== KEY_BYTES) {
    throw new Error(
      `${file} does not hold 32 bytes in base64. Restore it from a backup: sealed data needs it.`,
    )
  }
  return secret
}

/** Writes a file that only its owner can read, unless it exists. Returns whether it was written. */
export function writeNewFile(file: string, content: string): boolean {
  let handle: number
  try {
    handle = openSync(file, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  syncFolderOf(file)
  return true
}

/** A new file survives a power failure only after its folder is written, too. */
function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
