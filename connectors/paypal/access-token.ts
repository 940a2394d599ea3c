import { createHash } from 'node:crypto'
import type { Link, Remembered } from '#connectors/contract/connector.ts'
import { apiOf } from './address.ts'

/** A token that is about to end is not worth sending. */
const MARGIN_SECONDS = 120

export type TokenAnswer =
  | { readonly outcome: 'given'; readonly token: string; readonly seconds: number; readonly scope: string }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'lost' }

/** OAuth 2.0 with the credentials of the app. Moves nothing, so it may be repeated. */
export async function askForToken(
  link: Pick<Link, 'fetch' | 'fields' | 'environment'>,
): Promise<TokenAnswer> {
  const { client_id: id = '', client_secret: secret = '' } = link.fields
  try {
    const response = await link.fetch(`${apiOf(link)}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
    })
    const body = (await response.json()) as Record<string, unknown> | null
    if (response.status === 401 && body?.['error'] === 'invalid_client') return { outcome: 'refused' }
    const { access_token: token, expires_in: seconds, scope = '' } = body ?? {}
    const isToken = response.status === 200 && typeof token === 'string' && token !== ''
    if (!isToken || typeof seconds !== 'number' || typeof scope !== 'string') return { outcome: 'lost' }
    return { outcome: 'given', token, seconds, scope }
  } catch {
    // The error may repeat what was sent.
    return { outcome: 'lost' }
  }
}

class NoToken extends Error {
  readonly why: 'refused' | 'lost'

  constructor(why: 'refused' | 'lost') {
    super(`PayPal gave no access token: ${why}`)
    this.why = why
  }
}

/** The token that all processes share until it ends. */
export async function accessToken(
  link: Link,
): Promise<{ readonly token: string } | { readonly why: NoToken['why'] }> {
  try {
    const token = await link.remember(nameOf(link), async (): Promise<Remembered> => {
      const answer = await askForToken(link)
      if (answer.outcome !== 'given') throw new NoToken(answer.outcome)
      const lifeMs = Math.max(answer.seconds - MARGIN_SECONDS, 1) * 1_000
      return { value: answer.token, expiresAt: new Date(link.now().getTime() + lifeMs) }
    })
    return { token }
  } catch (error) {
    return { why: error instanceof NoToken ? error.why : 'lost' }
  }
}

export async function forgetAccessToken(link: Link): Promise<void> {
  await link.forget(nameOf(link))
}

/** New credentials must not use the token of the old ones. */
function nameOf(link: Link): string {
  const { client_id: id = '', client_secret: secret = '' } = link.fields
  const digest = createHash('sha256')
    .update(JSON.stringify([apiOf(link), id, secret]))
    .digest('hex')
  return `paypal-access-token-${digest.slice(0, 32)}`
}
