import type { Context } from '#platform/database/db.ts'
import { oldRows, retentionJob } from '#platform/database/retention.ts'
import type { Engine } from '../engine.ts'

type Needs = { readonly context: Context; readonly engine: Engine }

export const purgeExchanges = retentionJob<Needs>({
  name: 'purge-old-exchanges',
  days: ({ engine }) => engine.exchanges.retentionDays,
  batch: 1_000,
  ...oldRows({
    table: 'exchanges',
    key: ['merchant_account_id', 'transaction_id', 'id'],
    column: 'created_at',
  }),
})
