import type { Scope, Tx } from '#platform/database/db.ts'
import type { StoredSession } from '../store.ts'
import * as pages from './store.ts'

/** The page and the form that a payment comes from. `attempt` is the hash of the browser's secret. */
export type PageForm = { readonly id: string; readonly tries: number; readonly attempt: string }

/** Since the buyer's form was made, another payment was tried, or the order was changed. Nothing was recorded. */
export class OutdatedForm extends Error {
  constructor() {
    super('another payment was tried, or the order was changed, since the form was made')
    this.name = 'OutdatedForm'
  }
}

type Payment = { readonly id: string; readonly amount: number; readonly currency: string }

/**
 * Part of a payment's first commit, under the lock of its session: counts the try. So a form that is sent twice pays once,
 * even if its first payment was declined, and a session that was changed since the form was read is not paid.
 */
export async function claimPage(
  tx: Scope<Tx>,
  { id, tries, attempt }: PageForm,
  { payment, session }: { readonly payment: Payment; readonly session: StoredSession | null },
): Promise<void> {
  const isSame = session?.amount === payment.amount && session.currency === payment.currency
  const page = await pages.lock(tx, id)
  if (page?.tries !== tries || !isSame) throw new OutdatedForm()
  await pages.noteTry(tx, page, { transactionId: payment.id, attempt })
}
