import type { Link } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import type { Field } from '#connectors/contract/manifest.ts'
import { isObject, PREFIX, type Reply, type Sending, send } from './wire.ts'

/** What the services of Checkout.com's vault need: they take no secret key, only tokens for an access key. */
export const ACCESS_FIELDS: readonly Field[] = [
  field('client_id', 'Access key ID', {
    isRequired: true,
    pattern: /^ack_\w{1,60}$/,
    help: 'Dashboard, Developers, Access keys. It begins with ack_.',
  }),
  field('client_secret', 'Access key secret', {
    isRequired: true,
    isSecret: true,
    pattern: /^[\x21-\x7e]{1,255}$/,
    help: 'Shown once, when the access key is made. Make another key if you have lost it.',
  }),
  field('url_prefix', 'URL prefix', {
    isAddress: true,
    pattern: PREFIX,
    help: 'Dashboard, Developers, Overview: the first part of the base URL, as in abcd1234.api.checkout.com.',
  }),
]

export const STAND_IN_FIELD = field('stand_in_url', 'Test server URL', {
  isAddress: true,
  isSandboxOnly: true,
  pattern: /^https?:\/\/[^/]+$/,
  help: 'The address that `bin/switchyard stand-in checkout` prints. Empty: the sandbox of Checkout.com.',
})

export const CREDENTIALS_REFUSED =
  'Checkout.com refused the access key. Enter client_id and client_secret again, of a key that has the scope'

/** A token that is about to end is not worth sending. */
const MARGIN_SECONDS = 60
const TOKEN = 'access-token'

class NoToken extends Error {
  readonly reply: Exclude<Reply, { readonly kind: 'answer' }>

  constructor(reply: NoToken['reply']) {
    super('Checkout.com gave no access token')
    this.reply = reply
  }
}

/** Sends a request with the token that all processes share until it ends. Never throws. */
export async function sendWithToken(link: Link, scope: string, sending: Sending): Promise<Reply> {
  const first = await sendOnce(link, scope, sending)
  if (first.kind !== 'error' || first.status !== 401) return first
  // Nothing was done. The token may have been taken back before its time.
  await link.forget(TOKEN)
  return sendOnce(link, scope, sending)
}

async function sendOnce(link: Link, scope: string, sending: Sending): Promise<Reply> {
  try {
    const secret_key = await link.remember(TOKEN, () => askForToken(link, scope))
    return await send({ ...link, fields: { ...link.fields, secret_key } }, sending)
  } catch (error) {
    return error instanceof NoToken
      ? error.reply
      : { kind: 'lost', reason: 'Checkout.com gave no access token' }
  }
}

/** OAuth 2.0 with the credentials of the access key. Moves nothing, so it may be repeated. */
async function askForToken(link: Link, scope: string) {
  const { client_id: id = '', client_secret: secret = '' } = link.fields
  const response = await link.fetch(`${authorityFor(link)}/connect/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
  })
  const { status } = response
  const told: unknown = await response.json()
  const body = isObject(told) ? told : {}
  const { access_token: token, expires_in: seconds, error } = body
  const isRefused = (status === 400 || status === 401 || status === 403) && typeof error === 'string'
  if (isRefused) throw new NoToken({ kind: 'error', status: 401, code: error })
  const isToken = (status === 200 || status === 201) && typeof token === 'string' && token !== ''
  if (!isToken || typeof seconds !== 'number')
    throw new NoToken({ kind: 'lost', reason: `Checkout.com answered ${status} without an access token` })
  const lifeMs = Math.max(seconds - MARGIN_SECONDS, 1) * 1_000
  return { value: token, expiresAt: new Date(link.now().getTime() + lifeMs) }
}

function authorityFor({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  const standIn = environment === 'sandbox' ? fields['stand_in_url'] : undefined
  if (standIn) return URL.canParse(standIn) ? new URL(standIn).origin : 'https://stand-in.invalid'
  const prefix = PREFIX.test(fields['url_prefix'] ?? '') ? `${fields['url_prefix']}.` : ''
  return `https://${prefix}access.${environment === 'production' ? '' : 'sandbox.'}checkout.com`
}
