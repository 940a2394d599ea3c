import { type Static, Type } from 'typebox'
import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/schemas.ts'

const EXAMPLE = {
  type: 'sandbox-clock',
  status: 'advancing',
  now: '2026-11-16T10:00:00.000Z',
  real_time: '2026-11-16T10:00:00.000Z',
  offset_seconds: 0,
  target: '2026-11-19T10:00:00.000Z',
} as const

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
