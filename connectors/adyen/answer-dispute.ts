import {
  type AnswerDisputeOrder,
  type Defense,
  type DisputeFields,
  defenseFor,
  type Evidence,
} from '#connectors/contract/answer-dispute.ts'
import type { Answer, Link } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { again, lost, safe } from '#connectors/contract/requests.ts'
import { PDF_BYTES } from './dispute-answers.ts'
import { isObject, send, toRefusal } from './wire.ts'

type Line = Parameters<typeof send>[0]
type Question = Pick<AnswerDisputeOrder, 'dispute'>

/** Which documents Adyen takes for this dispute, by its reasons to defend. None: it cannot be defended, or not any more. */
export async function disputeFields(question: Question, link: Link): Promise<DisputeFields> {
  const reasons = await askReasons(question, link)
  if (reasons.kind === 'reasons') return { outcome: 'told', defenses: reasons.list.map(toDefense) }
  if (reasons.kind === 'refused') return { outcome: 'told', defenses: [] }
  const { answer } = reasons
  return { outcome: 'unknown', reason: answer.outcome === 'unknown' ? answer.reason : 'Adyen lets us not in' }
}

/**
 * Adyen shows no dispute. So what it has told since counts first; then whether the dispute can still be defended, which it cannot be
 * twice. A refusal after a request that may have arrived says nothing about that one.
 */
export async function answerDispute(order: AnswerDisputeOrder, link: Link): Promise<Answer> {
  const { dispute, act, isRepeated, told } = order
  if (isRepeated && told.some((step) => isTaken(act, step)))
    return { outcome: 'approved', reference: dispute, facts: {} }
  // Adyen tells so of a dispute that nobody has defended.
  if (isRepeated && told.some(({ stage }) => stage === 'expired')) return refused('unexpected_state', EXPIRED)
  const line = isRepeated ? again(link) : link
  const said = await (act === 'accept' ? ask(line, 'acceptDispute', order) : defend(order, line))
  if (said.kind === 'done') return { outcome: 'approved', reference: dispute, facts: {} }
  const answer = toAnswer(said)
  return isRepeated && answer.outcome !== 'unknown' ? lost('Adyen refused the repetition') : answer
}

const EXPIRED = {
  rawCode: 'DISPUTE_DEFENSE_PERIOD_ENDED',
  rawDescription: 'nobody defended the dispute in time',
}

/** A dispute that was given up is lost. One that was defended has its information supplied. */
function isTaken(
  act: AnswerDisputeOrder['act'],
  { stage, providerStage }: AnswerDisputeOrder['told'][number],
) {
  return act === 'accept' ? stage === 'lost' : providerStage === 'INFORMATION_SUPPLIED'
}

type Said =
  | { readonly kind: 'done' }
  /** Adyen has read it, and does not do it. */
  | { readonly kind: 'refused'; readonly message: string | null }
  | { readonly kind: 'other'; readonly answer: Exclude<Answer, { outcome: 'approved' | 'pending' }> }

function toAnswer(said: Exclude<Said, { kind: 'done' }>) {
  if (said.kind === 'other') return said.answer
  return refused('unexpected_state', { rawCode: 'success=false', rawDescription: said.message })
}

async function defend(order: AnswerDisputeOrder, line: Line): Promise<Said> {
  const { evidence, dispute, attemptId } = order
  const found = await askReasons(order, line)
  if (found.kind !== 'reasons') return found
  if (evidence === null) return { kind: 'other', answer: lost('the evidence is gone, and may still arrive') }
  const defense = defenseFor(evidence, found.list.map(toDefense))
  if (typeof defense === 'string') return wrong(defense)
  const files = evidence.flatMap((item) => ('content' in item ? [item] : []))
  const long = files.find(
    ({ contentType, content }) => contentType === 'application/pdf' && content.length > PDF_BYTES,
  )
  if (long) return wrong(`${long.name} is longer than the ${PDF_BYTES} bytes that Adyen takes of a PDF`)
  const reason = found.list.find(({ defenseReasonCode }) => defenseReasonCode === defense.name)
  for (const { defenseDocumentTypeCode: type, available } of reason?.defenseDocumentTypes ?? []) {
    if (!available || !files.some(({ name }) => name === type)) continue
    const body = { defenseDocumentType: type }
    const key = `${attemptId}-${type}`
    const removed = await ask(line, 'deleteDisputeDefenseDocument', { dispute, attemptId: key }, body)
    if (removed.kind === 'other') return removed
  }
  const supplied = await ask(
    line,
    'supplyDefenseDocument',
    { dispute, attemptId: `${attemptId}-files` },
    { defenseDocuments: files.map(toDocument) },
  )
  if (supplied.kind !== 'done') return supplied
  return ask(line, 'defendDispute', order, { defenseReasonCode: defense.name })
}

function wrong(rawDescription: string): Said {
  return { kind: 'other', answer: refused('invalid_request_parameters', { rawDescription }) }
}

function toDocument({ name, contentType, content }: Extract<Evidence, { readonly content: Buffer }>) {
  return { defenseDocumentTypeCode: name, contentType, content: content.toString('base64') }
}

type Reason = {
  readonly defenseReasonCode: string
  readonly defenseDocumentTypes: readonly {
    readonly defenseDocumentTypeCode: string
    readonly requirementLevel: string
    readonly available: boolean
  }[]
}

async function askReasons({ dispute }: Question, line: Line) {
  const reply = await post(line, 'retrieveApplicableDefenseReasons', { dispute }, null)
  const said = toSaid(reply)
  if (said.kind !== 'done' || reply.kind !== 'answer') return said.kind === 'done' ? NOTHING : said
  const { defenseReasons: reasons = [] } = reply.body
  if (!Array.isArray(reasons) || !reasons.every(isReason)) return NOTHING
  return { kind: 'reasons', list: reasons } as const
}

const NOTHING: Said & { kind: 'other' } = { kind: 'other', answer: lost('Adyen told no reasons to defend') }

function isReason(value: unknown): value is Reason {
  if (!isObject(value) || typeof value['defenseReasonCode'] !== 'string') return false
  const { defenseDocumentTypes: types = [] } = value
  return (
    Array.isArray(types) &&
    types.every((type) => isObject(type) && typeof type['defenseDocumentTypeCode'] === 'string')
  )
}

/** `AlternativeRequired` stands for any of the others, so it is one of several. */
function toDefense({ defenseReasonCode: name, defenseDocumentTypes: types = [] }: Reason): Defense {
  const of = (...levels: string[]) =>
    types
      .filter(({ requirementLevel }) => levels.includes(requirementLevel))
      .map(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode)
  const [required, oneOf] = [of('Required'), of('OneOrMore', 'AlternativeRequired')]
  const known = [...required, ...oneOf]
  const optional = types
    .map(({ defenseDocumentTypeCode: code }) => code)
    .filter((code) => !known.includes(code))
  return { name, required, oneOf, optional }
}

type Asked = Question & { readonly attemptId: string }

async function ask(line: Line, act: string, { dispute, attemptId }: Asked, body: object = {}): Promise<Said> {
  return toSaid(await post(line, act, { dispute, ...body }, attemptId))
}

function post(line: Line, act: string, { dispute, ...body }: Question, key: string | null) {
  const named = { merchantAccountCode: line.fields['merchant_account'] ?? '', disputePspReference: dispute }
  return send(line, { api: 'disputes', path: act, body: { ...named, ...body }, key })
}

function toSaid(reply: Awaited<ReturnType<typeof send>>): Said {
  if (reply.kind !== 'answer') return { kind: 'other', answer: toRefusal(reply) }
  const { disputeServiceResult: result } = reply.body
  if (!isObject(result) || typeof result['success'] !== 'boolean')
    return { kind: 'other', answer: lost('Adyen answered without a result') }
  return result['success'] ? { kind: 'done' } : { kind: 'refused', message: safe(result['errorMessage']) }
}
