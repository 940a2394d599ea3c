/** The stages at which a provider may take an answer of the merchant. */
export const ANSWERABLE_STAGES = [
  'inquiry',
  'notification',
  'chargeback',
  'second_chargeback',
  'arbitration',
] as const
export type AnswerableStage = (typeof ANSWERABLE_STAGES)[number]

/** What `answerDispute` can send. Merchants are refused anything else before the provider is asked. */
export type DisputeAnswers = {
  /** The stages at which the merchant can give the money up. */
  readonly accepts: readonly AnswerableStage[]
  /** The stages at which the provider takes evidence. */
  readonly defends: readonly AnswerableStage[]
  /** The provider's names of its fields for text, each with how many characters it takes. */
  readonly texts: Readonly<Record<string, number>>
  /** How many characters it takes in all. */
  readonly textsMax: number
  /** Its names of what files can be. Of a provider with `disputeFields`: none, because each dispute has its own. */
  readonly files: readonly string[]
  /** Media types of files, as in `application/pdf`. */
  readonly contentTypes: readonly string[]
  readonly fileBytesMax: number
  /** How long all files together may be. */
  readonly filesBytesMax: number
}

/** One way to defend a dispute: which files it needs, by the provider's names of them. */
export type Defense = {
  readonly name: string
  readonly required: readonly string[]
  /** At least one of these, if there are any. */
  readonly oneOf: readonly string[]
  readonly optional: readonly string[]
}

/** What a provider takes as evidence for one dispute. No defenses: nothing. */
export type DisputeFields =
  | { readonly outcome: 'told'; readonly defenses: readonly Defense[] }
  | { readonly outcome: 'unknown'; readonly reason: string }

/** The text that chooses a defense by its name. Left out: the first one that the files fit. */
export const DEFENSE = 'defense'

/** The defense that files are for. A string says what to send instead. */
export function defenseFor(
  evidence: readonly { readonly name: string; readonly text?: string }[],
  defenses: readonly Defense[],
): Defense | string {
  const chosen = evidence.find(({ name }) => name === DEFENSE)?.text
  const files = evidence.flatMap(({ name, text }) => (text === undefined ? [name] : []))
  const meant = chosen === undefined ? defenses : defenses.filter(({ name }) => name === chosen)
  if (meant.length === 0)
    return `the text ${DEFENSE} must be one of ${defenses.map(({ name }) => name).join(', ')}`
  const found = meant.find((defense) => fits(files, defense))
  return found ?? `the files fit no defense: ${meant.map(inWords).join('; or ')}`
}

function fits(files: readonly string[], { required, oneOf, optional }: Defense): boolean {
  const known = [...required, ...oneOf, ...optional]
  return (
    files.length > 0 &&
    files.every((file) => known.includes(file)) &&
    required.every((file) => files.includes(file)) &&
    (oneOf.length === 0 || oneOf.some((file) => files.includes(file)))
  )
}

function inWords({ name, required, oneOf, optional }: Defense): string {
  const parts = [
    ...(required.length > 0 ? [required.join(' and ')] : []),
    ...(oneOf.length > 0 ? [`at least one of ${oneOf.join(', ')}`] : []),
    ...(optional.length > 0 ? [`if you like ${optional.join(', ')}`] : []),
  ]
  return `${name} takes ${parts.join(', ')}`
}

export type Evidence =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string
      readonly fileName: string
      readonly contentType: string
      readonly content: Buffer<ArrayBuffer>
    }

/**
 * The merchant answers a dispute. The server sends the same order until the outcome is known, so the connector first looks at the
 * provider whether this answer has arrived.
 */
export type AnswerDisputeOrder = {
  readonly attemptId: string
  /** The provider's own id of the dispute. */
  readonly dispute: string
  readonly act: 'accept' | 'defend'
  /**
   * For `defend`, at least one. Null: the server no longer has it, so nothing can be sent any more; the connector only looks. An answer
   * that has not arrived may still do so: it is `unknown` as long as the provider would take it, and has failed after that.
   */
  readonly evidence: readonly Evidence[] | null
  /** What the provider has told of the dispute since the answer was begun, for one that cannot be looked at. */
  readonly told: readonly { readonly stage: string | null; readonly providerStage: string | null }[]
  /** An earlier request may have arrived. A refusal that is about the repetition alone says nothing about it. */
  readonly isRepeated: boolean
}
