import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const EXAMPLE_LATE = {
  job: 'deliver-webhooks',
  reason: 'waiting',
  due_at: '2026-11-16T12:00:00.000Z',
} as const

const EXAMPLE = {
  type: 'sandbox-clock',
  status: 'advancing',
  now: '2026-11-16T10:00:00.000Z',
  real_time: '2026-11-16T10:00:00.000Z',
  offset_seconds: 0,
  target: '2026-11-19T10:00:00.000Z',
  late_jobs: [],
} as const

const LateJob = Strict(
  {
    job: Type.String({ description: 'The name of the job, as in the logs.' }),
    reason: OneOf(['waiting', 'slow', 'failed'], {
      description:
        '`waiting`: others did not answer in time, such as receivers of webhooks. `slow`: a turn of the job took more than ' +
        'three minutes. `failed`: the job failed, and the log says why.',
    }),
    due_at: DateTime({
      description: 'Since when, by the clock of the sandbox, the job has something to do.',
    }),
  },
  { title: 'LateJob', examples: [EXAMPLE_LATE] },
)

export const SandboxClock = Strict(
  {
    type: Kind('sandbox-clock'),
    status: OneOf(['ready', 'advancing'], {
      description: '`advancing` while the clock is being moved and what falls due on the way is done.',
    }),
    now: DateTime({ description: 'The time by which the sandbox lives.' }),
    real_time: DateTime({ description: 'The time of its database.' }),
    offset_seconds: Type.Integer({ description: 'How far the clock is ahead of real time.' }),
    target: Nullable(DateTime({ description: 'Where the clock is being moved to. Null while it is not.' })),
    late_jobs: Type.Array(LateJob, {
      description:
        'The jobs for which the last advance did not wait, such as the delivery of webhooks to a slow receiver. What they ' +
        'had to do is done at their own pace, later than its time. Empty if everything was done in time.',
    }),
  },
  { title: 'SandboxClock', examples: [EXAMPLE] },
)
export type SandboxClock = Static<typeof SandboxClock>

export const AdvanceSandboxClock = Strict(
  {
    by: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 50,
          description:
            'How far to move the clock: an ISO 8601 duration in whole units, such as `P3D` or `PT36H`.',
        }),
      ),
    ),
    to: Type.Optional(Nullable(DateTime({ description: 'Until when to move the clock.' }))),
  },
  {
    title: 'AdvanceSandboxClock',
    description: 'Either `by` or `to`. Forward only, and at most two years.',
    examples: [{ by: 'P3D' }],
  },
)
export type AdvanceSandboxClock = Static<typeof AdvanceSandboxClock>
