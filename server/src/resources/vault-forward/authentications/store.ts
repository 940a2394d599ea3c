import { accountRows } from '#platform/database/account-rows.ts'
import type { Tables } from '#platform/database/db.ts'

/** What is no secret of an authentication. */
export type Settings =
  | { readonly kind: 'mutual_tls'; readonly certificate: string }
  | {
      readonly kind: 'hmac'
      readonly header: string
      readonly algorithm: 'sha256' | 'sha512'
      readonly encoding: 'hex' | 'base64'
    }

declare module '#platform/database/db.ts' {
  interface Tables {
    vault_forward_authentications: {
      id: string
      merchant_account_id: string
      display_name: string
      host: string
      settings: Settings
      vault_token: string
      created_at: Date
      updated_at: Date
    }
  }
}

export type StoredAuthentication = Tables['vault_forward_authentications']

export const { find, count, insert, remove, list } = accountRows('vault_forward_authentications', [
  'display_name',
  'host',
  'settings',
  'vault_token',
])
