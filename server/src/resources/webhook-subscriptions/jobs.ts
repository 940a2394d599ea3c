import type { Job } from '#platform/process/jobs.ts'
import type { DeliverNeeds } from './attempt-delivery.ts'
import { deliverDue } from './deliver.ts'
import { nextDueAt } from './deliveries/next-due.ts'
import { endRotations } from './rotate-secret.ts'
import * as subscriptions from './store.ts'

export const webhookJobs: Job<DeliverNeeds>[] = [
  {
    name: 'deliver-webhooks',
    everyMs: 100,
    isEndless: true,
    run: deliverDue,
    nextDueAt: ({ context }) => nextDueAt(context),
  },
  {
    name: 'end-webhook-secret-rotations',
    everyMs: 60_000,
    run: ({ context, vault }) => endRotations(context, vault),
    nextDueAt: ({ context }) => subscriptions.nextEndOfRotation(context),
  },
]
