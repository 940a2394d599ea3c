import type { Context, Scope } from '#platform/database/db.ts'
import { ApiError, errors } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { createBuyer } from '#resources/buyers/save.ts'
import * as buyers from '#resources/buyers/store.ts'
import { createTransaction } from '#resources/transactions/create.ts'
import type { Bill, PaymentTerms } from './bill.ts'
import { chosenScheme, isStored, readForm } from './read-form.ts'
import type { PayForm } from './schemas.ts'
import { hashOf } from './show-state.ts'

type Sent = { readonly form: PayForm; readonly address: string }

/**
 * Pays a bill, as `POST /transactions` would with its order. Each form begins at most one payment: the first commit
 * compares its number of tries, under the lock of the link or the page.
 */
export async function payBill(
  context: Context,
  engine: Engine,
  bill: Bill,
  { form, address }: Sent,
): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: bill.merchantAccountId }
  // A form with mistakes makes no buyer.
  readForm(bill, form, context.clock())
  const payment = await withBuyer(scope, bill, form)
  await createTransaction(scope, engine, {
    once: UNKEYED,
    request: readForm({ ...bill, payment }, form, context.clock()),
    caller: payment.caller,
    address,
    ...chosenScheme(form),
    ...payment.claim({ tries: form.tries, attempt: hashOf(form.attempt) }),
  })
}

/** A card is stored for somebody: the buyer that the order names is made, unless another payment has just made it. */
async function withBuyer(scope: Scope, bill: Bill, form: PayForm): Promise<PaymentTerms> {
  const { payment } = bill
  const { newBuyer } = payment
  if (!newBuyer?.external_identifier || !isStored(bill, form)) return payment
  try {
    await createBuyer(scope, UNKEYED, newBuyer)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  const made = await buyers.findByExternalIdentifier(scope, newBuyer.external_identifier)
  if (!made) throw errors.tooEarly('The buyer is being changed. Try again.')
  const pinned = { ...payment.caller.pinned, buyer_id: made.id }
  return { ...payment, buyerId: made.id, caller: { ...payment.caller, pinned } }
}
