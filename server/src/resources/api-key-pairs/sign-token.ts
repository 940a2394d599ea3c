import { createPrivateKey, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { describePrivateKey } from './keys.ts'

/** A token as programs of merchants sign it. Its times are real ones. */
export async function signToken(pem: string, claims: object, lifetimeSeconds: number): Promise<string> {
  const { thumbprint, signatureAlgorithm } = await describePrivateKey(pem)
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...claims, iat: now, nbf: now, exp: now + lifetimeSeconds, jti: randomUUID() })
    .setProtectedHeader({ alg: signatureAlgorithm, kid: thumbprint, typ: 'JWT' })
    .sign(createPrivateKey(pem))
}
