import { timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { isReference } from './requests.ts'
import * as store from './store.ts'

type Office = { readonly pool: pg.Pool; readonly mac: (input: string) => Buffer }

/** The entry's reference and a keyed hash of it: it can be made again, and cannot be guessed. */
export function tokenOf({ mac }: Pick<Office, 'mac'>, reference: string): string {
  return `tok_${reference}_${mac(`token/${reference}`).toString('base64url')}`
}

/** The reference of the entry that made a token. Null if the processor did not make it. */
export function referenceOf(office: Pick<Office, 'mac'>, token: string): string | null {
  const reference = token.slice(4, 40)
  if (!isReference(reference)) return null
  const [given, right] = [Buffer.from(token), Buffer.from(tokenOf(office, reference))]
  return given.length === right.length && timingSafeEqual(given, right) ? reference : null
}

/** Whether a merchant can pay with a token: it is the merchant's own, and was not forgotten. */
export async function isLive(
  office: Office,
  { merchantId }: { readonly merchantId: string },
  token: string,
): Promise<boolean> {
  const reference = referenceOf(office, token)
  const entry = reference && (await store.findByReference(office.pool, reference))
  if (!entry || entry.merchantId !== merchantId || entry.status !== 'approved') return false
  return !(await store.isForgotten(office.pool, entry.reference))
}
