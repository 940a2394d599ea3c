import { type Selectable, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { KeyPurpose } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    digital_wallet_keys: {
      id: string
      merchant_account_id: string
      digital_wallet_id: string
      purpose: KeyPurpose
      public_key: string
      public_key_hash: string
      private_key_token: string
      certificate_signing_request: string | null
      certificate: string | null
      serial_number: string | null
      merchant_identifier: string | null
      expires_at: Date | null
      recipient_id: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'digital_wallet_id',
  'purpose',
  'public_key',
  'public_key_hash',
  'private_key_token',
  'certificate_signing_request',
  'certificate',
  'serial_number',
  'merchant_identifier',
  'expires_at',
  'recipient_id',
  'created_at',
  'updated_at',
] as const

/** A key as it is stored. The token of its private half never leaves the server. */
export type StoredKey = Pick<Selectable<Tables['digital_wallet_keys']>, (typeof COLUMNS)[number]>
export type NewKey = Omit<StoredKey, 'id' | 'merchant_account_id' | 'created_at' | 'updated_at'>
export type Certified = Pick<
  StoredKey,
  'certificate' | 'serial_number' | 'merchant_identifier' | 'expires_at'
>

export function insert({ db, clock, merchantAccountId }: Scope<Tx>, key: NewKey): Promise<StoredKey> {
  const now = clock()
  return db
    .insertInto('digital_wallet_keys')
    .values({
      ...key,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function certify(
  { db, clock }: Scope<Tx>,
  before: StoredKey,
  certified: Certified,
): Promise<StoredKey> {
  return db
    .updateTable('digital_wallet_keys')
    .set({ ...certified, updated_at: laterThan(before, clock()) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function remove({ db }: Scope<Tx>, { merchant_account_id, id }: StoredKey): Promise<void> {
  await db
    .deleteFrom('digital_wallet_keys')
    .where('merchant_account_id', '=', merchant_account_id)
    .where('id', '=', id)
    .execute()
}

/** Newest first. */
export function list(scope: Scope, digitalWalletId: string): Promise<StoredKey[]> {
  return own(scope)
    .where('digital_wallet_id', '=', digitalWalletId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** All keys of the account for a purpose that can be used, newest first. A pending key cannot. */
export function listUsable(scope: Scope, purpose: KeyPurpose): Promise<StoredKey[]> {
  return own(scope)
    .where('purpose', '=', purpose)
    .where((eb) => eb.or([eb('certificate', 'is not', null), eb('recipient_id', 'is not', null)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export function find(scope: Scope, id: string): Promise<StoredKey | undefined> {
  return own(scope).where('id', '=', id).executeTakeFirst()
}

export type CertificateCounts = {
  readonly active: number
  readonly pending: number
  readonly expired: number
}

export const NO_CERTIFICATES: CertificateCounts = { active: 0, pending: 0, expired: 0 }

export async function countCertificates(
  context: Context,
  wallet: { readonly id: string },
): Promise<CertificateCounts> {
  return (await countOfEach(context, [wallet])).get(wallet.id) ?? NO_CERTIFICATES
}

/** The certificates of several wallets, by wallet. */
export async function countOfEach(
  { db, clock }: Context,
  wallets: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, CertificateCounts>> {
  const ids = wallets.map(({ id }) => id)
  const count = (condition: ReturnType<typeof sql>) =>
    sql<number>`count(*) filter (where ${condition})::integer`
  const rows = await db
    .selectFrom('digital_wallet_keys')
    .select([
      'digital_wallet_id',
      count(sql`expires_at > ${clock()}`).as('active'),
      count(sql`certificate is null`).as('pending'),
      count(sql`expires_at <= ${clock()}`).as('expired'),
    ])
    .where(sql<boolean>`digital_wallet_id = any(${ids}::uuid[])`)
    .where('purpose', '<>', 'google-payment')
    .groupBy('digital_wallet_id')
    .execute()
  return new Map(rows.map(({ digital_wallet_id, ...counts }) => [digital_wallet_id, counts]))
}

function own({ db, merchantAccountId }: Scope) {
  return select(db).where('merchant_account_id', '=', merchantAccountId)
}

function select(db: Db) {
  return db.selectFrom('digital_wallet_keys').select(COLUMNS)
}
