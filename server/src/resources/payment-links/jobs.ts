import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import { expireDueLinks } from './expire.ts'
import * as links from './store.ts'

type Needs = { readonly context: Context }

export const paymentLinkJobs: Job<Needs>[] = [
  {
    name: 'expire-payment-links',
    everyMs: 15_000,
    run: ({ context }, stopping) => expireDueLinks(context, stopping),
    nextDueAt: ({ context }) => links.nextDueAt(context),
  },
]
