import { type SelectQueryBuilder, sql } from 'kysely'
import type { BankScheme } from '#domain/bank-account.ts'
import type { CardType } from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/db.ts'
import { earliest } from '#platform/earliest.ts'
import { later } from '#platform/later.ts'
import type { PaymentMethodSummary, Status } from './schemas.ts'
import * as uses from './uses/store.ts'

declare module '#platform/db.ts' {
  interface Tables {
    payment_methods: {
      id: string
      merchant_account_id: string
      method: string
      mode: PaymentMethodSummary['mode']
      status: Status
      buyer_id: string | null
      external_identifier: string | null
      label: string | null
      country: string | null
      currency: string | null
      approval_url: string | null
      approval_target: PaymentMethodSummary['approval_target']
      scheme: CardScheme | null
      additional_schemes: CardScheme[] | null
      expiration_date: string | null
      expires_on: string | null
      /** Of the number in the vault, if a network token's service has told of a newer card. See `numberDate`. */
      number_label: string | null
      number_expiration_date: string | null
      fingerprint: string | null
      bin: string | null
      card_type: CardType | null
      card_issuer_name: string | null
      card_country: string | null
      bank_scheme: BankScheme | null
      payment_service_id: string | null
      vault_token: string | null
      replacement: Replacement | null
      last_replaced_at: Date | null
      scheme_transaction_id: string | null
      scheme_transaction_id_scheme: CardScheme | null
      transaction_link_id: string | null
      payment_account_reference: string | null
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
  'payment_methods.id',
  'payment_methods.merchant_account_id',
  'method',
  'mode',
  'status',
  'buyer_id',
  'payment_methods.external_identifier',
  'label',
  'country',
  'currency',
  'approval_url',
  'approval_target',
  'scheme',
  'additional_schemes',
  'expiration_date',
  'fingerprint',
  'bin',
  'card_type',
  'card_issuer_name',
  'card_country',
  'bank_scheme',
  'payment_methods.payment_service_id',
  'vault_token',
  'replacement',
  'last_replaced_at',
  'scheme_transaction_id',
  'scheme_transaction_id_scheme',
  'transaction_link_id',
  'payment_account_reference',
  'number_label',
  'number_expiration_date',
  'usage_count',
  'last_used_at',
  'cit_usage_count',
  'cit_last_used_at',
  'payment_methods.created_at',
  'payment_methods.updated_at',
] as const

/** A live payment method as it is stored. Its vault tokens never leave the server. */
export type StoredMethod =
  Awaited<ReturnType<typeof select>> extends SelectQueryBuilder<infer _D, infer _T, infer Output>
    ? Output
    : never

/** The methods of payment services that can take it. */
export function serviceMethodsOf({
  method,
  bank_scheme,
}: Pick<StoredMethod, 'method' | 'bank_scheme'>): readonly string[] {
  return bank_scheme === null ? [method] : [bank_scheme, method]
}

export type CardFields = {
  readonly label: string
  readonly scheme: CardScheme
  readonly additionalSchemes: readonly CardScheme[]
  readonly expirationDate: string
  readonly expiresOn: string
  readonly fingerprint: string
  readonly bin: string
  readonly cardType: CardType | null
  readonly issuer: string | null
  readonly country: string | null
  readonly vaultToken: string
}

/** New details of a card. Without a new number, only the date has changed. */
export type Replacement = {
  readonly expirationDate: string
  readonly expiresOn: string
  readonly card: CardFields | null
}

export function insertCard(scope: Scope<Tx>, card: CardFields, owner: Owner): Promise<StoredMethod> {
  return inserted(insertion(scope, cardColumns(card), owner))
}

/** A method that its provider keeps. It waits for the provider's token. */
export function insertRedirect(
  scope: Scope<Tx>,
  method: { readonly method: string; readonly country: string; readonly currency: string },
  owner: Owner,
): Promise<StoredMethod> {
  const waiting = { mode: 'redirect', status: 'processing', approval_target: 'any' } as const
  return inserted(insertion(scope, { ...method, ...waiting }, owner))
}

export type BankFields = Pick<
  StoredMethod,
  'method' | 'label' | 'currency' | 'fingerprint' | 'bank_scheme' | 'payment_service_id' | 'vault_token'
>

export function insertBank(scope: Scope<Tx>, bank: BankFields, owner: Owner): Promise<StoredMethod> {
  return inserted(insertion(scope, { ...bank, mode: 'bank' }, owner))
}

/**
 * If another request has just taken the reference, the card is stored without it: that must not undo a
 * payment.
 */
export async function insertPaidCard(scope: Scope<Tx>, card: CardFields, owner: Owner): Promise<string> {
  const row = await insertion(scope, cardColumns(card), owner)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? (await insertCard(scope, card, { ...owner, externalIdentifier: null })).id
}

type Owner = { readonly buyerId: string | null; readonly externalIdentifier: string | null }

async function inserted(made: ReturnType<typeof insertion>): Promise<StoredMethod> {
  const row = await made.returning(COLUMNS).executeTakeFirstOrThrow()
  return { ...row, pending: { count: 0, cit_count: 0, last_used_at: null, cit_last_used_at: null } }
}

/** A card, unless `columns` say otherwise. */
function insertion(
  { db, clock, merchantAccountId }: Scope<Tx>,
  columns: Partial<Tables['payment_methods']>,
  owner: Owner,
) {
  const now = clock()
  return db.insertInto('payment_methods').values({
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    method: 'card',
    mode: 'card',
    status: 'succeeded',
    buyer_id: owner.buyerId,
    external_identifier: owner.externalIdentifier,
    ...columns,
    usage_count: 0,
    cit_usage_count: 0,
    created_at: now,
    updated_at: now,
  } as never)
}

export async function find({ db, merchantAccountId }: Scope, id: string): Promise<StoredMethod | undefined> {
  return select(db)
    .where('payment_methods.merchant_account_id', '=', merchantAccountId)
    .where('payment_methods.id', '=', id)
    .executeTakeFirst()
}

/** Locks the row, so that changes of one method are applied in turn. */
export async function lock(
  { db, merchantAccountId }: Scope<Tx>,
  id: string,
): Promise<StoredMethod | undefined> {
  return select(db)
    .where('payment_methods.merchant_account_id', '=', merchantAccountId)
    .where('payment_methods.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function findByExternalIdentifier(
  { db, merchantAccountId }: Scope,
  externalIdentifier: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_methods')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('external_identifier', '=', externalIdentifier)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export function listOfBuyer({ db, merchantAccountId }: Scope, buyerId: string): Promise<StoredMethod[]> {
  return select(db)
    .where('payment_methods.merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .orderBy('payment_methods.created_at', 'desc')
    .orderBy('payment_methods.id', 'desc')
    .execute()
}

/** The live methods of this account among the given ids. */
export function findMany({ db, merchantAccountId }: Scope, ids: readonly string[]): Promise<StoredMethod[]> {
  return select(db)
    .where('payment_methods.merchant_account_id', '=', merchantAccountId)
    .where('payment_methods.id', 'in', ids)
    .execute()
}

export type Changes = {
  readonly expiration_date?: string
  readonly expires_on?: string
  readonly scheme_transaction_id?: string | null
  readonly scheme_transaction_id_scheme?: CardScheme | null
  readonly transaction_link_id?: string | null
  readonly payment_account_reference?: string
  readonly label?: string | null
  readonly number_label?: string | null
  readonly number_expiration_date?: string | null
  readonly last_replaced_at?: Date
}

export async function update(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  changes: Changes,
): Promise<void> {
  await db
    .updateTable('payment_methods')
    .set({ ...changes, updated_at: later(clock()) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** New details from the account updater, which wait until they are due. */
export async function holdReplacement(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  replacement: Replacement,
): Promise<void> {
  await db
    .updateTable('payment_methods')
    .set({ replacement: JSON.stringify(replacement) as never, updated_at: later(clock()) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

export async function applyReplacement(
  { db, clock, merchantAccountId }: Scope<Tx>,
  id: string,
  { expirationDate, expiresOn, card }: Replacement,
): Promise<void> {
  const now = clock()
  await db
    .updateTable('payment_methods')
    .set({
      // The updater knows the number in the vault, whatever a token has told of a newer card.
      ...(card ? cardColumns(card) : { label: sql<string>`coalesce(number_label, label)` }),
      number_label: null,
      number_expiration_date: null,
      expiration_date: expirationDate,
      expires_on: expiresOn,
      replacement: null,
      last_replaced_at: now,
      updated_at: later(now),
    })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

type StatusChange = Pick<StoredMethod, 'status' | 'approval_url'> & {
  /** Null: it stays as it is. */
  readonly label: string | null
}

/** Undefined if the method was deleted. */
export async function changeStatus(
  scope: Scope<Tx>,
  id: string,
  { label, ...change }: StatusChange,
): Promise<StoredMethod | undefined> {
  await scope.db
    .updateTable('payment_methods')
    .set({ ...change, ...(label !== null && { label }), updated_at: later(scope.clock()) })
    .where('merchant_account_id', '=', scope.merchantAccountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return find(scope, id)
}

/** The row stays for the books, without the vault tokens. */
export async function markDeleted({ db, clock, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  const now = clock()
  await db
    .updateTable('payment_methods')
    .set({ vault_token: null, replacement: null, deleted_at: now, updated_at: later(now) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** Cards that have expired and have waiting details. */
export function expiredWithReplacement({ db }: Context, today: string, limit: number) {
  return db
    .selectFrom('payment_methods')
    .select(['id', 'merchant_account_id'])
    .where('replacement', 'is not', null)
    .where('expires_on', '<=', today)
    .orderBy('expires_on')
    .limit(limit)
    .execute()
}

/** The first day on which a card with a replacement counts as expired. */
export function nextExpiryWithReplacement(context: Context): Promise<Date | null> {
  return earliest(
    context,
    sql`select min(expires_on)::timestamp at time zone 'UTC' as at from payment_methods where replacement is not null`,
  )
}

export async function addUses({ db }: Context<Tx>, sum: uses.Sum): Promise<void> {
  await db
    .updateTable('payment_methods')
    .set((eb) => ({
      usage_count: eb('usage_count', '+', sum.count),
      cit_usage_count: eb('cit_usage_count', '+', sum.cit_count),
      last_used_at: eb.fn<Date>('greatest', ['last_used_at', eb.val(sum.last_used_at)]),
      cit_last_used_at: eb.fn<Date | null>('greatest', ['cit_last_used_at', eb.val(sum.cit_last_used_at)]),
    }))
    .where('id', '=', sum.subject_id)
    .execute()
}

/**
 * Adds the uses that are not yet summed up, in one statement. Between two statements they could be in
 * neither.
 */
export function select(db: Db) {
  return db
    .selectFrom('payment_methods')
    .select(COLUMNS)
    .select(uses.pendingOf('payment_methods.id').as('pending'))
    .where('deleted_at', 'is', null)
}

function cardColumns(card: CardFields) {
  return {
    label: card.label,
    scheme: card.scheme,
    additional_schemes: card.additionalSchemes.length > 0 ? [...card.additionalSchemes] : null,
    expiration_date: card.expirationDate,
    expires_on: card.expiresOn,
    fingerprint: card.fingerprint,
    bin: card.bin,
    card_type: card.cardType,
    card_issuer_name: card.issuer,
    card_country: card.country,
    vault_token: card.vaultToken,
  }
}
