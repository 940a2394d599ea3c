import { type Draft, enter, type Merchant, type Office, type Performed, refusalOf } from './processor.ts'
import type { Attempt, Instrument } from './requests.ts'
import * as store from './store.ts'
import { referenceOf } from './token-text.ts'

/** The currency code that ISO 4217 has for tests: storing a method moves no money. */
const NO_CURRENCY = 'XTS'

const NO_MONEY = {
  isAsynchronous: false,
  requestedAmount: 0,
  currency: NO_CURRENCY,
  isFinal: false,
  facts: null,
  scenario: null,
} as const

/** Stores a payment method for a merchant. A card is stored at once; other methods need the buyer's approval. */
export function tokenize(
  office: Office,
  request: Attempt & Merchant & { readonly instrument: Instrument },
): Promise<Performed> {
  const { last4, returnUrl } = request.instrument
  const draft: Draft = {
    ...request,
    ...NO_MONEY,
    operation: 'tokenize',
    authorizationReference: null,
    last4,
    returnUrl,
  }
  const verdict = refusalOf('tokenize', request) ?? ({ status: 'approved', amount: 0 } as const)
  return enter(office.pool, office.clock(), draft, verdict)
}

/** Ends a token. A second time changes nothing more. */
export function forget(
  office: Office,
  { token, ...request }: Attempt & Merchant & { readonly token: string },
): Promise<Performed> {
  const reference = referenceOf(office, token)
  return store.inTransaction(office.pool, async (tx) => {
    const stored = reference && (await store.lock(tx, reference))
    if (!stored || stored.merchantId !== request.merchantId) return { result: 'unknown_reference' }
    const draft: Draft = {
      ...request,
      ...NO_MONEY,
      operation: 'forgetToken',
      authorizationReference: stored.reference,
      last4: null,
      returnUrl: null,
    }
    return enter(tx, office.clock(), draft, { status: 'approved', amount: 0 })
  })
}
