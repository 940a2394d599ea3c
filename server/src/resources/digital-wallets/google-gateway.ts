import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import type { Secrets } from '#platform/access/secrets.ts'

/** The name under which an installation is a gateway to Google Pay. */
export const GATEWAY = 'switchyard'

const SESSION_MS = 15 * 60_000

/** By what Google Pay knows a merchant account: pages send it, and Google seals it into each token. */
export function gatewayMerchantIdOf(merchantAccountId: string): string {
  return merchantAccountId
}

export function fieldsAtGoogle(secrets: Secrets, merchantAccountId: string): Record<string, string> {
  const publicKey = createPublicKey(signingKey(secrets))
  return {
    gateway: GATEWAY,
    gateway_merchant_id: gatewayMerchantIdOf(merchantAccountId),
    session_public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

type Session = { readonly merchantAccountId: string; readonly origin: string; readonly now: Date }

/** A token in the form of Google's `authJwt`: it says that the merchant may show the button on a host. */
export function signSession(secrets: Secrets, { merchantAccountId, origin, now }: Session): Promise<string> {
  return new SignJWT({ merchantId: gatewayMerchantIdOf(merchantAccountId), merchantOrigin: origin })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + SESSION_MS))
    .sign(signingKey(secrets))
}

const keysOf = new WeakMap<Secrets, KeyObject>()

/** Derived from the instance's secret, so that all processes sign with the same key. */
function signingKey(secrets: Secrets): KeyObject {
  const known = keysOf.get(secrets)
  if (known) return known
  const key = deriveKey(secrets)
  keysOf.set(secrets, key)
  return key
}

function deriveKey(secrets: Secrets): KeyObject {
  for (let tries = 0; ; tries += 1) {
    const scalar = secrets.mac('google-pay-sessions', `key ${tries}`)
    const curve = createECDH('prime256v1')
    try {
      curve.setPrivateKey(scalar)
    } catch {
      // Four billion to one against it: the number is not below the order of the curve.
      continue
    }
    const point = curve.getPublicKey()
    const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
    const d = scalar.toString('base64url')
    return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d } })
  }
}
