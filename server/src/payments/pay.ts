import { inBriefTransaction } from '#platform/database/brief-transaction.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { answerUnkeyed, type Finished, inFinalTransaction } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { approvalExpiry, approvalUrl } from './approval.ts'
import { doQueuedAndShow, resume } from './attempts/resolve.ts'
import { begin } from './begin.ts'
import { charge } from './charge.ts'
import { finishSession } from './conclude/finish.ts'
import { queueFirst } from './gift-cards/redemptions.ts'
import { shownAs } from './plan/instruments.ts'
import { type Planned, planGiftCards, planPayment, type Refusal, stoppedBy } from './plan/plan.ts'
import { type Asked, type Prepared, type PreparedWithMethod, prepare } from './prepare/prepare.ts'
import { showTransaction, toTransaction } from './show.ts'
import { BUYER_ASKED, PROCESSING } from './state.ts'
import * as transactionEvents from './store/events.ts'
import { tellStatus } from './tell.ts'

/** Pays: prepare, plan, charge. */
export async function createTransaction(
  scope: Scope,
  engine: Engine,
  asked: Asked,
): Promise<Finished<Transaction>> {
  const { once } = asked
  if (once.begun) return resume(scope, once, engine, once.begun)
  const prepared = await prepare(scope, engine, asked)
  const { payer } = prepared
  return payer
    ? payWithMethod(scope, engine, { ...prepared, payer })
    : payWithGiftCards(scope, engine, prepared)
}

async function payWithMethod(
  scope: Scope,
  engine: Engine,
  prepared: PreparedWithMethod,
): Promise<Finished<Transaction>> {
  const planned = await planPayment(scope, engine, prepared)
  const { once, giftCards } = prepared
  if (planned.next === 'refuse') return refuse(scope, engine, prepared, { ...planned, ...planned.refusal })
  if (planned.next === 'ask-buyer') return holdForApproval(scope, engine, prepared, planned)
  const { plan } = planned
  const charged = await charge(scope, engine, {
    once,
    plan,
    // Rows of gift cards refer to the payment's row, so it has to be written before them, not together with them.
    inFirstCommit: giftCards ? inTransaction : inBriefTransaction,
    begin: (tx) => beginCharge(tx, engine, prepared, planned),
  })
  if (!('stopped' in charged)) return charged
  if (!charged.stopped) throw new Error('nobody else charges a payment that is not on record')
  return refuse(scope, engine, prepared, { ...planned, ...stoppedBy(charged.stopped) })
}

function beginCharge(
  tx: Scope<Tx>,
  engine: Engine,
  prepared: Prepared,
  { plan, judgement, authenticated }: Extract<Planned, { next: 'charge' }>,
) {
  const { services, presented } = plan
  const start = {
    ...PROCESSING,
    payment_service_id: services[0].service.id,
    outcome: { three_d_secure: authenticated.summary, ...(presented.token && shownAs(presented)) },
  } as const
  return begin(tx, engine, prepared, { start, judgement, authenticated })
}

/** Gift cards pay for everything. We ask for them one after the other. */
async function payWithGiftCards(
  scope: Scope,
  engine: Engine,
  prepared: Prepared,
): Promise<Finished<Transaction>> {
  const { judgement, refusal } = await planGiftCards(scope, engine, prepared)
  const planned = { judgement, authenticated: null }
  if (refusal) return refuse(scope, engine, prepared, { ...planned, ...refusal })
  const begun = await inTransaction(scope, async (tx) => {
    const transaction = await begin(tx, engine, prepared, { start: PROCESSING, ...planned })
    await queueFirst(tx, engine, transaction)
    return transaction
  })
  const { once } = prepared
  return doQueuedAndShow(scope, once, engine, begun.id).catch((error: unknown) =>
    answerUnkeyed(once, error, toTransaction(begun, undefined)),
  )
}

/** Stores the payment as failed or declined. No provider is asked. */
function refuse(
  scope: Scope,
  engine: Engine,
  prepared: Prepared,
  { status, code, events, judgement, authenticated }: Refusal & Pick<Planned, 'judgement' | 'authenticated'>,
): Promise<Finished<Transaction>> {
  return inFinalTransaction(scope, prepared.once, async (tx) => {
    const start = {
      status,
      error_code: code,
      outcome: { three_d_secure: authenticated?.summary ?? null },
    } as const
    const transaction = await begin(tx, engine, prepared, { start, judgement, authenticated })
    await finishSession(tx, engine.vault, transaction, false)
    await transactionEvents.record(tx, transaction.id, events)
    await tellStatus(tx, null, transaction)
    return showTransaction(tx, transaction)
  })
}

/** The issuer asks the cardholder. The payment waits, and no provider is asked for money until then. */
function holdForApproval(
  scope: Scope,
  engine: Engine,
  prepared: Prepared,
  { service, judgement, authenticated }: Extract<Planned, { next: 'ask-buyer' }>,
): Promise<Finished<Transaction>> {
  const url = approvalUrl(engine, prepared.row)
  return inFinalTransaction(scope, prepared.once, async (tx) => {
    const start = {
      ...BUYER_ASKED,
      payment_service_id: service.id,
      outcome: {
        three_d_secure: authenticated.summary,
        approval_url: url,
        approval_frame_url: url,
        approval_expires_at: approvalExpiry(tx.clock(), prepared).toISOString(),
      },
    } as const
    const transaction = await begin(tx, engine, prepared, { start, judgement, authenticated })
    await tellStatus(tx, null, transaction)
    return showTransaction(tx, transaction)
  })
}
