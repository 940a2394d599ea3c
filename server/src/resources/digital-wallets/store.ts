import { sql } from 'kysely'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Tables } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { ExtraConfiguration, WalletAddress, WalletProvider } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    digital_wallets: {
      id: string
      merchant_account_id: string
      provider: WalletProvider
      merchant_name: string
      merchant_display_name: string | null
      merchant_url: string | null
      merchant_country_code: string | null
      merchant_category_code: string | null
      address: WalletAddress | null
      extra_configuration: ExtraConfiguration | null
      domain_names: string[]
      created_at: Date
      updated_at: Date
    }
  }
}

const rows = accountRows('digital_wallets', [
  'provider',
  'merchant_name',
  'merchant_display_name',
  'merchant_url',
  'merchant_country_code',
  'merchant_category_code',
  'address',
  'extra_configuration',
  'domain_names',
])

export const { insert, update, remove, find, lock } = rows

export type StoredWallet = Tables['digital_wallets']
export type Settings = Omit<
  StoredWallet,
  'id' | 'merchant_account_id' | 'provider' | 'created_at' | 'updated_at'
>

/** Newest first. An account has one for each provider at most, so there are no pages. */
export function list({ db }: Context, reach: Reach): Promise<StoredWallet[]> {
  const query = rows.select(db).orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (reach === 'all') return query.execute()
  return query.where(sql<boolean>`merchant_account_id = any(${[...reach]}::text[])`).execute()
}

/** Apple's file that proves a domain, from the wallet that has claimed the domain. */
export async function findAssociation({ db }: Context, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('digital_wallet_domains')
    .innerJoin('digital_wallets', 'digital_wallets.id', 'digital_wallet_domains.digital_wallet_id')
    .select(sql<string>`extra_configuration -> 'domain_associations' ->> ${domain}`.as('content'))
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row?.content
}
