import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import { disableUnused } from '#resources/users/disable-unused.ts'
import * as challenges from './challenges/store.ts'
import * as links from './links/store.ts'
import * as lockOuts from './lock-outs/store.ts'
import * as sessions from './sessions/store.ts'

type Needs = { readonly context: Context }

export const authJobs: readonly Job<Needs>[] = [
  {
    name: 'purge-ended-sessions',
    everyMs: 10 * 60_000,
    run: async ({ context }) => {
      await sessions.purge(context)
      await challenges.purge(context)
      await links.purge(context)
      await lockOuts.purge(context)
    },
  },
  {
    name: 'disable-unused-users',
    everyMs: 3_600_000,
    run: ({ context }) => disableUnused(context),
  },
]
