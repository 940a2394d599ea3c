import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM. The owner of the bytes is part of the seal: copied elsewhere, they do not open. */
export function seal(key: Buffer, belongsTo: readonly string[], plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', imported(key), iv)
  cipher.setAAD(additionalData(belongsTo))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

export function open(key: Buffer, belongsTo: readonly string[], sealed: Buffer): Buffer {
  const iv = sealed.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', imported(key), iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(belongsTo))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  // The mode is a stream: all of the text comes here, and `final` only checks the seal.
  const plain = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES))
  try {
    decipher.final()
    return plain
  } catch (error) {
    plain.fill(0)
    throw error
  }
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES)
}

/** A keyed hash of the whole value, in hex. */
export function fingerprint(key: Buffer, value: Buffer): string {
  return createHmac('sha256', imported(key)).update(value).digest('hex')
}

/** A sandbox's key cannot open what production sealed, even if both have the same bytes. */
export function keyFor(environment: string, root: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', `switchyard vault ${environment}`, KEY_BYTES))
}

/** Names a key without revealing anything about it. */
export function idOf(root: Buffer): string {
  return createHmac('sha256', root).update('switchyard vault key id').digest('hex').slice(0, 16)
}

const importedKeys = new WeakMap<Buffer, KeyObject>()

/** Plain bytes would be imported again for each use, which takes longer than the use. */
function imported(key: Buffer): KeyObject {
  const known = importedKeys.get(key) ?? createSecretKey(key)
  importedKeys.set(key, known)
  return known
}

function additionalData(belongsTo: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(belongsTo))
}
