import type { AnswerDisputeOrder, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Answer, Link } from '#connectors/contract/connector.ts'
import type { Part } from '#connectors/contract/multipart.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { LOST, ofRepetition, toLaterRefusal, toRefusal, unknown, wrong } from './answers.ts'
import { CARRIERS, FIELD_OF } from './dispute-answers.ts'
import { MAPPING } from './mapping.ts'
import { type Json, listIn, objectIn, part, type Reply, send, textIn } from './wire.ts'

const ACTS = { accept: 'accept-claim', defend: 'provide-evidence' } as const

/** Looks how the dispute stands before it sends anything: PayPal documents no lasting key for these requests. */
export async function answerDispute(order: AnswerDisputeOrder, link: Link): Promise<Answer> {
  const { dispute, act, evidence, isRepeated } = order
  const path = `/v1/customer/disputes/${part(dispute)}`
  const found = await send(link, { method: 'GET', path })
  if (found.kind !== 'answer' || found.status !== 200)
    return isRepeated ? unknown('PayPal does not show the dispute now') : toRefusal(found)
  const { body } = found
  const status = textIn(body, 'status')
  if (status === null || textIn(body, 'dispute_id') !== dispute) return LOST
  if (isAnswered(body, order)) return approved(dispute, status)
  if (!takes(body, ACTS[act]))
    return refused('unexpected_state', {
      rawCode: status,
      rawDescription: 'PayPal takes no such answer to this dispute now',
    })
  // The first request may still be on its way. PayPal takes it no more once the dispute has moved on.
  if (evidence === null) return unknown('the evidence has not arrived yet, and is not sent again')
  const parts = act === 'accept' ? acceptance(body) : evidenceOf(evidence, order.attemptId)
  if (typeof parts === 'string') return wrong('invalid_request_parameters', parts)
  const reply = await send(link, {
    method: 'POST',
    path: `${path}/${ACTS[act]}`,
    key: order.attemptId,
    parts,
  })
  return concluded(reply, order)
}

/** Evidence carries our mark. A claim that was given up is the buyer's. */
function isAnswered(dispute: Json, { act, attemptId, isRepeated }: AnswerDisputeOrder): boolean {
  if (act === 'defend')
    return listIn(dispute, 'evidences').some((one) => textIn(one, 'notes')?.endsWith(markOf(attemptId)))
  const outcome = textIn(objectIn(dispute, 'dispute_outcome'), 'outcome_code') ?? ''
  return isRepeated && MAPPING.disputeOutcomes[outcome] === 'taken'
}

function markOf(attemptId: string): string {
  return `(${attemptId})`
}

/** The links of a dispute are what can be done with it now. */
function takes(dispute: Json, act: string): boolean {
  return listIn(dispute, 'links').some((link) => textIn(link, 'href')?.endsWith(`/${act}`))
}

function approved(dispute: string, rawCode: string): Answer {
  return { outcome: 'approved', reference: dispute, facts: { rawCode } }
}

/** PayPal answers with links alone. */
function concluded(reply: Reply, { dispute, act, isRepeated }: AnswerDisputeOrder): Answer {
  if (reply.kind === 'answer' && reply.status === 200) return approved(dispute, ACTS[act])
  return isRepeated ? ofRepetition(toLaterRefusal(reply)) : toRefusal(reply)
}

/** A whole refund without a return of the goods. A string says why PayPal has no such thing here. */
function acceptance(dispute: Json): readonly Part[] | string {
  const options = objectIn(objectIn(dispute, 'allowed_response_options'), 'accept_claim')
  const { accept_claim_types: types } = options
  if (Array.isArray(types) && !types.includes('REFUND'))
    return 'PayPal takes no plain refund of this claim: accept it at PayPal'
  return [inputOf({ note: 'The claim is accepted.', accept_claim_type: 'REFUND' })]
}

function inputOf(input: object): Part {
  return { name: 'input', text: JSON.stringify(input), contentType: 'application/json' }
}

type Given = {
  readonly notes: string[]
  readonly fields: Map<string, string>
  readonly documents: Document[]
}
type Document = { readonly name: string }

/** One item for each type of evidence, with its notes, its fields and the names of its files. */
function evidenceOf(given: readonly Evidence[], attemptId: string): readonly Part[] | string {
  const byType = new Map<string, Given>()
  const itemOf = (type: string): Given => {
    const item = byType.get(type) ?? { notes: [], fields: new Map(), documents: [] }
    byType.set(type, item)
    return item
  }
  const files: Part[] = []
  for (const item of given) {
    if ('text' in item) {
      const type = FIELD_OF[item.name as keyof typeof FIELD_OF]
      if (type) itemOf(type).fields.set(item.name, item.text)
      else itemOf(item.name).notes.push(item.text)
    } else {
      const name = fileName(item, files.length)
      files.push({
        name: 'evidence-file',
        fileName: name,
        contentType: item.contentType,
        content: item.content,
      })
      itemOf(item.name).documents.push({ name })
    }
  }
  const items = [...byType]
  if (items.some(([, { fields }]) => fields.has('carrier_name') !== fields.has('tracking_number')))
    return 'carrier_name and tracking_number need each other'
  const evidences = items.map(([type, item], at) => toEvidence(type, item, at === 0 ? attemptId : null))
  return [inputOf({ evidences }), ...files]
}

function toEvidence(type: string, { notes, fields, documents }: Given, marked: string | null): object {
  const [carrier, number, refund] = ['carrier_name', 'tracking_number', 'refund_id'].map((name) =>
    fields.get(name),
  )
  const written = [...notes, ...(marked === null ? [] : [markOf(marked)])].join('\n')
  const info = {
    ...(carrier && number && { tracking_info: [{ ...carrierOf(carrier), tracking_number: number }] }),
    ...(refund && { refund_ids: [refund] }),
  }
  return {
    evidence_type: type,
    ...(Object.keys(info).length > 0 && { evidence_info: info }),
    ...(documents.length > 0 && { documents }),
    ...(written !== '' && { notes: written }),
  }
}

function carrierOf(name: string): object {
  const known = name.trim().toUpperCase()
  return CARRIERS.has(known) ? { carrier_name: known } : { carrier_name: 'OTHER', carrier_name_other: name }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

type Named = { readonly fileName: string; readonly contentType: string }

/** PayPal's names of files have plain letters and one dot. The number keeps two files apart. */
function fileName({ fileName: given, contentType }: Named, at: number): string {
  const plain = given
    .normalize('NFKD')
    .replace(/\.[A-Za-z]+$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
  return `${plain.slice(0, 100)}-${at + 1}.${EXTENSIONS[contentType] ?? 'pdf'}`
}
