import { toHostName } from '#domain/domain-name.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { inquire } from '#resources/payment-service-definitions/inquire.ts'
import type { Vault } from '#vault'
import { type AppleIdentity, openAppleIdentity } from '../keys/open.ts'
import { validationUrlComplaints } from './check-session.ts'
import { displayNameOf, findWallet } from './find-wallet.ts'
import type { ApplePaySession, ApplePaySessionRequest } from './schemas.ts'

/** Apple's limit, in characters. */
const DISPLAY_NAME_MAX = 64

export type Needs = { readonly providers: Providers; readonly vault: Vault }

/**
 * Asks Apple whether the merchant may show its button on a page, with the merchant's certificate. The address comes from a
 * browser, so it is checked here: only Apple may see the certificate.
 */
export async function openAppleSession(
  scope: Scope,
  once: Once,
  { providers, vault }: Needs,
  { validation_url: url, domain_name }: ApplePaySessionRequest,
): Promise<Finished<ApplePaySession>> {
  const wrong = validationUrlComplaints(url)
  if (wrong.length > 0) throw errors.invalid(...wrong)
  const wallet = await findWallet(scope, 'apple')
  const domain = toHostName(domain_name) ?? domain_name
  if (!wallet.domain_names.includes(domain)) throw unregistered()
  const identity = await openAppleIdentity(scope, vault)
  if (!identity) throw errors.refused(NO_IDENTITY)
  const displayName = [...displayNameOf(wallet)].slice(0, DISPLAY_NAME_MAX).join('')
  const session = await ask(providers, { url, identity, domain, displayName })
  return inFinalTransaction(scope, once, async () => session)
}

const NO_IDENTITY =
  'The wallet has no merchant identity that is valid now. Add one with POST /digital-wallets/{id}/keys and the purpose apple-merchant-identity.'

function unregistered(): Error {
  const message = 'is not registered for the wallet: POST /digital-wallets/{id}/domains registers it'
  return errors.invalid(inBody('/domain_name', 'value_error.not_found', message))
}

type Question = {
  readonly url: string
  readonly identity: AppleIdentity
  readonly domain: string
  readonly displayName: string
}

async function ask(
  providers: Providers,
  { url, identity, domain, displayName }: Question,
): Promise<ApplePaySession> {
  const body = JSON.stringify({
    merchantIdentifier: identity.merchantIdentifier,
    displayName,
    initiative: 'web',
    initiativeContext: domain,
  })
  const answer = await inquire(providers, {}, async () => {
    const signal = AbortSignal.timeout(providers.timeoutMs)
    const { status, body: text } = await providers.wallets.askApple({ url, identity, body, signal })
    if (status >= 400 && status < 500) return { status }
    if (status !== 200) throw new Error('Apple could not answer')
    return { session: readObject(text) }
  })
  if (answer.session) return answer.session
  throw errors.refused(
    `Apple refused the session with status ${answer.status}. Check at Apple that the domain is verified for ` +
      `${identity.merchantIdentifier}, and that the merchant identity was not revoked.`,
  )
}

function readObject(text: string): ApplePaySession {
  const value: unknown = JSON.parse(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('not an object')
  return value as ApplePaySession
}
