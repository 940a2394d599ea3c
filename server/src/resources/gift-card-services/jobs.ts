import type { Vault } from '../../../../vault/client.ts'
import type { Context } from '../../platform/db.ts'
import type { Job } from '../../platform/jobs.ts'
import { forgetDeleted } from '../payment-services/forget-deleted.ts'
import { lapsedBy } from '../transactions/attempts/due.ts'
import * as redemptions from '../transactions/gift-card-redemptions/store.ts'
import { countOpenAt } from './count-open.ts'
import { forgetSecrets, listDeletedWithSecrets } from './store.ts'

type Needs = { readonly context: Context; readonly vault: Vault }

export const giftCardServiceJobs: Job<Needs>[] = [
  {
    name: 'forget-secrets-of-deleted-gift-card-services',
    everyMs: 60_000,
    run: ({ context, vault }) =>
      forgetDeleted(context, vault, {
        listDeletedWithSecrets,
        countOpenAt: async (scope, id) =>
          (await countOpenAt(scope, id)) +
          (await redemptions.countHeldAt(scope, id, lapsedBy(scope.clock()))),
        forgetSecrets,
      }),
  },
]
