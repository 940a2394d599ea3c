import { resolvePayment } from '#payments/attempts/resolve.ts'
import type { Context } from '#platform/database/db.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import type { Job } from '#platform/process/jobs.ts'
import { forgetOldOrders } from '#processing/attempts/kept-orders.ts'
import { type Kinds, resolveDue } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { resolveCardUpdate } from '#resources/account-updater/resolve.ts'
import { resolveAnswer } from '#resources/disputes/resolve.ts'
import { resolveOperation } from '#resources/gift-cards/operations/resolve.ts'
import { resolveToken } from '#resources/payment-methods/network-tokens/resolve.ts'
import { resolveForgetting } from '#resources/payment-methods/payment-service-tokens/forget.ts'
import { resolveTokenization } from '#resources/payment-methods/payment-service-tokens/resolve.ts'
import { findUnresolvableAttempts } from '#resources/payment-services/find-unresolvable.ts'
import { resolvePayout } from '#resources/payouts/resolve.ts'

/** Every kind of attempt, and the function that resolves it. */
export const ATTEMPT_KINDS: Kinds = {
  authorize: resolvePayment,
  capture: resolvePayment,
  void: resolvePayment,
  cancel: resolvePayment,
  refund: resolvePayment,
  increment: resolvePayment,
  redeem: resolvePayment,
  reverse: resolvePayment,
  payout: resolvePayout,
  activate: resolveOperation,
  issue: resolveOperation,
  'update-card': resolveCardUpdate,
  tokenize: resolveTokenization,
  'forget-token': resolveForgetting,
  'answer-dispute': resolveAnswer,
  'provision-token': resolveToken,
  'suspend-token': resolveToken,
  'resume-token': resolveToken,
  'delete-token': resolveToken,
}

type Needs = { readonly context: Context; readonly engine: Engine; readonly metrics: Metrics }

export const attemptJobs: Job<Needs>[] = [
  {
    name: 'resolve-attempts',
    everyMs: 1_000,
    run: ({ context, engine }, stopping) => resolveDue(context, engine, ATTEMPT_KINDS, stopping),
    nextDueAt: ({ context }) => attempts.nextDueAt(context),
  },
  {
    name: 'forget-kept-orders',
    everyMs: 15_000,
    run: ({ context, engine }) => forgetOldOrders(context, engine.vault),
  },
  {
    name: 'count-unresolvable-attempts',
    everyMs: 60_000,
    run: async ({ context, engine, metrics }) => {
      const { forgotten, untold } = await findUnresolvableAttempts(context, engine.providers)
      metrics.observeUnresolvable({ forgotten: forgotten.count, untold: untold.count })
    },
  },
]
