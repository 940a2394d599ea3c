import { cancelTransaction } from '#payments/acts/cancel.ts'
import { captureAmount, captureTransaction } from '#payments/acts/capture.ts'
import { incrementAuthorization } from '#payments/acts/increment.ts'
import { decideReview } from '#payments/acts/review.ts'
import { syncTransaction } from '#payments/acts/sync.ts'
import { updateTransaction } from '#payments/acts/update.ts'
import { voidTransaction } from '#payments/acts/void.ts'
import { findTransaction } from '#payments/find.ts'
import { createTransaction } from '#payments/pay.ts'
import { requestComplaints } from '#payments/prepare/check-request.ts'
import { showSummaries, showTransaction } from '#payments/show.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type TSchema, Type } from '#platform/http/type.ts'
import type { Engine } from '#processing/engine.ts'
import { limitMoney, type MoneyLimit } from '#resources/auth/step-up/limit-money.ts'
import { TransactionFilters } from './filters/schemas.ts'
import { listTransactions } from './list.ts'
import { EXAMPLE_TRANSACTION } from './wire/example.ts'
import { TransactionReviewCreate } from './wire/review.ts'
import {
  Transaction,
  TransactionAuthorizationIncrement,
  TransactionAuthorizationIncrementCreate,
  TransactionCancel,
  TransactionCapture,
  TransactionCaptureCreate,
  TransactionCreate,
  Transactions,
  TransactionUpdate,
  TransactionVoid,
} from './wire/transaction.ts'

const Path = Strict({ transaction_id: Uuid() })
const TAG = 'Transactions'

/** The transaction, or a report on the operation if the caller prefers one. */
const TransactionOr = <Report extends TSchema>(report: Report, after: Partial<Transaction>) =>
  Type.Union([Transaction, report], { examples: [{ ...EXAMPLE_TRANSACTION, ...after }] })

const { amount, authorized_at: DONE_AT } = EXAMPLE_TRANSACTION
const CAPTURED = {
  status: 'capture_succeeded',
  captured_amount: amount,
  capturable_amount: 0,
  captured_at: DONE_AT,
} as const
const VOIDED = { status: 'authorization_voided', capturable_amount: 0, voided_at: DONE_AT } as const
/** Made once: each service would compile a schema of its own, and keep it. */
const CaptureAnswer = TransactionOr(TransactionCapture, CAPTURED)
const VoidAnswer = TransactionOr(TransactionVoid, VOIDED)

type Needs = MoneyLimit & { readonly engine: Engine }

export function transactionRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs), ...moneyRoutes(needs), ...otherRoutes(needs)]
}

function collectionRoutes({ engine }: Needs): Operation[] {
  return [
    operation({
      id: 'list_transactions',
      route: 'GET /transactions',
      tag: TAG,
      summary: 'List transactions',
      description: 'Newest first. Lists the transactions that match all filters.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      isList: true,
      query: TransactionFilters,
      responses: { 200: Transactions },
      handler: async ({ context, reach, query }) => {
        const page = await listTransactions(context, engine.secrets, reach, query)
        return { ...page, items: await showSummaries(context, page.items) }
      },
    }),

    operation({
      id: 'create_transaction',
      route: 'POST /transactions',
      tag: TAG,
      summary: 'Create transaction',
      description:
        'A declined or failed payment is answered with 201, too: see `status` and `error_code`. A payment stays `processing` while its outcome is unknown.',
      scope: 'transactions.write',
      embed: true,
      limit: 'browser',
      concerns: 'merchant-account',
      body: TransactionCreate,
      check: ({ body }, about) => requestComplaints(body, about),
      claimsLate: true,
      errors: ['duplicate_record', 'too_early'],
      responses: { 201: Transaction },
      handler: (call) => {
        const { once, body: request, caller, address } = call
        return createTransaction(scopeOf(call), engine, { once, request, caller, address })
      },
    }),
  ]
}

function itemRoutes({ engine }: Needs): Operation[] {
  return [
    operation({
      id: 'get_transaction',
      route: 'GET /transactions/:transaction_id',
      tag: TAG,
      summary: 'Get transaction',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: Transaction },
      handler: async (call) => {
        const transaction = await findTransaction(scopeOf(call), call.params.transaction_id)
        return showTransaction(call.context, transaction)
      },
    }),

    operation({
      id: 'update_transaction',
      route: 'PUT /transactions/:transaction_id',
      tag: TAG,
      summary: 'Update transaction',
      description:
        'Records what was done outside of this service. No provider is asked and no money moves. The amounts still have to add up. `metadata` is replaced as a whole.',
      scope: 'transactions.write',
      concerns: 'merchant-account',
      params: Path,
      body: TransactionUpdate,
      errors: ['too_early'],
      responses: { 200: Transaction },
      handler: (call) => updateTransaction(scopeOf(call), engine, call.params.transaction_id, call.body),
    }),
  ]
}

function moneyRoutes({ engine, ...limit }: Needs): Operation[] {
  return [
    operation({
      id: 'capture_transaction',
      route: 'POST /transactions/:transaction_id/capture',
      tag: TAG,
      summary: 'Capture transaction',
      description:
        'Captures the authorized amount, whole or in parts. A capture is final unless `final` is false. The final capture releases the rest.',
      scope: 'transactions.write',
      orScope: 'transactions.follow-ups.write',
      concerns: 'merchant-account',
      params: Path,
      body: TransactionCaptureCreate,
      prefers: ['transaction', 'transaction-capture'],
      errors: ['too_early', 'step_up_required'],
      responses: { 200: CaptureAnswer },
      handler: async (call) => {
        const [scope, { transaction_id: id }, request] = [scopeOf(call), call.params, call.body]
        await limitMoney(scope, limit, call.caller, () => captureAmount(scope, id, request))
        const isReportWanted = call.preferred === 'transaction-capture'
        return captureTransaction(scope, engine, { id, once: call.once, request, isReportWanted })
      },
    }),

    operation({
      id: 'void_transaction',
      route: 'POST /transactions/:transaction_id/void',
      tag: TAG,
      summary: 'Void transaction',
      description: 'Releases the authorized amount that is not captured. The captured part stays captured.',
      scope: 'transactions.write',
      orScope: 'transactions.follow-ups.write',
      concerns: 'merchant-account',
      params: Path,
      prefers: ['transaction', 'transaction-void'],
      errors: ['too_early'],
      responses: { 200: VoidAnswer },
      handler: (call) =>
        voidTransaction(scopeOf(call), engine, {
          id: call.params.transaction_id,
          once: call.once,
          isReportWanted: call.preferred === 'transaction-void',
        }),
    }),

    operation({
      id: 'increment_transaction_authorization',
      route: 'POST /transactions/:transaction_id/authorization/increment',
      tag: TAG,
      summary: 'Increment authorization',
      description: 'Raises the authorized amount, if the payment service supports it.',
      scope: 'transactions.write',
      concerns: 'merchant-account',
      params: Path,
      body: TransactionAuthorizationIncrementCreate,
      errors: ['too_early', 'gateway_timeout'],
      responses: { 200: TransactionAuthorizationIncrement },
      handler: (call) =>
        incrementAuthorization(scopeOf(call), engine, {
          id: call.params.transaction_id,
          once: call.once,
          amount: call.body.amount,
        }),
    }),
  ]
}

function otherRoutes({ engine }: Needs): Operation[] {
  return [
    operation({
      id: 'cancel_transaction',
      route: 'POST /transactions/:transaction_id/cancel',
      tag: TAG,
      summary: 'Cancel transaction',
      description: 'Cancels a payment that is not decided yet, if the payment service supports it.',
      scope: 'transactions.write',
      orScope: 'transactions.follow-ups.write',
      concerns: 'merchant-account',
      params: Path,
      errors: ['too_early'],
      responses: { 200: TransactionCancel },
      handler: (call) => cancelTransaction(scopeOf(call), call.once, engine, call.params.transaction_id),
    }),

    operation({
      id: 'review_transaction',
      route: 'POST /transactions/:transaction_id/review',
      tag: TAG,
      summary: 'Review transaction',
      description:
        'Accepts or rejects a payment whose `pending_review` is true, in place of its anti-fraud service. The first decision counts.',
      scope: 'transactions.write',
      concerns: 'merchant-account',
      params: Path,
      body: TransactionReviewCreate,
      errors: ['too_early'],
      responses: { 200: Transaction },
      handler: (call) =>
        decideReview(scopeOf(call), engine, {
          id: call.params.transaction_id,
          once: call.once,
          decision: call.body.decision,
        }),
    }),

    operation({
      id: 'sync_transaction',
      route: 'POST /transactions/:transaction_id/sync',
      tag: TAG,
      summary: 'Sync transaction',
      description:
        'Asks the payment service now for the outcome of open operations, if it supports that. We also ask without a sync: after 1 minute, 5 minutes, 1 hour, then daily. ' +
        'An outcome that is found is recorded like any other. The audit log names the caller, whose roles must allow `transactions.follow-ups.write` or `transactions.write`.',
      scope: 'transactions.read',
      roleScope: 'transactions.follow-ups.write',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: Transaction },
      handler: (call) => syncTransaction(scopeOf(call), call.once, engine, call.params.transaction_id),
    }),
  ]
}
