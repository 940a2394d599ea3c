import type { Context, Scope } from '#platform/database/db.ts'
import { isId } from '#platform/http/incoming.ts'
import type { Engine } from '#processing/engine.ts'
import { findSessionBill } from '#resources/checkout/sessions/page/bill.ts'
import { isPageKey } from '#resources/checkout/sessions/page/page-url.ts'
import { findLinkBill } from '#resources/payment-links/bill.ts'
import { isLinkKey } from '#resources/payment-links/link-url.ts'
import type { Bill } from './bill.ts'

export type Address = {
  readonly merchant_account_id: string
  readonly bill_id: string
  readonly key: string
}

/** The bill of an address. Its key says whether it is a link's or a session's, before the database is asked. */
export async function findBill(
  context: Context,
  engine: Engine,
  { merchant_account_id: merchantAccountId, bill_id: id, key }: Address,
): Promise<Bill | undefined> {
  if (!isId(id)) return undefined
  const scope: Scope = { ...context, merchantAccountId }
  if (isLinkKey(engine.secrets, { merchant_account_id: merchantAccountId, id }, key)) {
    return findLinkBill(scope, engine, id)
  }
  return isPageKey(engine.secrets, { merchantAccountId, id }, key)
    ? findSessionBill(scope, engine, id)
    : undefined
}
