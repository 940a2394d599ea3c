import { type Db, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { CardFields } from '#resources/payment-methods/store.ts'
import { Masked, type Vault } from '#vault'

declare module '#platform/database/db.ts' {
  interface Tables {
    transaction_cards: {
      merchant_account_id: string
      transaction_id: string
      number_token: string | null
      security_code_token: string | null
      card: CardFields | null
      store: Keep | null
    }
  }
}

/** The id, the buyer and the reference that the card gets once the payment is approved. */
export type Keep = {
  /** The number was sealed for it. */
  readonly id?: string | undefined
  readonly buyerId: string | null
  readonly externalIdentifier: string | null
}

/** For a stored card, only the security code is held. */
export type HeldCard = {
  readonly transaction_id: string
  readonly number_token: string | null
  readonly security_code_token: string | null
  readonly card: CardFields | null
  readonly store: Keep | null
}

export async function insert({ db, merchantAccountId }: Scope<Tx>, held: HeldCard): Promise<void> {
  await db
    .insertInto('transaction_cards')
    .values({
      ...held,
      merchant_account_id: merchantAccountId,
      card: held.card && JSON.stringify(held.card),
      store: held.store && JSON.stringify(held.store),
    } as never)
    .execute()
}

export async function find(
  { db, merchantAccountId }: Scope,
  transactionId: string,
): Promise<HeldCard | undefined> {
  return db
    .selectFrom('transaction_cards')
    .select(['transaction_id', 'number_token', 'security_code_token', 'card', 'store'])
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
}

/** Adds the code to a card that is held without it. */
export async function addCode(
  { db, merchantAccountId }: Scope<Tx>,
  transactionId: string,
  token: string,
): Promise<void> {
  await db
    .updateTable('transaction_cards')
    .set({ security_code_token: token })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .execute()
}

/** The security code is used once. The caller removes it from the vault. */
export async function dropCode({ db, merchantAccountId }: Scope<Tx>, transactionId: string): Promise<void> {
  await db
    .updateTable('transaction_cards')
    .set({ security_code_token: null })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('number_token', 'is not', null)
    .execute()
  await db
    .deleteFrom('transaction_cards')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .where('number_token', 'is', null)
    .execute()
}

export async function remove({ db, merchantAccountId }: Scope<Tx>, transactionId: string): Promise<void> {
  await db
    .deleteFrom('transaction_cards')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .execute()
}

const PURPOSE = 'payment'

type Item = {
  readonly type: string
  readonly id: string
  readonly token: string | null
  /** The fingerprint that the value must have, if it is on record. */
  readonly fingerprint?: string | null
  /** The payment method that a card is to become, for which it was sealed. */
  readonly owner?: string | undefined
  /** For the audit log. */
  readonly purpose?: string
}

/**
 * Opens a value that the vault holds for a session or a payment. The audit log records this before the value
 * is read.
 */
export function withItem<Result>(
  scope: Scope,
  vault: Vault,
  { type, id, token, fingerprint = null, owner, purpose = PURPOSE }: Item,
  work: (value: Masked | null) => Promise<Result>,
): Promise<Result> {
  if (token === null) return work(null)
  const { merchantAccountId } = scope
  const record = (tx: Scope<Tx>) => auditLogs.record(tx, 'revealed', { type, id, name: purpose })
  const { db } = scope
  const onReveal = () => (isTransaction(db) ? record({ ...scope, db }) : inTransaction(scope, record))
  return vault.reveal(scope.db, { merchantAccountId, token, fingerprint, owner, purpose, onReveal }, work)
}

function isTransaction(db: Db): db is Tx {
  return db.isTransaction
}

/** Copies such a value, for the length of a request. */
export function copyItem(scope: Scope, vault: Vault, item: Item): Promise<Masked | null> {
  return withItem(scope, vault, item, async (value) => value?.use((bytes) => new Masked(bytes)) ?? null)
}
