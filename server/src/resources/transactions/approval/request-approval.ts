import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import type { JudgedPayment } from '../anti-fraud/judge.ts'
import type { Authenticated } from '../authorization/authenticate.ts'
import { begin } from '../authorization/begin.ts'
import { APPROVAL_MS } from '../conclusions/approval-time.ts'
import { tellStatus } from '../events/tell.ts'
import type { Prepared } from '../preparation/prepare.ts'
import { showTransaction } from '../show.ts'
import { BUYER_ASKED } from '../state.ts'
import type { Transaction } from '../wire/transaction.ts'
import { approvalUrl } from './approval-url.ts'

type Challenged = {
  readonly service: StoredService
  readonly authenticated: Extract<Authenticated, { next: 'challenge' }>
}

/** The issuer asks the cardholder. The payment waits, and no provider is asked for money until then. */
export function holdForApproval(
  scope: Scope,
  engine: Engine,
  prepared: JudgedPayment,
  { service, authenticated }: Challenged,
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
    const transaction = await begin(tx, engine, prepared, { start, authenticated })
    await tellStatus(tx, null, transaction)
    return showTransaction(tx, transaction)
  })
}

/** A merchant may allow less time, not more. */
export function approvalExpiry(now: Date, { document }: Pick<Prepared, 'document'>): Date {
  const latest = now.getTime() + APPROVAL_MS
  const asked = Date.parse(document.order.approval_expires_at ?? '')
  return new Date(Number.isNaN(asked) ? latest : Math.min(asked, latest))
}
