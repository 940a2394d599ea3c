import type { Context } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import type { SandboxClock } from './schemas.ts'
import type { StoredClock } from './store.ts'

export function showClock({ clock }: Context, { offsetMs, target, lateJobs }: StoredClock): SandboxClock {
  const real = realTime(clock)
  return {
    type: 'sandbox-clock',
    status: target ? 'advancing' : 'ready',
    now: new Date(real.getTime() + offsetMs).toISOString(),
    real_time: real.toISOString(),
    offset_seconds: Math.round(offsetMs / 1000),
    target: target?.toISOString() ?? null,
    late_jobs: [...lateJobs],
  }
}
