import type { Selectable } from 'kysely'
import type { ContactField } from '#domain/contact.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import type { STORE } from './schemas.ts'

/** What a session's order has no place for. */
type PageTerms = Pick<
  TransactionCreate,
  | 'buyer_id'
  | 'shipping_details_id'
  | 'connection_options'
  | 'statement_descriptor'
  | 'installment_count'
  | 'approval_expires_at'
>

declare module '#platform/database/db.ts' {
  interface Tables {
    checkout_pages: {
      session_id: string
      merchant_account_id: string
      locale: string | null
      return_url: string | null
      cancel_url: string | null
      external_identifier: string | null
      store: (typeof STORE)[number]
      ask_security_code: boolean
      allowed_origins: string[]
      required_fields: ContactField[]
      terms: PageTerms | null
      is_order_of_shop_page: boolean
      tries: number
      last_transaction_id: string | null
      last_attempt: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type StoredPage = Selectable<Tables['checkout_pages']>
const COLUMNS = [
  'session_id',
  'merchant_account_id',
  'locale',
  'return_url',
  'cancel_url',
  'external_identifier',
  'store',
  'ask_security_code',
  'allowed_origins',
  'required_fields',
  'terms',
  'is_order_of_shop_page',
  'tries',
  'last_transaction_id',
  'last_attempt',
  'created_at',
  'updated_at',
] as const

export type PageSettings = Partial<
  Pick<
    StoredPage,
    | 'locale'
    | 'return_url'
    | 'cancel_url'
    | 'external_identifier'
    | 'store'
    | 'ask_security_code'
    | 'allowed_origins'
    | 'required_fields'
    | 'terms'
    | 'is_order_of_shop_page'
  >
>

/** Makes the page of a session, or changes it. Absent fields stay. */
export function save(
  { db, clock, merchantAccountId }: Scope<Tx>,
  sessionId: string,
  settings: PageSettings,
): Promise<StoredPage> {
  const now = clock()
  const row = {
    store: 'never',
    ask_security_code: true,
    allowed_origins: [],
    required_fields: [],
    tries: 0,
    ...settings,
    session_id: sessionId,
    merchant_account_id: merchantAccountId,
    created_at: now,
    updated_at: now,
  } as const
  return db
    .insertInto('checkout_pages')
    .values(row as never)
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet({ ...settings, updated_at: now } as never),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** The merchant's server has a part in the order now: what it says stays. */
export async function takeFromShopPage(
  { db, merchantAccountId }: Scope<Tx>,
  sessionId: string,
): Promise<void> {
  await db
    .updateTable('checkout_pages')
    .set({ is_order_of_shop_page: false })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('session_id', '=', sessionId)
    .where('is_order_of_shop_page', '=', true)
    .execute()
}

export function find(scope: Scope, sessionId: string): Promise<StoredPage | undefined> {
  return own(scope, sessionId).executeTakeFirst()
}

/** Locks the row, so that payments of one page are counted in turn. */
export function lock(scope: Scope<Tx>, sessionId: string): Promise<StoredPage | undefined> {
  return own(scope, sessionId).forUpdate().executeTakeFirst()
}

type Try = { readonly transactionId: string; readonly attempt: string }

/** One more payment was tried. */
export async function noteTry(
  { db, clock }: Scope<Tx>,
  { session_id, tries }: StoredPage,
  { transactionId, attempt }: Try,
): Promise<void> {
  await db
    .updateTable('checkout_pages')
    .set({
      tries: tries + 1,
      last_transaction_id: transactionId,
      last_attempt: attempt,
      updated_at: clock(),
    })
    .where('session_id', '=', session_id)
    .execute()
}

function own({ db, merchantAccountId }: Scope, sessionId: string) {
  return db
    .selectFrom('checkout_pages')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('session_id', '=', sessionId)
}
