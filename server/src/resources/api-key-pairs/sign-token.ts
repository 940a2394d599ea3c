import { createPrivateKey, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import { describePrivateKey } from './keys.ts'

/** `from` is a real time: tokens do not follow the clock of a sandbox. */
type Validity = { readonly from: Date; readonly seconds: number }

/** A token as programs of merchants sign it. */
export async function signToken(pem: string, claims: object, { from, seconds }: Validity): Promise<string> {
  const { thumbprint, signatureAlgorithm } = await describePrivateKey(pem)
  const now = Math.floor(from.getTime() / 1000)
  return new SignJWT({ ...claims, iat: now, nbf: now, exp: now + seconds, jti: randomUUID() })
    .setProtectedHeader({ alg: signatureAlgorithm, kid: thumbprint, typ: 'JWT' })
    .sign(createPrivateKey(pem))
}
