import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Vault } from '#vault'
import { addUpUses } from './add-up-uses.ts'
import { dropLeftTokens } from './drop-tokens.ts'
import { expireApprovals } from './payment-service-tokens/expire.ts'
import * as paymentServiceTokens from './payment-service-tokens/store.ts'
import { nextReplacementAt, replaceExpired } from './replace.ts'

type Needs = { readonly context: Context; readonly vault: Vault }

export const paymentMethodJobs: Job<Needs>[] = [
  { name: 'add-up-payment-method-uses', everyMs: 5_000, run: ({ context }) => addUpUses(context) },
  {
    name: 'replace-expired-cards',
    everyMs: 60_000,
    run: ({ context, vault }) => replaceExpired(context, vault),
    nextDueAt: ({ context }) => nextReplacementAt(context),
  },
  {
    name: 'drop-tokens-of-deleted-payment-methods',
    everyMs: 3_600_000,
    run: ({ context, vault }) => dropLeftTokens(context, vault),
  },
  {
    name: 'expire-payment-method-approvals',
    everyMs: 10_000,
    run: ({ context }) => expireApprovals(context),
    nextDueAt: ({ context }) => paymentServiceTokens.nextExpiry(context),
  },
]
