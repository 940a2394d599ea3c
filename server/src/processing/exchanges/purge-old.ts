import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import type { Engine } from '../engine.ts'
import { oldest, removeOld } from './store.ts'

type Needs = { readonly context: Context; readonly engine: Engine }

export const purgeExchanges = retentionJob<Needs>({
  name: 'purge-old-exchanges',
  days: ({ engine }) => engine.exchanges.retentionDays,
  batch: 1_000,
  removeOld,
  oldest,
})
