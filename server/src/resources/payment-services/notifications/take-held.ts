import type { Context } from '#platform/database/db.ts'
import type { Logger } from '#platform/observability/log.ts'
import { failTogether, type Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import { findMany } from '../store.ts'
import { nameOf, read } from './held/hold.ts'
import * as held from './held/store.ts'
import { type Takers, takeAtAny } from './take.ts'

type Needs = { readonly context: Context; readonly engine: Engine; readonly logger: Logger }

const AT_ONCE = 50
const HOUR_MS = 3_600_000
const HELD_DAYS = 30
const HELD_MS = HELD_DAYS * 24 * HOUR_MS
/** How long one that was matched or given up is still shown. */
const SHOWN_MS = 30 * 24 * HOUR_MS
const PAUSE_MAX_MS = 6 * HOUR_MS
/** For each service. A shop that uses its account at the provider for other sales as well gets messages about all of them. */
const HELD_MAX = 10_000

/** Takes notifications that came before we knew what they are about. */
export function heldNotificationJob(takers: Takers, heldMax = HELD_MAX): Job<Needs> {
  return {
    name: 'take-held-notifications',
    everyMs: 1_000,
    nextDueAt: ({ context }) => held.nextDueAt(context),
    run: async ({ context, engine, logger }, stopping) => {
      const desk = { context: { ...context, actor: { id: null, name: 'Payment service' } }, engine, takers }
      const failures: unknown[] = []
      while (!stopping.aborted) {
        const due = await held.takeDue(context, { limit: AT_ONCE, pauseMaxMs: PAUSE_MAX_MS, heldMs: HELD_MS })
        for (const one of due) {
          await takeOne(desk, logger, one).catch((error: unknown) => failures.push(error))
        }
        if (due.length < AT_ONCE) break
      }
      await held.removeEnded(context, SHOWN_MS)
      await bound(context, logger, heldMax)
      failTogether(failures)
    },
  }
}

type Desk = { readonly context: Context; readonly engine: Engine; readonly takers: Takers }

async function takeOne({ context, engine, takers }: Desk, logger: Logger, one: held.Held): Promise<void> {
  const scope = { ...context, merchantAccountId: one.merchant_account_id }
  const service = (await findMany(context, [one.payment_service_id])).get(one.payment_service_id)
  const told = read(one)
  const isTaken = service !== undefined && (await takeAtAny(scope, { engine, takers }, { service, told }))
  const isOver = context.clock().getTime() - one.created_at.getTime() >= HELD_MS
  if (!isTaken && !isOver) return
  await held.end(context, one.id, isTaken ? 'matched' : 'expired')
  if (!isTaken) {
    logger.warn(
      { paymentService: one.payment_service_id, receivedAt: one.created_at, ...nameOf(told) },
      `a provider’s notification has fitted no payment for ${HELD_DAYS} days, and is dropped: ` +
        'look the reference up at the provider, and if the payment is one of ours, correct it with PUT /transactions/{id}',
    )
  }
}

async function bound(context: Context, logger: Logger, heldMax: number): Promise<void> {
  const dropped = await held.removeExcess(context, heldMax)
  if (dropped === 0) return
  logger.warn(
    { dropped, heldMax },
    'too many notifications of one payment service fit no payment, and the oldest are dropped: have the provider send to ' +
      'this service’s address only what is about its payments',
  )
}
