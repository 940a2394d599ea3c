import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import { addUpUses } from '#resources/payment-methods/add-up-uses.ts'
import { addUses } from './store.ts'
import { takeSome } from './uses/store.ts'

type Needs = { readonly context: Context; readonly engine: Engine }

export const giftCardJobs: Job<Needs>[] = [
  {
    name: 'add-up-gift-card-uses',
    everyMs: 5_000,
    run: ({ context }) => addUpUses(context, { takeSome, addUses }),
  },
]
