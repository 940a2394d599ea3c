import type { Vault } from '../../../../vault/client.ts'
import type { Context } from '../../platform/db.ts'
import type { Job } from '../../platform/jobs.ts'
import type { AccountUpdater } from '../../processing/account-updater.ts'
import { askAccountUpdater } from './ask.ts'

type Needs = { readonly context: Context; readonly vault: Vault; readonly accountUpdater: AccountUpdater }

export const accountUpdaterJobs: Job<Needs>[] = [
  {
    name: 'ask-account-updater',
    everyMs: 2_000,
    run: ({ context, vault, accountUpdater }) => askAccountUpdater(context, vault, accountUpdater),
  },
]
