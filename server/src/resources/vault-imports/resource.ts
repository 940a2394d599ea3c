import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import type { Resource } from '#resources/resource.ts'
import { removeOldResults } from './store.ts'

const BATCH = 10_000

/** An import says itself until when its results are kept. */
const removeResults = retentionJob<{ readonly context: Context }>({
  name: 'remove-vault-import-results',
  days: () => 0,
  batch: BATCH,
  removeOld: removeOldResults,
})

export const vaultImportResource: Resource = { operations: () => [], jobs: [removeResults] }
