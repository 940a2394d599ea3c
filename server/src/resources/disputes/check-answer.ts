import {
  ANSWERABLE_STAGES,
  type AnswerableStage,
  type Defense,
  type DisputeAnswers,
  defenseFor,
  type Evidence,
} from '#connectors/contract/answer-dispute.ts'
import { holdsCardNumber } from '#domain/card.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Clock } from '#platform/process/clock.ts'
import type { DisputeEvidence } from './schemas.ts'
import type { DisputeAnswer, StoredDispute } from './store.ts'

type Act = DisputeAnswer['act']

/**
 * For so long, an answer that nobody has heard of holds up others: deadlines are near. Connectors look at the provider before they
 * send, and providers take one answer, so the second does no harm if the first has arrived.
 */
const ALONE_MS = 3_600_000

/** Why a dispute takes no such answer now, in words that say what to do. Undefined: it does. */
export function reasonAgainst(
  act: Act,
  { stage, respond_by, external_identifier, answer }: StoredDispute,
  answers: DisputeAnswers | undefined,
  clock: Clock,
): string | undefined {
  if (stage === 'early_fraud_warning')
    return 'a fraud warning takes no answer: refund the payment, or wait for what the bank does'
  const answerable = answerableStage(stage)
  if (!answerable) return `the dispute is ${stage}: it takes no answer any more`
  if (answer?.status === 'processing' && clock().getTime() < Date.parse(answer.created_at) + ALONE_MS)
    return 'an answer is under way: read the dispute again until its answer is not processing any more, for an hour at most'
  if (answer?.status === 'succeeded' && answer.stage === stage)
    return 'the dispute is answered at this stage: wait for what the bank does'
  if (respond_by !== null && respond_by <= clock())
    return `the payment service took answers until ${respond_by.toISOString()}: the time is over`
  if (!answers)
    return 'the connector of this payment service sends no answers to disputes: answer at the payment service itself'
  if (external_identifier === null)
    return 'the payment service has not told its id of the dispute: answer at the payment service itself'
  const taken = act === 'accept' ? answers.accepts : answers.defends
  if (taken.includes(answerable)) return undefined
  return act === 'accept'
    ? `the payment service cannot accept a dispute at the stage ${stage}: refund the payment, or answer with evidence`
    : `the payment service takes no evidence at the stage ${stage} through its API: answer at the payment service itself`
}

function answerableStage(stage: string): AnswerableStage | undefined {
  return ANSWERABLE_STAGES.find((known) => known === stage)
}

export function refuseAnswer(...asked: Parameters<typeof reasonAgainst>): void {
  const reason = reasonAgainst(...asked)
  if (reason === undefined) return
  throw errors.invalid({
    location: 'path',
    pointer: '/dispute_id',
    type: 'value_error.conflict',
    message: reason,
  })
}

export const NO_DEFENSE =
  'the payment service takes no evidence for this dispute: accept it, or let its time pass'

/** Null: the provider has no ways to defend that need certain files. */
type Taken = { readonly answers: DisputeAnswers; readonly defenses: readonly Defense[] | null }

/** Reads evidence as the provider takes it, or refuses it with everything that is wrong. */
export function readEvidence(
  { texts = [], files = [] }: DisputeEvidence,
  { answers, defenses }: Taken,
): readonly Evidence[] {
  const contents = files.map(({ content }) => decoded(content))
  if (defenses?.length === 0) throw errors.invalid(inBody('', 'value_error.conflict', NO_DEFENSE))
  const details = [
    ...(texts.length + files.length === 0
      ? [inBody('', 'value_error.missing', 'send at least one of texts and files')]
      : []),
    ...texts.flatMap(({ name, text }, at) => aboutText(`/texts/${at}`, { name, text }, answers)),
    ...files.flatMap((file, at) => aboutFile(`/files/${at}`, file, { content: contents[at], answers })),
    ...namedTwice('texts', texts),
    ...namedTwice('files', files),
    ...aboutSums(texts, contents, answers),
  ]
  if (details.length > 0) throw errors.invalid(...details)
  const defense = defenses && defenseFor([...texts, ...files.map(({ name }) => ({ name }))], defenses)
  if (typeof defense === 'string') throw errors.invalid(inBody('/files', 'value_error.conflict', defense))
  return [
    ...texts.map(({ name, text }) => ({ name, text })),
    ...files.map(({ name, file_name, content_type }, at) => ({
      name,
      fileName: file_name,
      contentType: content_type,
      content: contents[at] ?? Buffer.alloc(0),
    })),
  ]
}

type Text = { readonly name: string; readonly text: string }
type File = NonNullable<DisputeEvidence['files']>[number]

function aboutText(at: string, { name, text }: Text, { texts }: DisputeAnswers): ErrorDetail[] {
  const max = Object.hasOwn(texts, name) ? texts[name] : undefined
  return [
    ...(max === undefined ? [unknownName(`${at}/name`, Object.keys(texts))] : []),
    ...(text.trim() === ''
      ? [inBody(`${at}/text`, 'value_error.any_str.min_length', 'must not be empty')]
      : []),
    ...(text.length > (max ?? text.length)
      ? [inBody(`${at}/text`, 'value_error.any_str.max_length', `must have at most ${max} characters`)]
      : []),
    ...(holdsCardNumber(text)
      ? [
          inBody(
            `${at}/text`,
            'value_error.const',
            'must not hold a card number: name the card by its last four digits',
          ),
        ]
      : []),
  ]
}

type Given = { readonly content: Buffer<ArrayBuffer> | undefined; readonly answers: DisputeAnswers }

function aboutFile(at: string, { name, content_type }: File, { content, answers }: Given): ErrorDetail[] {
  const { files, contentTypes, fileBytesMax } = answers
  return [
    ...(files.includes(name) ? [] : [unknownName(`${at}/name`, files)]),
    ...(contentTypes.includes(content_type)
      ? []
      : [inBody(`${at}/content_type`, 'type_error.enum', `must be one of ${contentTypes.join(', ')}`)]),
    ...(content === undefined
      ? [
          inBody(
            `${at}/content`,
            'value_error.str.regex',
            'must be base64, with its padding and no line breaks',
          ),
        ]
      : []),
    ...(content !== undefined && content.length > fileBytesMax
      ? [inBody(`${at}/content`, 'value_error.any_str.max_length', `must be at most ${fileBytesMax} bytes`)]
      : []),
  ]
}

function unknownName(pointer: string, known: readonly string[]): ErrorDetail {
  const names = known.length === 0 ? 'the payment service takes none' : `must be one of ${known.join(', ')}`
  return inBody(pointer, 'type_error.enum', names)
}

function namedTwice(list: 'texts' | 'files', items: readonly { readonly name: string }[]): ErrorDetail[] {
  const names = items.map(({ name }) => name)
  return names.flatMap((name, at) =>
    names.indexOf(name) < at
      ? [inBody(`/${list}/${at}/name`, 'value_error.duplicate', 'is there twice: send one for each name')]
      : [],
  )
}

function aboutSums(
  texts: readonly Text[],
  contents: readonly (Buffer | undefined)[],
  { textsMax, filesBytesMax }: DisputeAnswers,
): ErrorDetail[] {
  const written = texts.reduce((sum, { text }) => sum + text.length, 0)
  const bytes = contents.reduce((sum, content) => sum + (content?.length ?? 0), 0)
  return [
    ...(texts.length > 0 && written > textsMax
      ? [
          inBody(
            '/texts',
            'value_error.any_str.max_length',
            `must have at most ${textsMax} characters in all`,
          ),
        ]
      : []),
    ...(contents.length > 0 && bytes > filesBytesMax
      ? [inBody('/files', 'value_error.any_str.max_length', `must be at most ${filesBytesMax} bytes in all`)]
      : []),
  ]
}

/** Node's decoder skips what is no base64, so what it read is written again and compared. */
function decoded(content: string): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.from(content, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === content ? bytes : undefined
}
