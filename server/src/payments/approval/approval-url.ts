import { timingSafeEqual } from 'node:crypto'
import { type Addresses, buyerUrl, type Engine } from '#processing/engine.ts'
import type { Row, StoredTransaction } from '../store/payments.ts'

type Key = Pick<Row, 'merchant_account_id' | 'id'>

/** Where the buyer approves. The address cannot be guessed from the payment's id. */
export function approvalUrl(engine: Addresses & Pick<Engine, 'secrets'>, row: Key): string {
  return `${buyerUrl(engine)}/approvals/${row.merchant_account_id}/${row.id}/${keyOf(engine.secrets, row)}`
}

/**
 * Our page to which a provider sends the buyer back after an approval. Null if the shop did not say where the buyer
 * goes from there.
 */
export function providerReturnUrl(
  engine: Addresses & Pick<Engine, 'secrets'>,
  { document, ...row }: StoredTransaction,
): string | null {
  return document.redirect_url === null ? null : completionUrl(engine, row)
}

/** Our page for a buyer who has approved at the provider. It asks the provider for the outcome, and leads back to the shop. */
export function completionUrl(engine: Addresses & Pick<Engine, 'secrets'>, row: Key): string {
  return `${approvalUrl(engine, row)}/return`
}

export function isApprovalKey(secrets: Engine['secrets'], row: Key, given: string): boolean {
  const expected = Buffer.from(keyOf(secrets, row))
  const actual = Buffer.from(given)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function keyOf(secrets: Engine['secrets'], { merchant_account_id, id }: Key): string {
  return secrets.mac('approval', `${merchant_account_id}/${id}`).toString('base64url')
}
