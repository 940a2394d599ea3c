import type { Selectable } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
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

const COLUMNS = [
  'id',
  'buyer_id',
  'first_name',
  'last_name',
  'email_address',
  'phone_number',
  'address',
] as const

/**
 * Shipping details are found by their buyer's id and their own. With another buyer's id they are not found.
 */
export type Key = { readonly buyerId: string; readonly id: string }

export async function list({ db }: Context, reach: Reach, buyerId: string): Promise<ShippingDetails[]> {
  let query = db.selectFrom('buyer_shipping_details').select(COLUMNS).where('buyer_id', '=', buyerId)
  if (reach !== 'all') query = query.where('merchant_account_id', 'in', reach)
  const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map(toShippingDetails)
}

export async function find(
  { db, merchantAccountId }: Scope,
  { buyerId, id }: Key,
): Promise<ShippingDetails | undefined> {
  const row = await db
    .selectFrom('buyer_shipping_details')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toShippingDetails(row)
}

export async function insert(
  scope: Scope<Tx>,
  buyerId: string,
  request: CreateShippingDetails,
): Promise<ShippingDetails> {
  const now = scope.clock()
  const row = await scope.db
    .insertInto('buyer_shipping_details')
    .values({
      id: newId(now.getTime()),
      merchant_account_id: scope.merchantAccountId,
      buyer_id: buyerId,
      ...request,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return toShippingDetails(row)
}

/** Absent fields stay, null clears; the address is replaced as a whole. */
export async function update(
  scope: Scope<Tx>,
  { buyerId, id }: Key,
  request: UpdateShippingDetails,
): Promise<ShippingDetails | undefined> {
  const row = await scope.db
    .updateTable('buyer_shipping_details')
    .set({ ...request, updated_at: nextUpdatedAt(scope.clock()) })
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row && toShippingDetails(row)
}

export async function remove(scope: Scope<Tx>, { buyerId, id }: Key): Promise<ShippingDetails | undefined> {
  const row = await scope.db
    .deleteFrom('buyer_shipping_details')
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) return undefined
  await noteDeleted(scope, [row])
  return toShippingDetails(row)
}

/** Removes all of a buyer's, the oldest first. */
export async function removeAll(scope: Scope<Tx>, buyerId: string): Promise<ShippingDetails[]> {
  const rows = await scope.db
    .deleteFrom('buyer_shipping_details')
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .returning(COLUMNS)
    .execute()
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

type Row = Pick<Selectable<Tables['buyer_shipping_details']>, (typeof COLUMNS)[number]>

function toShippingDetails({ address, ...row }: Row): ShippingDetails {
  return { type: 'shipping-details', ...row, address: address && completeAddress(address) }
}
