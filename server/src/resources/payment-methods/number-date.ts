import type { StoredMethod } from './store.ts'

/**
 * The date of the number in the vault. It is another than the shown one if the card was replaced and only its network
 * token is known to follow: the old number with the new date would be declined.
 */
export function numberDate(
  method: Pick<StoredMethod, 'number_expiration_date' | 'expiration_date'>,
): string | null {
  return method.number_expiration_date ?? method.expiration_date
}
