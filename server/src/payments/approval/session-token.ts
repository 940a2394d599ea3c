import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Row } from '../store/payments.ts'

type Key = Pick<Row, 'merchant_account_id' | 'id'>

/**
 * With this, the buyer's browser opens the provider's session of a payment. It cannot be guessed from the payment's id. It
 * names the merchant account, because the browser does not.
 */
export function sessionToken(secrets: Secrets, { merchant_account_id, id }: Key): string {
  const key = secrets.mac('transaction session', `${merchant_account_id}/${id}`).toString('base64url')
  return `${merchant_account_id}.${key}`
}

/** The merchant account of the payment that the token was made for. Undefined if it was made for another payment, or by others. */
export function accountOf(secrets: Secrets, id: string, token: string): string | undefined {
  const merchant_account_id = token.slice(0, Math.max(0, token.lastIndexOf('.')))
  const expected = Buffer.from(sessionToken(secrets, { merchant_account_id, id }))
  const given = Buffer.from(token)
  const isSame = expected.length === given.length && timingSafeEqual(expected, given)
  return isSame ? merchant_account_id : undefined
}
