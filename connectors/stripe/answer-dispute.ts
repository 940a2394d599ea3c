import type { AnswerDisputeOrder, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Answer, Link } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import type { DISPUTE_ANSWERS } from './dispute-answers.ts'
import { type Body, isObject, type Reply, send, text, toRefusal, unknown } from './wire.ts'

const OPEN = ['needs_response', 'warning_needs_response']

/** Looks whether this answer has arrived before it sends it: what Stripe says of a dispute counts longer than its keys. */
export async function answerDispute(order: AnswerDisputeOrder, link: Link): Promise<Answer> {
  const { dispute, act, isRepeated } = order
  const path = `/v1/disputes/${encodeURIComponent(dispute)}`
  const found = await send(link, { method: 'GET', path })
  if (found.kind !== 'object')
    return isRepeated ? unknown('Stripe does not show the dispute now') : toRefusal(found)
  const status = statusOf(found.body, dispute)
  if (status === null) return NOT_THIS
  if (isAnswered(found.body, status, order)) return approved(dispute, status)
  if (!OPEN.includes(status))
    return refused('unexpected_state', {
      rawCode: status,
      rawDescription: 'Stripe takes no answer to this dispute now',
    })
  if (act === 'defend') return defend(order, path, link)
  return concluded(await send(link, { method: 'POST', path: `${path}/close`, key: order.attemptId }), order)
}

const NOT_THIS = unknown('Stripe answered with something else than this dispute')

function statusOf(body: Body, dispute: string): string | null {
  return body['object'] === 'dispute' && body['id'] === dispute ? text(body['status']) : null
}

/** Evidence carries our mark. A dispute that was given up is lost, and nothing else can make one lost that waits for an answer of ours. */
function isAnswered(body: Body, status: string, { attemptId, act, isRepeated }: AnswerDisputeOrder): boolean {
  const { metadata } = body
  if (act === 'accept') return isRepeated && status === 'lost'
  return isObject(metadata) && metadata[attemptId] === 'evidence'
}

function approved(dispute: string, status: string): Answer {
  return { outcome: 'approved', reference: dispute, facts: { rawCode: status } }
}

async function defend(order: AnswerDisputeOrder, path: string, link: Link): Promise<Answer> {
  const { attemptId, evidence: given } = order
  // The first request may still be on its way. At the end, by its deadline, Stripe closes the dispute.
  if (given === null) return unknown('the evidence has not arrived yet, and is not sent again')
  const evidence: EvidenceForm = {}
  for (const [at, item] of given.entries()) {
    const value = await evidenceValue(item, `${attemptId}-${at}`, link)
    if (typeof value !== 'string') return order.isRepeated ? afterRepetition(value) : toRefusal(value)
    evidence[item.name as keyof EvidenceForm] = value
  }
  const form = evidenceForm(evidence, attemptId)
  return concluded(await send(link, { method: 'POST', path, form, key: attemptId }), order)
}

type Name = keyof typeof DISPUTE_ANSWERS.texts | (typeof DISPUTE_ANSWERS.files)[number]
/** Texts themselves, and Stripe's ids of files. */
type EvidenceForm = { [Field in Name]?: string }

export function evidenceForm(evidence: EvidenceForm, attemptId: string) {
  return { evidence, metadata: { [attemptId]: 'evidence' }, submit: true }
}

/** What goes beside a file. */
export const FILE_FORM = { purpose: 'dispute_evidence' } as const

async function evidenceValue(item: Evidence, key: string, link: Link) {
  if ('text' in item) return item.text
  const { fileName: name, contentType, content } = item
  const file = { name, contentType, content }
  const reply = await send(link, { method: 'POST', path: '/v1/files', form: FILE_FORM, file, key })
  if (reply.kind !== 'object') return reply
  return text(reply.body['id']) ?? ({ kind: 'lost', reason: 'Stripe gave a file no id' } as const)
}

function concluded(reply: Reply, order: AnswerDisputeOrder): Answer {
  if (reply.kind !== 'object') return order.isRepeated ? afterRepetition(reply) : toRefusal(reply)
  const status = statusOf(reply.body, order.dispute)
  if (status === null) return NOT_THIS
  const isDone = order.act === 'accept' ? status === 'lost' : isAnswered(reply.body, status, order)
  return isDone ? approved(order.dispute, status) : NOT_THIS
}

/** Refusals that are about the repetition alone. */
const NOT_ABOUT_IT = [401, 403, 409, 429]

function afterRepetition(reply: Exclude<Reply, { kind: 'object' }>): Answer {
  if (reply.kind === 'refusal' && NOT_ABOUT_IT.includes(reply.status))
    return unknown(`Stripe answered ${reply.status}, which says nothing about the first request`)
  return toRefusal(reply)
}
