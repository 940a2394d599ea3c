import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { ApiError, errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { GiftCardTold } from '#processing/ask-gift-card.ts'
import { askBetweenCommits } from '#processing/attempts/ask-between-commits.ts'
import { concludeHeld } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { isOnItsWay } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { refusal } from '../refusal.ts'
import { GIFT_CARD_OPERATION, inquire } from './resolve.ts'
import * as operations from './store.ts'

export type Approved = Extract<GiftCardTold, { readonly outcome: 'approved' }>

type Begun = { readonly operation: operations.Operation; readonly attempt: attempts.Attempt }

type Prepared = {
  /** Refuses what does not fit, and records the operation. */
  readonly begin: (tx: Scope<Tx>) => Promise<operations.Operation>
  readonly send: (operation: operations.Operation) => Promise<GiftCardTold>
}

type Asked<Shown> = {
  /** The request, whose fields a refusal may name. */
  readonly body: object
  readonly once: Once
  readonly prepare: () => Promise<Prepared>
  readonly show: (tx: Scope<Tx>, operation: operations.Operation, answer: Approved) => Promise<Shown>
}

/**
 * The steps of an operation that moves money on gift cards: commit the attempt, ask the service, commit its
 * answer. If a process that died had begun the request, it is not begun again: we inquire about it.
 */
export async function carryOut<Shown>(
  scope: Scope,
  engine: Engine,
  { body, once, prepare, show }: Asked<Shown>,
): Promise<Finished<Shown>> {
  const { attempt, answer } = once.begun
    ? await takeUp(scope, engine, once.begun)
    : await begin(scope, once, engine, await prepare())
  const told = { attempt, answer }
  if (answer.outcome === 'approved') {
    return inFinalTransaction(scope, once, async (tx) => {
      const { subject } = await concludeHeld(tx, engine, GIFT_CARD_OPERATION, told)
      return show(tx, subject, answer)
    })
  }
  const { subject } = await inTransaction(scope, (tx) => concludeHeld(tx, engine, GIFT_CARD_OPERATION, told))
  if (subject.state === 'refused') throw refusal({ code: subject.error_code ?? 'unknown_error' }, body)
  throw noAnswer()
}

type Answered = Begun & { readonly answer: GiftCardTold }

function begin(scope: Scope, once: Once, engine: Engine, { begin, send }: Prepared): Promise<Answered> {
  return askBetweenCommits(scope, {
    begin: async (tx) => {
      const operation = await begin(tx)
      const { id, kind, gift_card_service_id: service_id, amount } = operation
      const attempt = await attempts.send(tx, engine.providers, { id, kind, service_id, amount: amount ?? 0 })
      await once.begin(tx, attempt.id)
      return { operation, attempt }
    },
    ask: ({ operation }) => send(operation),
  })
}

/**
 * Inquires even about an approved operation, because details of the answer, such as the address of the card,
 * are not stored.
 */
async function takeUp(scope: Scope, engine: Engine, id: string): Promise<Answered> {
  const operation = await operations.find(scope, id)
  const attempt = await attempts.find(scope, id)
  if (!operation || !attempt) throw errors.notFound()
  if (operation.state === 'refused') return { operation, attempt, answer: { outcome: 'not_found' } }
  if (isOnItsWay(attempt, scope.clock)) throw noAnswer()
  return { operation, attempt, answer: await inquire(scope, engine, operation) }
}

/** After this time the job has inquired, and a retry with the same idempotency key gets the outcome. */
function noAnswer(): ApiError {
  const message =
    'Repeat the request with its idempotency key. The gift card service did not answer, and may still have done it.'
  return new ApiError('gateway_timeout', { message, headers: { 'retry-after': '60' } })
}
