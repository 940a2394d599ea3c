import type { Context } from '#platform/db.ts'
import * as incidents from './incidents/store.ts'
import * as samples from './samples/store.ts'

const BATCH = 1_000
const DAY_MS = 86_400_000
const SAMPLES_KEPT_DAYS = 30
/** From the day it was closed. An open incident stays. */
const INCIDENTS_KEPT_DAYS = 365

/** Removes samples and incidents after their time, the oldest first, in small steps. */
export async function purgeOldMonitoring(context: Context, stopping?: AbortSignal): Promise<void> {
  const daysAgo = (days: number) => new Date(context.clock().getTime() - days * DAY_MS)
  await inSteps(() => samples.removeOld(context, daysAgo(SAMPLES_KEPT_DAYS), BATCH), stopping)
  await inSteps(() => incidents.removeOld(context, daysAgo(INCIDENTS_KEPT_DAYS), BATCH), stopping)
}

/** When there is a day of samples to remove. Incidents are removed on the same occasion. */
export async function nextPurgeAt(context: Context): Promise<Date | null> {
  const oldest = await samples.oldest(context)
  return oldest && new Date(oldest.getTime() + (SAMPLES_KEPT_DAYS + 1) * DAY_MS)
}

async function inSteps(remove: () => Promise<number>, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted && (await remove()) === BATCH);
}
