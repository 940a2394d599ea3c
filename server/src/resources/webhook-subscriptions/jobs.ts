import type { Job } from '#platform/jobs.ts'
import type { DeliverNeeds } from './attempt-delivery.ts'
import { deliverDue } from './deliver.ts'
import { endRotations } from './rotate-secret.ts'

export const webhookJobs: Job<DeliverNeeds>[] = [
  // A turn lasts until the process stops or an error occurs.
  { name: 'deliver-webhooks', everyMs: 100, run: deliverDue },
  {
    name: 'end-webhook-secret-rotations',
    everyMs: 60_000,
    run: ({ context, vault }) => endRotations(context, vault),
  },
]
