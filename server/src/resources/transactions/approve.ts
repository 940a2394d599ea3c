import { type Context, inTransaction, type Scope } from '../../platform/db.ts'
import { chooseServices } from '../../processing/choose-services.ts'
import type { Engine } from '../../processing/engine.ts'
import * as paymentMethods from '../payment-methods/store.ts'
import * as paymentServices from '../payment-services/store.ts'
import type { ChosenService } from './ask.ts'
import { proven, shown } from './authenticate.ts'
import { authorize, beginAttempt } from './authorize.ts'
import * as cards from './cards/store.ts'
import { instrumentKindOf } from './document.ts'
import { failApproval } from './fail-approval.ts'
import { finishAuthorization } from './finish-authorization.ts'
import type { OpenableSource } from './open-instrument.ts'
import * as transactions from './store.ts'
import { tellStatus } from './tell.ts'

export type Place = { readonly merchantAccountId: string; readonly id: string }

/** The card's holder has decided on the challenge page. Deciding twice changes nothing. */
export async function approve(
  context: Context,
  engine: Engine,
  place: Place,
  isApproved: boolean,
): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: place.merchantAccountId }
  const waiting = await transactions.find(scope, place.id)
  if (!waiting?.document.challenge || waiting.status !== 'buyer_approval_pending' || !engine.threeDSecure)
    return
  const { directory_transaction_id: directoryTransactionId } = waiting.document.challenge
  const scheme = waiting.payment_method_scheme ?? 'other'
  const proof = await engine.threeDSecure.conclude({ directoryTransactionId, scheme, isApproved })
  if (proof === 'refused') {
    await inTransaction(scope, (tx) => failApproval(tx, engine, place.id, { code: 'failed_buyer_approval' }))
    return
  }
  const source = await sourceOf(scope, waiting)
  const [first, ...others] = await candidatesFor(scope, engine, waiting)
  if (!first || !source) {
    await inTransaction(scope, (tx) => failApproval(tx, engine, place.id, { code: 'all_attempts_skipped' }))
    return
  }
  const threeDSecure = proven(proof, 'Y')
  const isAsyncCapture = waiting.document.order['async_capture'] === true
  const begun = await inTransaction(scope, async (tx) => {
    const locked = await transactions.lock(tx, place.id)
    if (locked?.status !== 'buyer_approval_pending') return undefined
    const summary = locked.outcome.three_d_secure
    const transaction = await transactions.change(tx, locked, {
      status: 'processing',
      payment_service_id: first.service.id,
      outcome: {
        approval_url: null,
        ...(summary && {
          three_d_secure: { ...summary, status: 'complete', response_data: shown(threeDSecure) },
        }),
      },
    })
    await tellStatus(tx, locked.status, transaction, ['transaction.authenticated'])
    return {
      transaction,
      attempt: await beginAttempt(tx, engine, { transaction, chosen: first, isAsyncCapture }),
    }
  })
  if (!begun) return
  const answered = await authorize(scope, engine, {
    ...begun,
    chosen: [first, ...others],
    source,
    threeDSecure,
    isPartialAllowed: false,
    isAsyncCapture,
    connectionOptions: waiting.document.connection_options ?? {},
  })
  await finishAuthorization(scope, engine, answered)
}

async function sourceOf(
  scope: Scope,
  { id, payment_method_id }: transactions.StoredTransaction,
): Promise<OpenableSource | undefined> {
  const held = await cards.find(scope, id)
  if (held) return { kind: 'held', held }
  const method = payment_method_id === null ? undefined : await paymentMethods.find(scope, payment_method_id)
  return method?.vault_token ? { kind: 'stored', method, securityCode: null } : undefined
}

/** The service that asked for the approval, and those that could have: they may have changed since. */
async function candidatesFor(
  scope: Scope,
  { providers }: Engine,
  { amount, currency, country, payment_service_id, document }: transactions.StoredTransaction,
): Promise<ChosenService[]> {
  const services = await paymentServices.listActive(scope, 'card')
  const ordered = services.toSorted(
    (a, b) => Number(b.id === payment_service_id) - Number(a.id === payment_service_id),
  )
  return chooseServices(ordered, providers.connectors, {
    amount,
    currency,
    country,
    instrument: instrumentKindOf(document.instrument_type ?? 'pan'),
    isPartialAllowed: false,
    paymentServiceId: null,
  })
}
