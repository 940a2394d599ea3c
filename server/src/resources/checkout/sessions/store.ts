import { type Selectable, sql } from 'kysely'
import type { CardType } from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { nextUpdatedAt } from '#platform/database/sql.ts'
import { FREE, lockDue } from '#platform/queue/queue.ts'
import type { CardFields } from '#resources/payment-methods/store.ts'
import type {
  Intent,
  NewAirline,
  NewCartItem,
  NewGuestBuyer,
  PaymentSource,
} from '#resources/transactions/wire/order.ts'
import type { CreateCheckoutSession, EnterClickToPay } from './schemas.ts'

const COLUMNS = [
  'id',
  'merchant_account_id',
  'cart_items',
  'metadata',
  'buyer',
  'airline',
  'amount',
  'currency',
  'country',
  'payment_service_id',
  'intent',
  'payment_source',
  'merchant_initiated',
  'is_subsequent_payment',
  'expires_at',
  'method',
  'payment_method_id',
  'number_token',
  'security_code_token',
  'security_code_expires_at',
  'label',
  'scheme',
  'additional_schemes',
  'expiration_date',
  'fingerprint',
  'bin',
  'card_type',
  'card_issuer_name',
  'card_country',
  'click_to_pay',
  'postal_code',
  'transaction_id',
  'created_at',
  'updated_at',
] as const

/** A session as it is stored. Its vault tokens never leave the server. */
export type StoredSession = Pick<Selectable<Tables['checkout_sessions']>, (typeof COLUMNS)[number]>

/** The order, as the merchant's server described it. */
export type Order = Omit<CreateCheckoutSession, 'expires_in'>

/** How the buyer pays. Numbers are already in the vault. */
export type Entered =
  | { readonly method: 'card'; readonly card: CardFields }
  | { readonly method: 'id'; readonly paymentMethodId: string }
  | { readonly method: 'click-to-pay'; readonly payload: EnterClickToPay }

export type SealedCode = { readonly token: string; readonly expiresAt: Date }

/** The vault tokens of a session. */
type Tokens = readonly string[]

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  order: Order,
  expiresAt: Date,
): Promise<StoredSession> {
  const now = clock()
  return db
    .insertInto('checkout_sessions')
    .values({
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      ...orderColumns(order),
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    } as never)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** A session that has not expired. Others are not found. */
export async function find(scope: Scope, id: string): Promise<StoredSession | undefined> {
  return own(scope, id).where('expires_at', '>', scope.clock()).executeTakeFirst()
}

/** For the buyer's browser, which knows only the id. The session tells its merchant account. */
export async function findForBrowser({ db, clock }: Context, id: string): Promise<StoredSession | undefined> {
  return select(db).where('id', '=', id).where('expires_at', '>', clock()).executeTakeFirst()
}

/** For the page of the session, which tells the buyer that it has expired. */
export async function findEvenExpired(scope: Scope, id: string): Promise<StoredSession | undefined> {
  return own(scope, id).executeTakeFirst()
}

/** Locks the row, so that changes of one session are applied in turn. */
export async function lock(scope: Scope<Tx>, id: string): Promise<StoredSession | undefined> {
  return own(scope, id).where('expires_at', '>', scope.clock()).forUpdate().executeTakeFirst()
}

/** Absent fields stay, null clears. Cart, buyer, metadata and airline are replaced as a whole. */
export async function update(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  order: Order,
  expiresAt: Date | undefined,
): Promise<StoredSession> {
  return db
    .updateTable('checkout_sessions')
    .set({
      ...orderColumns(order),
      ...(expiresAt && { expires_at: expiresAt }),
      updated_at: nextUpdatedAt(clock()),
    })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Replaces what was entered before. An absent postal code stays; null clears it. */
export async function enter(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  entered: Entered,
  { code, postalCode }: { readonly code: SealedCode | null; readonly postalCode: string | null | undefined },
): Promise<void> {
  await db
    .updateTable('checkout_sessions')
    .set({
      ...NOTHING_ENTERED,
      ...enteredColumns(entered),
      security_code_token: code?.token ?? null,
      security_code_expires_at: code?.expiresAt ?? null,
      ...(postalCode !== undefined && { postal_code: postalCode }),
      updated_at: nextUpdatedAt(clock()),
    } as never)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/**
 * A session that can be paid. A security code near the end of its time is left out: it may be gone when
 * needed.
 */
export async function findForPayment(scope: Scope, id: string): Promise<StoredSession | undefined> {
  const session = await find(scope, id)
  return session && withoutStaleCode(session, scope.clock())
}

/** Locks the row of a session, even if it has expired since: a payment that began in time may finish. */
export async function lockForPayment(scope: Scope<Tx>, id: string): Promise<StoredSession | undefined> {
  const session = await own(scope, id).forUpdate().executeTakeFirst()
  return session && withoutStaleCode(session, scope.clock())
}

/** Claims the session for a payment. Returns false if there is another payment, under way or done. */
export async function claim(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  transactionId: string,
): Promise<boolean> {
  const claimed = await db
    .updateTable('checkout_sessions')
    .set({ transaction_id: transactionId, updated_at: nextUpdatedAt(clock()) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('transaction_id', 'is', null), eb('transaction_id', '=', transactionId)]))
    .executeTakeFirst()
  return claimed.numUpdatedRows === 1n
}

/** The payment failed: the session can be filled in again, and paid by another payment. */
export async function release({ db, clock, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  await db
    .updateTable('checkout_sessions')
    .set({ transaction_id: null, updated_at: nextUpdatedAt(clock()) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** Removes the security code from the row. The caller removes it from the vault. */
export async function takeCode(scope: Scope<Tx>, id: string): Promise<Tokens> {
  const before = await own(scope, id).forUpdate().executeTakeFirst()
  if (!before?.security_code_token) return []
  await scope.db
    .updateTable('checkout_sessions')
    .set({
      security_code_token: null,
      security_code_expires_at: null,
      updated_at: nextUpdatedAt(scope.clock()),
    })
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', id)
    .execute()
  return [before.security_code_token]
}

/** Removes everything that was entered from the row. The caller removes the sealed values from the vault. */
export async function takeEntered(scope: Scope<Tx>, id: string): Promise<Tokens> {
  const before = await own(scope, id).forUpdate().executeTakeFirst()
  if (!before?.method) return []
  await scope.db
    .updateTable('checkout_sessions')
    .set({ ...NOTHING_ENTERED, postal_code: null, updated_at: nextUpdatedAt(scope.clock()) })
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', id)
    .execute()
  return tokensOf(before)
}

/** Takes out whom the session is about. What was entered goes with `takeEntered`. */
export async function forgetBuyer({ db, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  await db
    .updateTable('checkout_sessions')
    .set({ buyer: null, metadata: null, airline: null, cart_items: null, postal_code: null })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

export function tokensOf({ number_token, security_code_token }: StoredSession): Tokens {
  return [number_token ?? [], security_code_token ?? []].flat()
}

export async function remove({ db, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  await db
    .deleteFrom('checkout_sessions')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** Expires the session now. */
export async function expire({ db, clock, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  const now = clock()
  await db
    .updateTable('checkout_sessions')
    .set({ expires_at: now, updated_at: nextUpdatedAt(now) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

type Due = { readonly id: string; readonly merchant_account_id: string }

const SESSIONS = { table: 'checkout_sessions', columns: ['id', 'merchant_account_id'] } as const

/** Sessions whose security code is due for removal. Other processes skip sessions that this one holds. */
export function lockWithStaleCode(tx: Context<Tx>, limit: number): Promise<Due[]> {
  const open = sql`security_code_token is not null`
  return lockDue<Due>(tx, { ...SESSIONS, open, due: 'security_code_expires_at' }, { limit })
}

/** Expired sessions that still hold a method. A session that is being paid keeps it for a while longer. */
export function lockExpired(
  tx: Context<Tx>,
  { limit, paymentMs }: { readonly limit: number; readonly paymentMs: number },
): Promise<Due[]> {
  const open = sql`method is not null`
  const paidUntil = new Date(tx.clock().getTime() - paymentMs)
  const where = sql`(transaction_id is null or expires_at <= ${paidUntil})`
  return lockDue<Due>(tx, { ...SESSIONS, open, due: 'expires_at' }, { limit, where })
}

/** Deletes rows of sessions that expired before `then` and hold nothing any more. Returns their number. */
export async function removeExpired({ db }: Context<Tx>, then: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from checkout_sessions where id in (
      select id from checkout_sessions
      where expires_at <= ${then} and method is null order by expires_at limit ${limit} ${FREE}
    )
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

function select(db: Db) {
  return db.selectFrom('checkout_sessions').select(COLUMNS)
}

function own({ db, merchantAccountId }: Scope, id: string) {
  return select(db).where('merchant_account_id', '=', merchantAccountId).where('id', '=', id)
}

/** Longer than two providers in a row may take. */
const CODE_NEEDED_MS = 60_000

function withoutStaleCode(session: StoredSession, now: Date): StoredSession {
  const { security_code_expires_at: end } = session
  if (end === null || end.getTime() - now.getTime() > CODE_NEEDED_MS) return session
  return { ...session, security_code_token: null, security_code_expires_at: null }
}

/**
 * Only fields that the request names. Lists must be written as JSON here: the driver would turn them into SQL
 * arrays.
 */
function orderColumns({ cart_items, ...rest }: Order) {
  return {
    ...rest,
    ...(cart_items !== undefined && { cart_items: cart_items && JSON.stringify(cart_items) }),
  } as object
}

const NOTHING_ENTERED = {
  method: null,
  payment_method_id: null,
  number_token: null,
  security_code_token: null,
  security_code_expires_at: null,
  label: null,
  scheme: null,
  additional_schemes: null,
  expiration_date: null,
  fingerprint: null,
  bin: null,
  card_type: null,
  card_issuer_name: null,
  card_country: null,
  click_to_pay: null,
} as const

function enteredColumns(entered: Entered) {
  const { method } = entered
  if (method === 'id') return { method, payment_method_id: entered.paymentMethodId }
  if (method === 'click-to-pay') return { method, click_to_pay: entered.payload }
  const { card } = entered
  return {
    method,
    number_token: card.vaultToken,
    label: card.label,
    scheme: card.scheme,
    additional_schemes: card.additionalSchemes.length > 0 ? [...card.additionalSchemes] : null,
    expiration_date: card.expirationDate,
    fingerprint: card.fingerprint,
    bin: card.bin,
    card_type: card.cardType,
    card_issuer_name: card.issuer,
    card_country: card.country,
  }
}

declare module '#platform/database/db.ts' {
  interface Tables {
    checkout_sessions: {
      id: string
      merchant_account_id: string
      cart_items: NewCartItem[] | null
      metadata: Record<string, string> | null
      buyer: NewGuestBuyer | null
      airline: NewAirline | null
      amount: number | null
      currency: string | null
      country: string | null
      payment_service_id: string | null
      intent: Intent | null
      payment_source: PaymentSource | null
      merchant_initiated: boolean | null
      is_subsequent_payment: boolean | null
      expires_at: Date
      method: 'card' | 'id' | 'click-to-pay' | null
      payment_method_id: string | null
      number_token: string | null
      security_code_token: string | null
      security_code_expires_at: Date | null
      label: string | null
      scheme: CardScheme | null
      additional_schemes: CardScheme[] | null
      expiration_date: string | null
      fingerprint: string | null
      bin: string | null
      card_type: CardType | null
      card_issuer_name: string | null
      card_country: string | null
      click_to_pay: EnterClickToPay | null
      postal_code: string | null
      transaction_id: string | null
      created_at: Date
      updated_at: Date
    }
  }
}
