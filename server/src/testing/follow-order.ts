import { randomUUID } from 'node:crypto'
import type { Evidence } from '#connectors/contract/answer-dispute.ts'
import type {
  ApprovalRequired,
  AuthorizeAnswer,
  Connector,
  Link,
  SyncAnswer,
} from '#connectors/contract/connector.ts'
import type {
  AuthorizeOrder,
  Inquiry,
  Instrument,
  Operation,
  Orders,
  Secret,
} from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import type { BuyerBench } from '#connectors/contract/suite-stage.ts'

/** What a payment and all that follows from it ask of a connector. */
export const ASKED = [
  ...['authorize', 'complete', 'capture', 'void', 'cancel', 'refund', 'increment', 'sync'],
  ...['tokenize', 'forgetToken', 'answerDispute'],
] as readonly (Operation | 'complete' | 'sync' | 'answerDispute')[]

/** What happens beside the requests of a connector. */
export type Outside = {
  /** The buyer decides on the page of the provider. Returns with what the browser comes back. */
  readonly decide?: BuyerBench['decide']
  /** What waits for the buyer's app or bank succeeds. */
  readonly finish?: (reference: string) => Promise<unknown>
  /** The bank of the buyer disputes a payment. Returns the provider's id of the dispute. */
  readonly dispute?: (reference: string) => Promise<string>
}

type Later = {
  readonly part: number
  readonly reason: string | null
  readonly isFinal: boolean
  /** Answers are lost: the connector is asked what became of each attempt. */
  readonly isLost: boolean
  readonly isStored: boolean
  readonly decision: 'approve' | 'refuse' | null
  /** What anybody may put into the address of the return. */
  readonly invented: Readonly<Record<string, string>> | null
}

/** To a dispute. */
type Reply = {
  readonly act: 'accept' | 'defend'
  readonly evidence: readonly Evidence[]
  /** Of a provider that names the files of each dispute. */
  readonly file: Omit<Extract<Evidence, { readonly fileName: string }>, 'name'>
}

export type Course = {
  readonly connector: Connector
  readonly given: Outside
  readonly link: Link
  readonly later: Later
  readonly reply: Reply | null
  /** Which functions of the connector were asked. */
  readonly asked: Set<string>
}

export async function payAndFollow(course: Course, wanted: AuthorizeOrder): Promise<void> {
  const { connector, later } = course
  const token = later.isStored ? await stored(course, wanted.instrument) : null
  const instrument: Instrument = token
    ? { kind: 'provider-token', method: connector.manifest.method, token, securityCode: null }
    : wanted.instrument
  const order = { ...wanted, instrument }
  const answer = await completed(course, order, await ask(course, 'authorize', order))
  if (answer && 'reference' in answer && answer.reference !== null)
    await follow(course, { order, reference: answer.reference }, answer.outcome)
  if (token) await ask(course, 'forgetToken', samples.forgetTokenOrder(token))
}

async function follow(course: Course, on: samples.Authorized, outcome: string): Promise<void> {
  const { given, later } = course
  const { order, reference } = on
  const amount = Math.max(1, Math.floor(order.amount * later.part))
  const isOpen = outcome === 'approval_required' || outcome === 'pending'
  const isPaid = outcome === 'approved' || (isOpen && later.decision === 'approve' && given.finish)
  if (isOpen && isPaid) await given.finish?.(reference)
  else if (isOpen)
    await ask(course, 'cancel', samples.cancelOrder(on, later.isFinal ? {} : { reference: null }))
  if (outcome === 'approval_required' && !isPaid) return
  if (order.intent === 'capture') {
    const sold = { ...on, captureReference: reference }
    await ask(course, 'refund', samples.refundOrder(sold, { amount, reason: later.reason }))
    if (isPaid && order.amount > 0) await answerDispute(course, reference)
    return
  }
  await ask(course, 'increment', samples.incrementOrder(on, { amount }))
  await ask(course, 'capture', samples.captureOrder(on, { amount, isFinal: later.isFinal }))
  await ask(course, 'void', samples.voidOrder(on))
}

/** Asks for an operation and, if answers are lost, what became of it, and of one that has never arrived. */
async function ask<Name extends Operation>(
  { connector, later, link, asked }: Course,
  operation: Name,
  order: Orders[Name],
): Promise<AuthorizeAnswer | undefined> {
  const work = connector[operation] as
    | ((order: Orders[Name], link: Link) => Promise<AuthorizeAnswer>)
    | undefined
  const answer = await work?.(order, link)
  if (!answer) return undefined
  asked.add(operation)
  if (!later.isLost || !connector.sync) return answer
  asked.add('sync')
  const own = 'reference' in answer && later.isFinal ? answer.reference : null
  const reference = 'reference' in order ? order.reference : own
  const isReplayed = connector.manifest.recovery.by === 'replay'
  const told = { reference, sentAt: link.now() }
  for (const sent of [order, { ...order, attemptId: randomUUID() }]) {
    const inquiry = samples.inquiryAbout(operation, sent, told)
    await connector.sync({ ...inquiry, order: isReplayed ? sent : null } as Inquiry, link)
  }
  return answer
}

/** The buyer decides and comes back; or the payment is cancelled, and then somebody comes who has invented the address. */
async function completed(
  course: Course,
  order: AuthorizeOrder,
  answer: AuthorizeAnswer | undefined,
): Promise<AuthorizeAnswer | undefined> {
  const { connector, given, later, link, asked } = course
  if (answer?.outcome !== 'approval_required' || !connector.complete) return answer
  asked.add('complete')
  const { attemptId, transactionId, amount, currency, intent } = order
  const { reference } = answer
  if (later.decision === null) await ask(course, 'cancel', samples.cancelOrder({ order, reference }))
  const returned = (await decided(given, answer, later.decision)) ?? later.invented
  const completion = { attemptId, transactionId, amount, currency, intent, reference, returned }
  return connector.complete(completion, link)
}

async function decided({ decide }: Outside, answer: ApprovalRequired, decision: 'approve' | 'refuse' | null) {
  const hasPage = 'url' in answer.approval && answer.approval.url !== null
  return decide && decision && hasPage ? decide(answer, decision) : null
}

/** The provider's token for an instrument, or null. */
async function stored(course: Course, instrument: Instrument): Promise<Secret | null> {
  const { connector, given, link } = course
  const order = samples.tokenizeOrder({ instrument })
  const answer = await ask(course, 'tokenize', order)
  if (answer?.outcome !== 'approval_required') return tokenIn(answer)
  await decided(given, answer, 'approve')
  const { reference } = answer
  const told = { reference, ownReference: reference, sentAt: link.now(), order }
  return tokenIn(await connector.sync?.(samples.inquiryAbout('tokenize', order, told), link))
}

function tokenIn(answer: SyncAnswer | undefined): Secret | null {
  return (answer?.outcome === 'approved' && answer.token?.value) || null
}

async function answerDispute({ connector, given, link, reply, asked }: Course, paid: string): Promise<void> {
  if (!connector.answerDispute || !given.dispute || !reply) return
  asked.add('answerDispute')
  const dispute = await given.dispute(paid)
  const { act, file } = reply
  const fields = await connector.disputeFields?.({ dispute }, link)
  const [defense] = fields?.outcome === 'told' ? fields.defenses : []
  const named = defense && [...defense.required, ...defense.oneOf].map((name) => ({ name, ...file }))
  const evidence = act === 'accept' ? [] : (named ?? reply.evidence)
  const order = { attemptId: randomUUID(), dispute, act, evidence, told: [] }
  await connector.answerDispute({ ...order, isRepeated: false }, link)
  await connector.answerDispute({ ...order, isRepeated: true }, link)
}
