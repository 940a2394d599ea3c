import { inBriefTransaction } from './brief-transaction.ts'
import { type Context, inTransaction, type Tx } from './db.ts'
import { ApiError } from './errors.ts'

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

/** The idempotency of one `POST`. A request that repeats its key gets the stored answer, or goes on with what was begun. */
export type Once = {
  /** Whether the caller can safely repeat the request: it has an idempotency key. */
  readonly isKeyed: boolean
  /** What an earlier process had begun for this very request. */
  readonly begun: string | null
  /** Part of a first commit: notes what is begun, so that a repeated request goes on with it after a crash. */
  readonly begin: (tx: Handle, begun: string) => Promise<void>
  /** Part of the commit that decides the answer: stores it for repeated requests. */
  readonly finish: <Answer>(tx: Handle, answer: Answer) => Promise<Finished<Answer>>
}

/** What is kept of a request with a key. */
type Kept = {
  readonly begun: string | null
  readonly noteBegun: (tx: Handle, begun: string) => Promise<void>
  readonly storeAnswer: (tx: Handle, answer: unknown) => Promise<void>
}

export function onceFor({ begun, noteBegun, storeAnswer }: Kept): Once {
  return {
    isKeyed: true,
    begun,
    begin: noteBegun,
    finish: async (tx, answer) => {
      await storeAnswer(tx, answer)
      return new Finished(answer)
    },
  }
}

/** For requests without a key, and for verbs that other verbs and commands call: nothing is kept. */
export const UNKEYED: Once = {
  isKeyed: false,
  begun: null,
  begin: async () => {},
  finish: async (_tx, answer) => new Finished(answer),
}

/** The transaction that decides the answer. What `work` returns is what the caller gets, now and on replay. */
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

/** What a handler returned, without the wrapper of a `POST`. */
export function answerOf(result: unknown): unknown {
  return Finished.is(result) ? result.answer : result
}

/**
 * A provider has been asked, and its answer could not be written down. Without a key, an invitation to try again would be
 * one to pay twice: the caller gets what is on record instead. With a key it tries again, and goes on with what was begun.
 */
export function answerUnkeyed<Answer>(
  once: Once,
  error: unknown,
  known: Answer | undefined,
): Finished<Answer> {
  if (once.isKeyed || known === undefined || error instanceof ApiError) throw error
  return new Finished(known)
}

/** For a verb that begins work under the key of another verb, which then gives the answer. */
export function withoutAnswer(once: Once): Once {
  return { ...once, finish: UNKEYED.finish }
}
