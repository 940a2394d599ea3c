import { timingSafeEqual } from 'node:crypto'
import { APPROVED, CANCELED, type Office } from './processor.ts'
import { isReference } from './requests.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'

type Place = Office & { readonly publicUrl: string }

/** The page on which the buyer approves. Null if the processor waits for no buyer. */
export function approvalUrlOf(place: Place, { status, reference, returnUrl }: Entry): string | null {
  if (status !== 'pending' || returnUrl === null) return null
  return `${place.publicUrl}/simulator/approvals/${reference}/${keyOf(place, reference)}`
}

/** What the page shows. Null if its address is wrong. */
export async function find(office: Office, reference: string, key: string): Promise<Entry | null> {
  if (!isReference(reference) || !isKeyOf(office, reference, key)) return null
  const entry = await store.findByReference(office.pool, reference)
  return entry?.returnUrl ? entry : null
}

/** Takes the buyer's decision. A second one changes nothing. */
export function decide(office: Office, { reference }: Entry, isApproved: boolean): Promise<Entry> {
  return store.inTransaction(office.pool, async (tx) => {
    const entry = await store.lock(tx, reference)
    if (!entry) throw new Error('an approval has no entry')
    if (entry.status !== 'pending') return entry
    return store.end(tx, entry, isApproved ? APPROVED : CANCELED, office.clock())
  })
}

function isKeyOf(office: Office, reference: string, key: string): boolean {
  const [given, right] = [Buffer.from(key), Buffer.from(keyOf(office, reference))]
  return given.length === right.length && timingSafeEqual(given, right)
}

function keyOf({ mac }: Pick<Office, 'mac'>, reference: string): string {
  return mac(`approval/${reference}`).toString('base64url')
}
