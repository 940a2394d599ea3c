import type {
  AuthorizeAnswer,
  Facts,
  Refused,
  ThreeDSecureReport,
  Unknown,
} from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { AVS, CVV, codeOf, STATUSES } from './mapping.ts'
import { isId, isObject, type Json } from './wire.ts'

type Asked = {
  readonly attemptId: string
  readonly amount: number
  readonly currency: string
  readonly isPartialAllowed?: boolean
}

const DECIDED: ReadonlyMap<unknown, 'approved' | 'refused'> = new Map([
  [true, 'approved'],
  [false, 'refused'],
])

/** Reads a payment, as it was answered or as it is now. Strict: one that is only nearly right is unknown. */
export function readPayment(body: Json, asked: Asked): AuthorizeAnswer {
  const { id, status, metadata, approved } = body
  const isOurs = metadata === undefined || (isObject(metadata) && metadata['attempt'] === asked.attemptId)
  if (!isId('pay', id) || !isOurs) return lost('Checkout.com answered with something else than this payment')
  const facts = factsOf(body)
  const meaning = STATUSES[String(status)]
  switch (meaning === 'stated' ? DECIDED.get(approved) : meaning) {
    case 'approved':
      return readApproval(id, body, asked)
    case 'refused':
      return refusalOf(body, id, status === 'Declined' ? null : 'cancelled_buyer_approval')
    case 'pending': {
      const url = hrefOf(body, 'redirect')
      if (url === null) return { outcome: 'pending', reference: id, facts }
      return { outcome: 'approval_required', reference: id, approval: { kind: 'redirect', url }, facts }
    }
    default:
      return lost('Checkout.com answered with a status that we do not know')
  }
}

function readApproval(
  reference: string,
  body: Json,
  { amount, currency, isPartialAllowed }: Asked,
): AuthorizeAnswer {
  const stated = body['amount']
  const isRight = body['approved'] === true && body['currency'] === currency && Number.isSafeInteger(stated)
  const isPart = isPartialAllowed && Number(stated) > 0 && Number(stated) < amount
  if (!isRight || (stated !== amount && !isPart)) return lost('Checkout.com approved something else')
  return { outcome: 'approved', reference, ...(isPart && { amount: Number(stated) }), facts: factsOf(body) }
}

/** A payment or an action that was declined. `otherwise`: why, if Checkout.com gives no response code. */
export function refusalOf(
  body: Json,
  reference: string,
  otherwise: 'cancelled_buyer_approval' | null = null,
): Refused | Unknown {
  const facts = factsOf(body)
  const { rawCode = null } = facts
  if (rawCode === null) {
    const isNotAuthenticated = facts.threeDSecure?.status === 'declined'
    return refused(
      otherwise ?? (isNotAuthenticated ? 'requires_buyer_authentication' : 'other_decline'),
      facts,
      reference,
    )
  }
  const code = codeOf(rawCode)
  return code === null ? lost('Checkout.com does not say what became of it') : refused(code, facts, reference)
}

/** Checkout.com's details beside its decision. A payment that was looked up has its code in the summary of its actions. */
export function factsOf(body: Json): Facts {
  const source = partOf(body, 'source')
  const processing = partOf(body, 'processing')
  const { response_code, response_summary } = body['response_code'] === undefined ? decisionIn(body) : body
  return {
    rawCode: startOf(response_code, /^([0-9A-Z]{5})$/),
    rawDescription: safe(response_summary),
    authResponseCode: safe(body['auth_code']),
    isoResponseCode: startOf(processing['partner_response_code'], /^([0-9A-Z]{2})$/),
    avsResponseCode: AVS[String(source['avs_check'])] ?? null,
    cvvResponseCode: CVV[String(source['cvv_check'])] ?? null,
    merchantAdviceCode: startOf(processing['partner_merchant_advice_code'], /^(\d{1,2})$/),
    // These are numbers of the scheme, and may be as long as a card's.
    schemeTransactionId: startOf(body['scheme_id'], /^([A-Za-z0-9-]{1,36})$/),
    transactionLinkId: startOf(processing['scheme_transaction_link_id'], /^([A-Za-z0-9_-]{1,64})$/),
    paymentAccountReference: startOf(source['payment_account_reference'], /^([A-Z0-9]{29})$/),
    threeDSecure: authenticationIn(body),
  }
}

/** The last decision about the authorization, or about a payout. */
function decisionIn({ actions }: Json): Json {
  const decisions = (Array.isArray(actions) ? actions.filter(isObject) : []).filter(({ type }) =>
    ['Authorization', 'Card Verification', 'Payout', 'Return'].includes(String(type)),
  )
  return decisions.at(-1) ?? {}
}

/** How Checkout.com authenticated the buyer. Without a response of the issuer, it has not. */
function authenticationIn(body: Json): ThreeDSecureReport | null {
  const { authentication_response, challenged, version, xid } = partOf(body, '3ds')
  const response = startOf(authentication_response, /^([A-Z])$/)
  if (response === null) return null
  return {
    status: ['Y', 'A', 'U', 'I'].includes(response) ? 'complete' : 'declined',
    method: typeof challenged === 'boolean' ? (challenged ? 'challenge' : 'frictionless') : null,
    version: startOf(version, /^([0-9.]{1,10})$/),
    eci: startOf(body['eci'], /^(\d{2})$/),
    directoryTransactionId: startOf(xid, /^([A-Za-z0-9+/=-]{1,100})$/),
    authenticationResponse: response,
  }
}

function hrefOf(body: Json, name: string): string | null {
  const { href } = partOf(partOf(body, '_links'), name)
  return typeof href === 'string' && /^https?:\/\//.test(href) && URL.canParse(href) ? href : null
}

function partOf(body: Json, name: string): Json {
  const part = body[name]
  return isObject(part) ? part : {}
}

function startOf(value: unknown, shape: RegExp): string | null {
  return (typeof value === 'string' && shape.exec(value)?.[1]) || null
}
