import { inFinalTransaction, inTransaction, type Scope, type Tx } from '#platform/db.ts'
import { ApiError, errors } from '#platform/errors.ts'
import { refusal } from '../refusal.ts'
import { inquire, mayInquire, type Needs } from './resolve.ts'
import { type OperationAnswer, settle } from './settle.ts'
import * as operations from './store.ts'

type Approved = Extract<OperationAnswer, { readonly outcome: 'approved' }>

type Prepared = {
  /** Refuses what does not fit, and writes the operation down. */
  readonly begin: (tx: Scope<Tx>) => Promise<operations.Operation>
  readonly send: (operation: operations.Operation) => Promise<OperationAnswer>
}

type Asked<Shown> = {
  /** The request, whose fields a refusal may name. */
  readonly body: object
  readonly prepare: () => Promise<Prepared>
  readonly show: (tx: Scope<Tx>, operation: operations.Operation, answer: Approved) => Promise<Shown>
}

/**
 * What moves money on gift cards: first it is committed as asked for, then the service is asked, then its answer is
 * committed. A request that a former process had begun is not begun again: the service is asked what became of it.
 */
export async function carryOut<Shown>(
  scope: Scope,
  needs: Needs,
  { body, prepare, show }: Asked<Shown>,
): Promise<Shown> {
  const { operation, answer } = scope.begun
    ? await takeUp(scope, needs, scope.begun)
    : await begin(scope, await prepare())
  if (answer.outcome === 'approved') {
    return inFinalTransaction(scope, async (tx) =>
      show(tx, await settle(tx, needs.vault, operation, answer), answer),
    )
  }
  const settled = await inTransaction(scope, (tx) => settle(tx, needs.vault, operation, answer))
  if (settled.state === 'refused') throw refusal({ code: settled.error_code ?? 'unknown_error' }, body)
  throw noAnswer()
}

type Answered = { readonly operation: operations.Operation; readonly answer: OperationAnswer }

async function begin(scope: Scope, { begin, send }: Prepared): Promise<Answered> {
  const operation = await inTransaction(scope, async (tx) => {
    const begun = await begin(tx)
    await scope.begin?.(tx.db, begun.id)
    return begun
  })
  return { operation, answer: await send(operation) }
}

/** Asked for even when it was approved: what an answer says beyond that is not kept. */
async function takeUp(scope: Scope, needs: Needs, id: string): Promise<Answered> {
  const operation = await operations.find(scope, id)
  if (!operation) throw errors.notFound()
  if (operation.state === 'refused') return { operation, answer: { outcome: 'not_found' } }
  if (!mayInquire(operation, scope.clock())) throw noAnswer()
  return { operation, answer: await inquire(scope, needs, operation) }
}

/** By then the service has been asked again, and the same idempotency key is told what came of it. */
function noAnswer(): ApiError {
  const message =
    'The gift card service did not answer, and may still have done it. Repeat the request with its idempotency key.'
  return new ApiError('gateway_timeout', { message, headers: { 'retry-after': '60' } })
}
