import type { Scope, Tx } from '#platform/db.ts'
import * as pages from './store.ts'

/** The page and the form that a payment comes from. `attempt` is the hash of the browser's secret. */
export type PageForm = { readonly id: string; readonly tries: number; readonly attempt: string }

/** Another payment was tried since the buyer's form was made. Nothing was recorded. */
export class OutdatedForm extends Error {
  constructor() {
    super('another payment was tried since the form was made')
    this.name = 'OutdatedForm'
  }
}

/**
 * Part of a payment's first commit, after the session is claimed: counts the try. So a form that is sent twice pays once,
 * even if its first payment was declined.
 */
export async function claimPage(
  tx: Scope<Tx>,
  { id, tries, attempt }: PageForm,
  transactionId: string,
): Promise<void> {
  const page = await pages.lock(tx, id)
  if (page?.tries !== tries) throw new OutdatedForm()
  await pages.noteTry(tx, page, { transactionId, attempt })
}
