import type { Reading } from '#platform/observability/readings.ts'
import { realTime } from '#platform/process/clock.ts'
import { type Job, jobReading } from '#platform/process/jobs.ts'
import { attemptReading } from '#processing/attempts/backlog.ts'
import type { JobNeeds, Resource } from '#resources/resource.ts'
import { Vault } from '#vault'

const KEY_AGE = 'switchyard_vault_key_age_seconds'
const RETIRED = 'switchyard_vault_retired_keys'

const vaultReading: Reading<JobNeeds> = {
  name: 'vault',
  gauges: [
    { name: KEY_AGE, help: 'Time since the vault key came into use' },
    { name: RETIRED, help: 'Keys of the vault that a rotation has retired, and not yet destroyed' },
  ],
  read: async ({ context }) => {
    const { keySince, retiredKeys } = await Vault.state(context.db)
    const ageMs = keySince ? realTime(context.clock).getTime() - keySince.getTime() : 0
    return [
      { gauge: RETIRED, value: retiredKeys },
      ...(keySince ? [{ gauge: KEY_AGE, value: Math.max(0, ageMs) / 1000 }] : []),
    ]
  },
}

/** Everything that `/metrics` shows of the database. */
export function readingsOf(
  resources: readonly Resource[],
  jobs: readonly Job<JobNeeds>[],
): Reading<JobNeeds>[] {
  return [
    attemptReading,
    ...resources.flatMap(({ readings = [] }) => readings),
    vaultReading,
    jobReading(jobs, ({ context }) => context.clock()),
  ]
}
