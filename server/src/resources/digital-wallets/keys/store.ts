import { sql } from 'kysely'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables } from '#platform/database/db.ts'
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

const rows = accountRows('digital_wallet_keys', [
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
])

export const { insert, update, remove, newest, find } = rows

/** A key as it is stored. The token of its private half never leaves the server. */
export type StoredKey = Tables['digital_wallet_keys']
export type NewKey = Omit<StoredKey, 'id' | 'merchant_account_id' | 'created_at' | 'updated_at'>
export type Certified = Pick<
  StoredKey,
  'certificate' | 'serial_number' | 'merchant_identifier' | 'expires_at'
>

/** All keys of the account for a purpose that can be used, newest first. A pending key cannot. */
export function listUsable(scope: Scope, purpose: KeyPurpose): Promise<StoredKey[]> {
  return newest(scope, { purpose }, sql`(certificate is not null or recipient_id is not null)`)
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
  const counted = await db
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
  return new Map(counted.map(({ digital_wallet_id, ...counts }) => [digital_wallet_id, counts]))
}
