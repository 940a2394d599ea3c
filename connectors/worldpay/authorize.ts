import type { AuthorizeAnswer, AvsResponseCode, Facts, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { schemeReferenceIn, send, toRefusal } from './card-wire.ts'
import { findAuthorization } from './find-payment.ts'
import { codeOf, DUPLICATES } from './mapping.ts'
import { toPaymentRequest } from './payment-request.ts'
import { isPaymentId, referenceIn } from './reference.ts'
import { isRecord, textOf, type Wire } from './wire.ts'

export async function authorize(order: AuthorizeOrder, link: Link): Promise<AuthorizeAnswer> {
  const sending = toPaymentRequest(order, link)
  if ('outcome' in sending) return sending
  const reply = await send(link, sending.path, sending.body)
  if (reply.kind === 'answer') return readAnswer(reply.body, order)
  // It was sent before.
  if (reply.kind === 'error' && DUPLICATES.includes(reply.name ?? '')) {
    return (await findAuthorization(order, link)) ?? lost('Worldpay does not show the first request')
  }
  return toRefusal(reply, null)
}

/** Strict: an answer that is only nearly right is unknown. */
function readAnswer(body: Wire, order: AuthorizeOrder): AuthorizeAnswer {
  const outcome = textOf(body, 'outcome')
  const facts = factsOf(body, order)
  if (outcome === 'refused') {
    const id = textOf(body, 'paymentId')
    const code = codeOf(textOf(body, 'gatewayRefusalCode') ?? textOf(body, 'refusalCode'))
    return refused(code, facts, isPaymentId(id) ? id : null)
  }
  const reference = referenceIn(body)
  const expected = order.intent === 'capture' ? 'sentForSettlement' : 'authorized'
  if (outcome !== expected || reference === null)
    return lost('Worldpay answered with something else than asked for')
  return { outcome: 'approved', reference, facts }
}

/** Worldpay's details beside its decision. Worldpay names what did not match, and is silent about what did. */
function factsOf(body: Wire, { instrument, billing, isMerchantInitiated }: AuthorizeOrder): Facts {
  const { issuer, advice, paymentInstrument, riskFactors } = body
  const risks = Array.isArray(riskFactors) ? riskFactors.filter(isRecord) : []
  const isApproved = body['outcome'] !== 'refused'
  const hasCode = instrument.kind === 'card' && instrument.securityCode !== null && !isMerchantInitiated
  const hasAddress = Boolean(billing?.address?.postal_code && billing.address.country)
  return {
    rawCode: safe(body['refusalCode']) ?? safe(body['outcome']),
    rawDescription: safe(body['refusalDescription']),
    authResponseCode: isRecord(issuer) ? safe(issuer['authorizationCode']) : null,
    schemeTransactionId: schemeReferenceIn(body),
    merchantAdviceCode: isRecord(advice) ? safe(advice['code'])?.trim() || null : null,
    paymentAccountReference: isRecord(paymentInstrument)
      ? safe(paymentInstrument['paymentAccountReference'])
      : null,
    cvvResponseCode:
      CVC[riskOf(risks, 'cvc') ?? ''] ??
      (riskOf(risks, 'cvc') === null && hasCode && isApproved ? 'match' : null),
    avsResponseCode: avsOf(
      riskOf(risks, 'avs', 'address'),
      riskOf(risks, 'avs', 'postcode'),
      hasAddress && isApproved,
    ),
  }
}

const CVC = {
  notMatched: 'no_match',
  notChecked: 'unavailable',
  notSupplied: 'not_provided',
  verificationFailed: 'unavailable',
} as const as Readonly<Record<string, Facts['cvvResponseCode']>>

function riskOf(risks: readonly Wire[], type: string, detail?: string): string | null {
  const found = risks.find(
    (one) => one['type'] === type && (detail === undefined || one['detail'] === detail),
  )
  return found ? String(found['risk']) : null
}

function avsOf(address: string | null, postcode: string | null, isCompared: boolean): AvsResponseCode | null {
  if (address === null && postcode === null) return isCompared ? 'match' : null
  const isWrong = (risk: string | null) => risk === 'notMatched'
  if (isWrong(address) && isWrong(postcode)) return 'no_match'
  if (isWrong(address)) return postcode === null ? 'partial_match_postcode' : 'no_match'
  if (isWrong(postcode)) return address === null ? 'partial_match_address' : 'no_match'
  return 'unavailable'
}
