import type { Context, Scope } from '#platform/db.ts'
import { UNKEYED } from '#platform/once.ts'
import type { Engine } from '#processing/engine.ts'
import { createTransaction } from '#resources/transactions/create.ts'
import type { Bill } from './bill.ts'
import { chosenScheme, readForm } from './read-form.ts'
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
  const { payment } = bill
  await createTransaction(scope, engine, {
    once: UNKEYED,
    request: readForm(bill, form, context.clock()),
    caller: payment.caller,
    address,
    ...chosenScheme(form),
    ...payment.claim({ tries: form.tries, attempt: hashOf(form.attempt) }),
  })
}
