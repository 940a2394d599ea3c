import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { GiftCardFilters } from './schemas.ts'
import * as uses from './uses/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    gift_cards: {
      id: string
      merchant_account_id: string
      gift_card_service_id: string
      buyer_id: string | null
      bin: string
      sub_bin: string
      last4: string
      fingerprint: string
      number_token: string | null
      pin_token: string | null
      expires_at: Date | null
      usage_count: number
      last_used_at: Date | null
      cit_usage_count: number
      cit_last_used_at: Date | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
    }
  }
}

const COLUMNS = [
  'gift_cards.id',
  'gift_cards.merchant_account_id',
  'gift_card_service_id',
  'buyer_id',
  'bin',
  'sub_bin',
  'last4',
  'fingerprint',
  'number_token',
  'pin_token',
  'expires_at',
  'usage_count',
  'last_used_at',
  'cit_usage_count',
  'cit_last_used_at',
  'gift_cards.created_at',
  'gift_cards.updated_at',
] as const

/** A live gift card as it is stored. Its vault tokens never leave the server. */
export type StoredGiftCard = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

export type CardFields = Pick<
  StoredGiftCard,
  'gift_card_service_id' | 'buyer_id' | 'bin' | 'sub_bin' | 'last4' | 'fingerprint' | 'expires_at'
> & { readonly number_token: string; readonly pin_token: string }

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  card: CardFields,
): Promise<StoredGiftCard> {
  const now = clock()
  const row = await db
    .insertInto('gift_cards')
    .values({
      ...card,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      usage_count: 0,
      last_used_at: null,
      cit_usage_count: 0,
      cit_last_used_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return { ...row, pending: { count: 0, cit_count: 0, last_used_at: null, cit_last_used_at: null } }
}

export function find(scope: Scope, id: string): Promise<StoredGiftCard | undefined> {
  return own(scope).where('gift_cards.id', '=', id).executeTakeFirst()
}

/** Locks the row, so that a card is deleted once. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredGiftCard | undefined> {
  return own(scope).where('gift_cards.id', '=', id).forUpdate().executeTakeFirst()
}

/** The live cards of this account among the given ids, by id. */
export async function findMany(
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredGiftCard>> {
  if (ids.length === 0) return new Map()
  const rows = await own(scope)
    .where('gift_cards.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The buyer's stored card with the same number, if there is one. */
export function findTwin(
  scope: Scope,
  { buyerId, fingerprint }: { readonly buyerId: string; readonly fingerprint: string },
): Promise<StoredGiftCard | undefined> {
  return own(scope).where('buyer_id', '=', buyerId).where('fingerprint', '=', fingerprint).executeTakeFirst()
}

export function listOfBuyer(scope: Scope, buyerId: string): Promise<StoredGiftCard[]> {
  return own(scope)
    .where('buyer_id', '=', buyerId)
    .orderBy('gift_cards.created_at', 'desc')
    .orderBy('gift_cards.id', 'desc')
    .execute()
}

export function list(
  { db, mac }: Context,
  reach: Reach,
  filters: GiftCardFilters,
): Promise<Collection<StoredGiftCard>> {
  let query = select(db)
  if (filters.buyer_id !== undefined) query = query.where('buyer_id', '=', filters.buyer_id)
  if (filters.buyer_external_identifier !== undefined) {
    const { buyer_external_identifier } = filters
    query = query.where('buyer_id', 'in', (eb) => {
      const buyers = eb
        .selectFrom('buyers')
        .select('buyers.id')
        .where('buyers.external_identifier', '=', buyer_external_identifier)
      return reach === 'all' ? buyers : buyers.where('buyers.merchant_account_id', 'in', reach)
    })
  }
  const list = { name: 'gift-cards', page: filters, mac, query, table: 'gift_cards' } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

/** The row stays for the books, without the vault tokens. */
export async function markDeleted({ db, clock, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  const now = clock()
  await db
    .updateTable('gift_cards')
    .set({ number_token: null, pin_token: null, deleted_at: now, updated_at: nextUpdatedAt(now) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** The ids of all cards that a buyer has or had. */
export async function allIdsOfBuyer({ db, merchantAccountId }: Scope, buyerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('gift_cards')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A deleted card stays for the books, and cannot be recognised by its number any more. */
export async function forgetBuyer({ db, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  await db
    .updateTable('gift_cards')
    .set({ buyer_id: null, fingerprint: 'erased' })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .execute()
}

function own({ db, merchantAccountId }: Scope) {
  return select(db).where('gift_cards.merchant_account_id', '=', merchantAccountId)
}

/**
 * Adds the uses that are not yet summed up, in one statement. Between two statements they could be in
 * neither.
 */
function select(db: Db) {
  return db
    .selectFrom('gift_cards')
    .select(COLUMNS)
    .select(uses.pendingOf('gift_cards.id').as('pending'))
    .where('deleted_at', 'is', null)
}
