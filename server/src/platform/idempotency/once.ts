import { inBriefTransaction } from '../database/brief-transaction.ts'
import { type Context, inTransaction, type Tx } from '../database/db.ts'
import { ApiError } from '../http/errors.ts'

/** The answer of a `POST`, stored with the work that produced it. Only a `Once` makes one, so no verb can forget to. */
export type { Finished }

class Finished<Answer> {
  /** Makes the type nominal: an object that merely looks alike does not compile. */
  readonly #isFinished = true
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }

  static is(value: unknown): value is Finished<unknown> {
    return value instanceof Finished && value.#isFinished
  }
}

type Handle = { readonly db: Tx }

/**
 * The idempotency of one `POST`. A retry with the same key gets the stored answer, or continues the begun
 * work.
 */
export type Once = {
  /** Whether the caller can safely repeat the request: it has an idempotency key. */
  readonly isKeyed: boolean
  /** What an earlier process had begun for the same request. */
  readonly begun: string | null
  /**
   * Claims the key in a commit of its own, for operations that claim late. Call it before anything outside of
   * the database is asked.
   */
  readonly claim: () => Promise<void>
  /** Part of a first commit: records what is begun, so that a retry continues it after a crash. */
  readonly begin: (tx: Handle, begun: string) => Promise<void>
  /** Part of the commit that decides the answer: stores it for retries. */
  readonly finish: <Answer>(tx: Handle, answer: Answer) => Promise<Finished<Answer>>
}

/** What is stored about a request with a key. */
type Kept = {
  readonly begun: string | null
  readonly claim: () => Promise<void>
  readonly noteBegun: (tx: Handle, begun: string) => Promise<void>
  readonly storeAnswer: (tx: Handle, answer: unknown) => Promise<void>
}

export function onceFor({ begun, claim, noteBegun, storeAnswer }: Kept): Once {
  return {
    isKeyed: true,
    begun,
    claim,
    begin: noteBegun,
    finish: async (tx, answer) => {
      await storeAnswer(tx, answer)
      return new Finished(answer)
    },
  }
}

/** For requests without a key, and for verbs that other verbs and commands call: nothing is stored. */
export const UNKEYED: Once = {
  isKeyed: false,
  begun: null,
  claim: async () => {},
  begin: async () => {},
  finish: async (_tx, answer) => new Finished(answer),
}

/** For operations whose answers are never kept, because they hold secrets of people who sign in. */
export function unkept<Answer>(answer: Answer): Finished<Answer> {
  return new Finished(answer)
}

/** The transaction that decides the answer. The caller gets the result of `work`, now and on replay. */
export function inFinalTransaction<Handle extends Context, Result>(
  context: Handle,
  once: Once,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Finished<Result>> {
  return inTransaction(context, async (tx) => once.finish(tx, await work(tx)))
}

/** The same as a brief transaction. */
export function inFinalBriefTransaction<Handle extends Context, Result>(
  context: Handle,
  once: Once,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Finished<Result>> {
  return inBriefTransaction(context, async (tx) => once.finish(tx, await work(tx)))
}

/** The result of a handler, without the wrapper of a `POST`. */
export function answerOf(result: unknown): unknown {
  return Finished.is(result) ? result.answer : result
}

/**
 * A provider was asked, but its answer could not be stored. Without a key, a retry could pay twice, so the
 * caller gets what is on record. With a key, the caller retries and continues the begun work.
 */
export function answerUnkeyed<Answer>(
  once: Once,
  error: unknown,
  known: Answer | undefined,
): Finished<Answer> {
  if (once.isKeyed || known === undefined || error instanceof ApiError) throw error
  return new Finished(known)
}

/** For a verb that begins work under the key of another verb, which then answers. */
export function withoutAnswer(once: Once): Once {
  return { ...once, finish: UNKEYED.finish }
}
