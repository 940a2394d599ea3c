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
  /** Its names of what files can be. */
  readonly files: readonly string[]
  /** Media types of files, as in `application/pdf`. */
  readonly contentTypes: readonly string[]
  readonly fileBytesMax: number
  /** How long all files together may be. */
  readonly filesBytesMax: number
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
  /** An earlier request may have arrived. A refusal that is about the repetition alone says nothing about it. */
  readonly isRepeated: boolean
}
