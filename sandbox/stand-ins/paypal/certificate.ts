import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A key, and a certificate for it that it signs itself. Node reads certificates, but writes none: hence the DER. */
export type SigningKey = { readonly key: KeyObject; readonly pem: string }

/** One for all stand-ins of a process: to make a pair takes longer than all else that a stand-in does. */
let pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined

export function makeSigningKey(commonName: string, from: Date, until: Date): SigningKey {
  pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { publicKey, privateKey } = pair
  const name = sequence(set(sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(commonName)))))
  const algorithm = sequence(oid(SHA256_WITH_RSA), der(0x05))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0x01, 0x23, 0x45, 0x67])),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { key: privateKey, pem }
}

const COMMON_NAME = [2, 5, 4, 3]
const SHA256_WITH_RSA = [1, 2, 840, 113549, 1, 1, 11]

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.byteLength
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function set(...parts: readonly Buffer[]): Buffer {
  return der(0x31, ...parts)
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const bytes = rest.flatMap((part) => {
    const groups = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`))
}
