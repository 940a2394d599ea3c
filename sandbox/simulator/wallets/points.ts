import { createPublicKey, type KeyObject } from 'node:crypto'

/** The point of a public key of P-256: 65 bytes, as `createECDH` takes it. */
export function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** A point as a public key in DER. */
export function toSpki(point: Buffer): Buffer {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } as never })
  return key.export({ type: 'spki', format: 'der' })
}
