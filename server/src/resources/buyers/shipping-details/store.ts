import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { completeAddress } from '../details.ts'
import type { NewAddress } from '../schemas.ts'
import type { CreateShippingDetails, ShippingDetails, UpdateShippingDetails } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    buyer_shipping_details: {
      id: string
      merchant_account_id: string
      buyer_id: string
      first_name: string | null
      last_name: string | null
      email_address: string | null
      phone_number: string | null
      address: NewAddress | null
      created_at: Date
      updated_at: Date
    }
    /** Events and entries of the audit log still tell of these. With the buyer's id, an erasure finds them. */
    deleted_shipping_details: { merchant_account_id: string; buyer_id: string; id: string }
  }
}

const details = accountRows('buyer_shipping_details', [
  'buyer_id',
  'first_name',
  'last_name',
  'email_address',
  'phone_number',
  'address',
])

/**
 * Shipping details are found by their buyer's id and their own. With another buyer's id they are not found.
 */
export type Key = { readonly buyer_id: string; readonly id: string }

export async function list({ db }: Context, reach: Reach, buyerId: string): Promise<ShippingDetails[]> {
  let query = details.select(db).where('buyer_id', '=', buyerId)
  if (reach !== 'all') query = query.where('merchant_account_id', 'in', reach)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map(toShippingDetails)
}

export async function find(scope: Scope, key: Key): Promise<ShippingDetails | undefined> {
  const row = await details.find(scope, key)
  return row && toShippingDetails(row)
}

export async function insert(
  scope: Scope<Tx>,
  buyerId: string,
  request: CreateShippingDetails,
): Promise<ShippingDetails> {
  return toShippingDetails(await details.insert(scope, { buyer_id: buyerId, ...request }))
}

/** Absent fields stay, null clears; the address is replaced as a whole. */
export async function update(
  scope: Scope<Tx>,
  key: Key,
  request: UpdateShippingDetails,
): Promise<ShippingDetails | undefined> {
  const before = await details.lock(scope, key)
  return before && toShippingDetails(await details.update(scope, before, request))
}

export async function remove(scope: Scope<Tx>, key: Key): Promise<ShippingDetails | undefined> {
  const row = await details.remove(scope, key)
  if (!row) return undefined
  await noteDeleted(scope, [row])
  return toShippingDetails(row)
}

/** Removes all of a buyer's, the oldest first. */
export async function removeAll(scope: Scope<Tx>, buyerId: string): Promise<ShippingDetails[]> {
  const rows = await details.removeAll(scope, { buyer_id: buyerId })
  await noteDeleted(scope, rows)
  return rows.map(toShippingDetails).sort((one, other) => (one.id < other.id ? -1 : 1))
}

async function noteDeleted({ db, merchantAccountId }: Scope<Tx>, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const deleted = rows.map(({ id, buyer_id }) => ({ merchant_account_id: merchantAccountId, buyer_id, id }))
  await db.insertInto('deleted_shipping_details').values(deleted).execute()
}

/** The ids of all that a buyer ever had, for its erasure. They are not known any more then. */
export async function takeDeleted({ db, merchantAccountId }: Scope<Tx>, buyerId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('deleted_shipping_details')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

type Row = Tables['buyer_shipping_details']

function toShippingDetails(row: Row): ShippingDetails {
  const { id, buyer_id, first_name, last_name, email_address, phone_number } = row
  const address = row.address && completeAddress(row.address)
  return {
    type: 'shipping-details',
    id,
    buyer_id,
    first_name,
    last_name,
    email_address,
    phone_number,
    address,
  }
}
