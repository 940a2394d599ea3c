import type { Answer, AuthorizeAnswer, Facts, Link, Unknown } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { toMinor } from './currency.ts'
import { APPLICATIONS, AVS, CVV, codeOfReason, REASON_CODES } from './mapping.ts'
import { codeOf, isId } from './reference.ts'
import { reverse } from './reverse.ts'
import { isRecord, partOf, type Reply, send, textOf, type Wire } from './wire.ts'

export type FollowUp = Exclude<keyof typeof APPLICATIONS, 'authorize'>
type Wanted = { readonly attemptId: string; readonly sentAt?: Date }

export const NOT_SHOWN = 'CyberSource does not show the request'

/** What became of a capture, a refund or a release. Null: CyberSource shows none, or none yet. */
export async function findFollowUp(
  { act, ...wanted }: Wanted & { readonly act: FollowUp },
  link: Link,
): Promise<Answer | null> {
  const found = await search(wanted.attemptId, link)
  if ('outcome' in found) return found
  const one = bestOf(found.transactions, APPLICATIONS[act])
  if (!one) return null
  if (one.code === '1') return { outcome: 'approved', reference: one.id, facts: factsOf(one.body) }
  return refusalOf(one, wanted, link)
}

/** What became of a payment. Without its order, what it shows is believed. */
export async function findPayment(
  { order, ...wanted }: Wanted & { readonly order: AuthorizeOrder | null },
  link: Link,
): Promise<AuthorizeAnswer | null> {
  const found = await search(wanted.attemptId, link)
  if ('outcome' in found) return found
  const { transactions } = found
  const one = bestOf(transactions, APPLICATIONS.authorize)
  if (!one) return null
  const isGivenBack = bestOf(transactions, APPLICATIONS.void)?.code === '1'
  if (one.code === '1' && isGivenBack)
    return refused(reasonOf(one, 'suspected_fraud'), factsOf(one.body), one.id)
  if (one.code !== '1') {
    const refusal = refusalOf(one, wanted, link)
    if (!isGivenBack && refusal.outcome === 'declined') await giveBack(one, wanted, link)
    return refusal
  }
  return readApproved(one, bestOf(transactions, APPLICATIONS.capture), order)
}

/** The issuer has approved. A payment in one step must have been captured, too. */
function readApproved(
  one: Shown,
  captured: Shown | undefined,
  order: AuthorizeOrder | null,
): AuthorizeAnswer {
  const { id: reference, body } = one
  const facts = factsOf(body)
  const isSale = order ? order.intent === 'capture' : captured !== undefined
  const isInReview = meaningOf(one) === 'in review'
  if (isInReview && captured?.code !== '1' && order?.intent !== 'authorize') {
    return { outcome: 'pending', reference, facts }
  }
  if (isSale !== (captured?.code === '1'))
    return lost('CyberSource shows an approval, and not the capture that was asked for')
  const amountDetails = partOf(partOf(body, 'orderInformation'), 'amountDetails')
  const currency = textOf(amountDetails, 'currency') ?? ''
  const asked = toMinor(textOf(amountDetails, 'totalAmount'), currency)
  const approved = toMinor(
    textOf(amountDetails, 'authorizedAmount') ?? textOf(amountDetails, 'totalAmount'),
    currency,
  )
  const isRight = order === null || (asked === order.amount && currency === order.currency)
  if (asked === null || approved === null || !isRight || approved > asked) {
    return lost('CyberSource shows another amount than asked for')
  }
  return { outcome: 'approved', reference, ...(approved < asked && { amount: approved }), facts }
}

/** CyberSource shows requests that it has refused, repetitions among them. After that time, it shows the first one, too. */
const ALL_SHOWN_MS = 24 * 3_600_000

function refusalOf(
  one: Shown,
  { sentAt }: Wanted,
  link: Link,
): Exclude<Answer, { outcome: 'approved' | 'pending' }> {
  const age = sentAt ? link.now().getTime() - sentAt.getTime() : 0
  if (meaningOf(one) === 'not carried out' && age < ALL_SHOWN_MS) {
    return lost('CyberSource shows only a request that it has refused, which may be a repetition')
  }
  if (meaningOf(one) === 'not carried out')
    return refused('invalid_service_request', factsOf(one.body), one.id)
  // An error of a system: CyberSource does not know either what the processor has done.
  if (one.code !== '0') return lost('CyberSource does not know the outcome')
  return refused(reasonOf(one, 'other_decline'), factsOf(one.body), one.id)
}

function reasonOf({ body }: Shown, otherwise: 'other_decline' | 'suspected_fraud') {
  const reason = textOf(partOf(body, 'errorInformation'), 'reason')
  return reason === null ? otherwise : codeOfReason(reason)
}

/** The issuer has approved what CyberSource has refused: it holds the money. */
async function giveBack({ id, body }: Shown, { attemptId }: Wanted, link: Link): Promise<void> {
  if (textOf(partOf(body, 'processorInformation'), 'approvalCode') === null) return
  const details = partOf(partOf(body, 'orderInformation'), 'amountDetails')
  const currency = textOf(details, 'currency') ?? ''
  const amount = toMinor(textOf(details, 'authorizedAmount') ?? textOf(details, 'totalAmount'), currency)
  if (amount !== null) await reverse({ attemptId, id, amount, currency }, link)
}

/** A request as CyberSource shows it, with what it says about the application that was asked for. */
type Shown = { readonly id: string; readonly body: Wire; readonly code: string | null }
type Found = { readonly transactions: readonly Omit<Shown, 'code'>[] }

const SHOWN_MAX = 5

/** The requests that carry the reference of an attempt: one, and repetitions and reversals of it. */
async function search(attemptId: string, link: Link): Promise<Found | Unknown> {
  const code = codeOf(attemptId)
  const query = `clientReferenceInformation.code:${code}`
  const asked = { save: false, query, offset: 0, limit: 20, sort: 'submitTimeUtc:desc' }
  const reply = await send(link, '/tss/v2/searches', asked)
  if (reply.kind !== 'answer') return shutOut(reply)
  if (typeof reply.body['totalCount'] !== 'number')
    return lost('CyberSource answered with something else than a list')
  const { transactionSummaries: listed } = partOf(reply.body, '_embedded')
  const ids = (Array.isArray(listed) ? listed.filter(isRecord) : [])
    .filter((one) => partOf(one, 'clientReferenceInformation')['code'] === code)
    .map((one) => textOf(one, 'id'))
    .filter(isId)
  const transactions: Omit<Shown, 'code'>[] = []
  for (const id of ids.slice(0, SHOWN_MAX)) {
    const shown = await send(link, `/tss/v2/transactions/${id}`)
    if (shown.kind !== 'answer') return shutOut(shown)
    if (shown.body['id'] !== id) return lost('CyberSource answered with something else than the request')
    transactions.push({ id, body: shown.body })
  }
  return { transactions }
}

/** The request that was successful, or else one that was declined, or else any. */
function bestOf(transactions: Found['transactions'], application: string): Shown | undefined {
  const found = transactions.flatMap(({ id, body }) => {
    const { applications } = partOf(body, 'applicationInformation')
    const own = (Array.isArray(applications) ? applications.filter(isRecord) : []).find(
      ({ name }) => name === application,
    )
    return own ? [{ id, body, code: textOf(own, 'rCode') }] : []
  })
  const rank = (one: Shown) =>
    one.code === '1' ? 0 : one.code === '0' && meaningOf(one) === undefined ? 1 : 2
  return found.toSorted((one, other) => rank(one) - rank(other))[0]
}

function meaningOf({ body }: Pick<Shown, 'body'>) {
  const code = textOf(partOf(body, 'applicationInformation'), 'reasonCode') ?? ''
  return Object.hasOwn(REASON_CODES, code) ? REASON_CODES[code as keyof typeof REASON_CODES] : undefined
}

/** CyberSource did not look: that says nothing about what was sent before. */
function shutOut(reply: Exclude<Reply, { kind: 'answer' }>): Unknown {
  return lost(
    reply.kind === 'lost' ? reply.reason : `CyberSource did not let the question in (${reply.status})`,
  )
}

/** CyberSource's details beside its decision, of an answer and of what its search shows. */
export function factsOf(body: Wire): Facts {
  const processor = partOf(body, 'processorInformation')
  const error = partOf(body, 'errorInformation')
  const avs = textOf(partOf(processor, 'avs'), 'code')
  const cvv = textOf(partOf(processor, 'cardVerification'), 'resultCode')
  return {
    rawCode: safe(error['reason']) ?? safe(body['status']),
    rawDescription: safe(error['message']),
    authResponseCode: safe(processor['approvalCode']),
    isoResponseCode: safe(processor['responseCode']),
    avsResponseCode: AVS[avs ?? ''] ?? null,
    cvvResponseCode: CVV[cvv ?? ''] ?? null,
    merchantAdviceCode: safe(partOf(processor, 'merchantAdvice')['code']),
    schemeTransactionId: schemeId(processor['networkTransactionId']) ?? schemeId(processor['transactionId']),
    paymentAccountReference: accountReference(processor['paymentAccountReferenceNumber']),
  }
}

/** Visa's has fifteen digits: no card number has CyberSource put here. */
function schemeId(value: unknown): string | null {
  return typeof value === 'string' && /^[\x21-\x7e]{1,50}$/.test(value.trim()) ? value.trim() : null
}

/** Letters and digits, more than any card number has. */
function accountReference(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9A-Z]{29}$/.test(value) ? value : null
}
