import { type SelectQueryBuilder, sql } from 'kysely'
import type { CardScheme } from '#domain/card-scheme.ts'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest, nextUpdatedAt } from '#platform/database/sql.ts'
import { insertColumns } from '#platform/database/statements.ts'
import { type CardFields, COLUMNS, type Replacement } from './columns.ts'
import * as uses from './uses/store.ts'

export type { CardFields, Replacement }

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

/** A payment method as it comes from elsewhere, with what is known of its uses there. */
export type BroughtMethod = Pick<
  Tables['payment_methods'],
  | 'id'
  | 'method'
  | 'mode'
  | 'buyer_id'
  | 'external_identifier'
  | 'label'
  | 'country'
  | 'currency'
  | 'scheme'
  | 'additional_schemes'
  | 'expiration_date'
  | 'expires_on'
  | 'fingerprint'
  | 'bin'
  | 'card_type'
  | 'card_issuer_name'
  | 'card_country'
  | 'bank_scheme'
  | 'vault_token'
  | 'scheme_transaction_id'
  | 'last_used_at'
  | 'cit_last_used_at'
>

/** Inserts hundreds of payment methods of an account in one statement. */
export async function insertAll(scope: Scope<Tx>, rows: readonly BroughtMethod[]): Promise<void> {
  // An array of arrays has no form in which they could differ in length.
  const several = rows.filter((row) => row.additional_schemes !== null)
  for (const row of several) {
    const owner = { id: row.id, buyerId: row.buyer_id, externalIdentifier: row.external_identifier }
    await insertion(scope, { ...row, scheme_transaction_id_scheme: schemeOfId(row) }, owner).execute()
  }
  const most = rows.filter((row) => row.additional_schemes === null)
  if (most.length === 0) return
  const now = scope.clock()
  const column = <Name extends keyof BroughtMethod>(name: Name) => most.map((row) => row[name])
  await insertColumns('payment_methods', {
    same: {
      merchant_account_id: ['text', scope.merchantAccountId],
      status: ['text', 'succeeded'],
      created_at: ['timestamptz', now],
      updated_at: ['timestamptz', now],
    },
    each: {
      id: ['uuid', column('id')],
      method: ['text', column('method')],
      mode: ['text', column('mode')],
      buyer_id: ['uuid', column('buyer_id')],
      external_identifier: ['text', column('external_identifier')],
      label: ['text', column('label')],
      country: ['text', column('country')],
      currency: ['text', column('currency')],
      scheme: ['text', column('scheme')],
      expiration_date: ['text', column('expiration_date')],
      expires_on: ['date', column('expires_on')],
      fingerprint: ['text', column('fingerprint')],
      bin: ['text', column('bin')],
      card_type: ['text', column('card_type')],
      card_issuer_name: ['text', column('card_issuer_name')],
      card_country: ['text', column('card_country')],
      bank_scheme: ['text', column('bank_scheme')],
      vault_token: ['uuid', column('vault_token')],
      scheme_transaction_id: ['text', column('scheme_transaction_id')],
      scheme_transaction_id_scheme: ['text', most.map(schemeOfId)],
      last_used_at: ['timestamptz', column('last_used_at')],
      cit_last_used_at: ['timestamptz', column('cit_last_used_at')],
    },
  }).execute(scope.db)
}

function schemeOfId({ scheme_transaction_id, scheme }: BroughtMethod): CardScheme | null {
  return scheme_transaction_id === null ? null : scheme
}

type Owner = {
  readonly buyerId: string | null
  readonly externalIdentifier: string | null
  /** Of the new payment method, if its number was sealed for it. */
  readonly id?: string | undefined
}

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
    id: owner.id ?? newId(now.getTime()),
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
    .set({ ...changes, updated_at: nextUpdatedAt(clock()) })
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
    .set({ replacement: JSON.stringify(replacement) as never, updated_at: nextUpdatedAt(clock()) })
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
      updated_at: nextUpdatedAt(now),
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
    .set({ ...change, ...(label !== null && { label }), updated_at: nextUpdatedAt(scope.clock()) })
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
    .set({ vault_token: null, replacement: null, deleted_at: now, updated_at: nextUpdatedAt(now) })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** The ids of all methods that a buyer has or had. */
export async function allIdsOfBuyer({ db, merchantAccountId }: Scope, buyerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_methods')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Of a deleted method, only what the books need stays: its kind, scheme and countries. */
export async function forgetBuyer({ db, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  await db
    .updateTable('payment_methods')
    .set({
      buyer_id: null,
      external_identifier: null,
      label: null,
      number_label: null,
      approval_url: null,
      fingerprint: null,
      bin: null,
      scheme_transaction_id: null,
      transaction_link_id: null,
      payment_account_reference: null,
    })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
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
