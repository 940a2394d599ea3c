import type { Context } from '#platform/db.ts'
import type { Job } from '#platform/jobs.ts'
import type { AccountUpdater } from '#processing/account-updater.ts'
import type { Vault } from '#vault'
import { askAccountUpdater } from './ask.ts'

type Needs = {
  readonly context: Context
  readonly vault: Vault
  readonly accountUpdater: AccountUpdater | null
}

export const accountUpdaterJobs: Job<Needs>[] = [
  {
    name: 'ask-account-updater',
    everyMs: 2_000,
    run: async ({ context, vault, accountUpdater }) => {
      if (accountUpdater) await askAccountUpdater(context, vault, accountUpdater)
    },
  },
]
