import { calculateJwkThumbprint, exportJWK, importPKCS8, SignJWT } from 'jose'

const LIFETIME_SECONDS = 3_600
const EMBED_LIFETIME_SECONDS = 900

/** The algorithm that the service expects of each kind of key, by the bytes that name the kind in the key. */
const ALGORITHMS: readonly (readonly [bytes: string, algorithm: string])[] = [
  ['06052b81040023', 'ES512'],
  ['06052b81040022', 'ES384'],
  ['06082a8648ce3d030107', 'ES256'],
  ['06032b6570', 'EdDSA'],
  ['06092a864886f70d010101', 'RS512'],
]

export type Signing = {
  /** The text of a private key file in PEM (PKCS #8), as `switchyard keys create` writes it. */
  readonly privateKey: string
  /** What the tokens may do. Without it, all that the key may. */
  readonly scopes?: readonly string[]
  /** How long a token is valid, an hour unless you say otherwise. */
  readonly lifetimeSeconds?: number
}

/** What the token of a page fixes: the page cannot say otherwise. */
export type Pins = {
  readonly amount?: number
  readonly currency?: string
  readonly country?: string
  readonly intent?: string
  readonly external_identifier?: string
  readonly buyer_id?: string
  readonly buyer_external_identifier?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly cart_items?: readonly object[]
  readonly merchant_account_id?: string
  readonly connection_options?: object
}

export type EmbedSigning = {
  readonly privateKey: string
  readonly pins: Pins
  readonly checkoutSessionId?: string
  /** 15 minutes unless you say otherwise. Keep it short: a page cannot keep a secret. */
  readonly lifetimeSeconds?: number
}

type Signer = (claims: object, lifetimeSeconds: number) => Promise<string>

/** Signs tokens with a private key. Pass the result to `connect` as `token`. */
export function signTokens(signing: Signing): () => Promise<string> {
  let signer: Promise<Signer> | undefined
  return async () => {
    signer ??= openKey(signing.privateKey)
    const sign = await signer
    return sign(
      { scopes: signing.scopes ?? ['*.read', '*.write'] },
      signing.lifetimeSeconds ?? LIFETIME_SECONDS,
    )
  }
}

/** Signs one token for a page. Your server makes it and hands it to the page, which uses `@switchyard/client/embed`. */
export async function signEmbedToken(signing: EmbedSigning): Promise<string> {
  const sign = await openKey(signing.privateKey)
  const { pins, checkoutSessionId, lifetimeSeconds = EMBED_LIFETIME_SECONDS } = signing
  const session = checkoutSessionId === undefined ? {} : { checkout_session_id: checkoutSessionId }
  return sign({ scopes: ['embed'], embed: pins, ...session }, lifetimeSeconds)
}

async function openKey(pem: string): Promise<Signer> {
  const alg = algorithmOf(pem)
  const key = await importPKCS8(pem, alg, { extractable: true })
  const kid = await calculateJwkThumbprint(await exportJWK(key))
  return (claims, lifetimeSeconds) => {
    const now = Math.floor(Date.now() / 1_000)
    return new SignJWT({ ...claims, iat: now, exp: now + lifetimeSeconds, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(key)
  }
}

/** No message repeats the key. */
function algorithmOf(pem: string): string {
  const [, label, text = ''] = /-----BEGIN ([A-Z ]+)-----([^-]+)-----END/.exec(pem) ?? []
  if (label !== 'PRIVATE KEY') {
    throw new TypeError(
      label?.endsWith('PRIVATE KEY')
        ? `The private key is of the kind "${label}". Convert it: openssl pkcs8 -topk8 -nocrypt -in old.pem -out new.pem`
        : 'privateKey must be the text of a private key file in PEM, not its name',
    )
  }
  const start = [...atob(text.replaceAll(/\s/g, '')).slice(0, 40)]
  const hex = start.map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  const found = ALGORITHMS.find(([bytes]) => hex.includes(bytes))
  if (found) return found[1]
  throw new TypeError(
    'The private key must be an elliptic curve key on P-256, P-384 or P-521, Ed25519, or RSA',
  )
}
