import { errors, inBody } from '#platform/http/errors.ts'
import type { StoredKey } from './store.ts'

type Named = Pick<StoredKey, 'merchant_identifier'>

/**
 * Apple seals tokens for the merchant that opened the session. Certificates of two merchants in one wallet
 * would give sessions whose tokens the service cannot open.
 */
export function refuseOtherMerchant({ merchant_identifier: name }: Named, others: readonly Named[]): void {
  const other = others.find(({ merchant_identifier }) => merchant_identifier !== null)?.merchant_identifier
  if (name === null || other === undefined || other === name) return
  const message = `is for ${name}, and the wallet’s other certificates are for ${other}: delete those keys first`
  throw errors.invalid(inBody('/certificate', 'value_error.conflict', message))
}
