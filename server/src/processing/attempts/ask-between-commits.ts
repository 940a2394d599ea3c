import type { Unknown } from '#connectors/contract/connector.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Engine } from '../engine.ts'

/** The first commit recorded nothing, so nobody is asked. */
export type Stopped<Why> = { readonly stopped: Why }

type Recorded<Begun> = Exclude<Begun, Stopped<unknown>>
type Asked<Begun, Answer> = (Recorded<Begun> & { readonly answer: Answer }) | Extract<Begun, Stopped<unknown>>

type Asking<Begun, Answer> = {
  /** Part of the first commit: records what is asked, and notes it in the request's `Once`, so that a retry continues it. */
  readonly begin: (tx: Scope<Tx>) => Promise<Begun>
  readonly inFirstCommit?: typeof inTransaction
  /** Called with no transaction open. */
  readonly ask: (begun: Recorded<Begun>) => Promise<Answer>
}

/**
 * The first commit records the attempt. Then the provider is asked, with no transaction open. The caller concludes the answer in the
 * second commit.
 */
export async function askBetweenCommits<Begun extends object, Answer>(
  scope: Scope,
  { begin, inFirstCommit = inTransaction, ask }: Asking<Begun, Answer>,
): Promise<Asked<Begun, Answer>> {
  const begun = await inFirstCommit(scope, begin)
  if ('stopped' in begun) return begun as Extract<Begun, Stopped<unknown>>
  const recorded = begun as Recorded<Begun>
  return { ...recorded, answer: await ask(recorded) }
}

type AskingInTime<Begun, Answer> = Asking<Begun, Answer> & {
  /** Concludes an answer for which the request could not wait. */
  readonly concludeLate: (begun: Recorded<Begun>, answer: Answer) => Promise<unknown>
}

/** The same, for as long as the client of the request waits. */
export function askInTimeBetweenCommits<Begun extends object, Answer>(
  scope: Scope,
  engine: Engine,
  { ask, concludeLate, ...asking }: AskingInTime<Begun, Answer>,
): Promise<Asked<Begun, Answer | typeof STILL_ASKED>> {
  return askBetweenCommits(scope, {
    ...asking,
    ask: (begun) => askInTime(scope, engine, ask(begun), (late) => concludeLate(begun, late)),
  })
}

/** For now. The attempt stays with this process, which concludes the provider's answer when it comes. */
export const STILL_ASKED = {
  outcome: 'unknown',
  reason: 'the provider has not answered yet',
} as const satisfies Unknown

/**
 * Waits for a provider as long as the client of the request does. After that the request has to answer without it: the
 * asking goes on, and `conclude` gets its answer.
 */
export async function askInTime<Answer>(
  context: Context,
  engine: Engine,
  asking: Promise<Answer>,
  conclude: (answer: Answer) => Promise<unknown>,
): Promise<Answer | typeof STILL_ASKED> {
  const inTime = await waitInTime(context, engine, asking)
  if (inTime) return inTime.result
  engine.afterwards.add(asking.then(conclude))
  return STILL_ASKED
}

/** The result of the work, or undefined if the client cannot wait for it. A job has no client, and waits. */
export async function waitInTime<Result>(
  { startedAt }: Context,
  { providers }: Engine,
  work: Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  if (startedAt === undefined) return { result: await work }
  const { promise: isOver, resolve } = Promise.withResolvers<undefined>()
  const leftMs = startedAt + providers.answerWithinMs - performance.now()
  const timer = setTimeout(() => resolve(undefined), Math.max(leftMs, 0))
  const inTime = work.then((result) => ({ result }))
  return Promise.race([inTime, isOver]).finally(() => clearTimeout(timer))
}

/** Whether the request has to answer now. */
export function isTimeOver({ startedAt }: Context, { providers }: Engine): boolean {
  return startedAt !== undefined && performance.now() >= startedAt + providers.answerWithinMs
}

/** For work that goes on after the request: it waits for no client. */
export function afterRequest<Handle extends Context>(context: Handle): Handle {
  return { ...context, startedAt: undefined }
}
