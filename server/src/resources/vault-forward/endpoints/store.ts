import { accountRows } from '#platform/database/account-rows.ts'
import type { Tables } from '#platform/database/db.ts'
import type { ForwardMethod } from '../read-request.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    vault_forward_endpoints: {
      id: string
      merchant_account_id: string
      host: string
      paths: string[]
      methods: ForwardMethod[]
      created_at: Date
      updated_at: Date
    }
  }
}

export type StoredEndpoint = Tables['vault_forward_endpoints']

export const { find, count, insert, remove, list } = accountRows('vault_forward_endpoints', [
  'host',
  'paths',
  'methods',
])
