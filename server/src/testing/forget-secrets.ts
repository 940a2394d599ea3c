import { paymentServiceJobs } from '#resources/payment-services/resource.ts'
import type { TestService } from './harness.ts'

/** What the job for the secrets of deleted services does. */
export async function forgetSecrets({ context, vault }: TestService): Promise<void> {
  for (const job of paymentServiceJobs) await job.run({ context, vault }, new AbortController().signal)
}
