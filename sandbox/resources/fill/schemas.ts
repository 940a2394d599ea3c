import { DateTime, Kind, Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

export const DAYS_MAX = 730
export const PAYMENTS_MAX = 100_000
export const SEED_MAX = 2 ** 31 - 1
export const DEFAULTS = { days: 90, payments: 5_000, seed: 1 } as const

const Days = Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: 'How many days. Default 90.' })
const Payments = Type.Integer({
  minimum: 1,
  maximum: PAYMENTS_MAX,
  description: 'How many payments. Default 5,000, which takes some minutes.',
})
const Seed = Type.Integer({
  minimum: 1,
  maximum: SEED_MAX,
  description: 'The same number gives the same history. Default 1.',
})

export const FillSandbox = Strict(
  {
    days: Type.Optional(Nullable(Days)),
    payments: Type.Optional(Nullable(Payments)),
    seed: Type.Optional(Nullable(Seed)),
  },
  { title: 'FillSandbox', examples: [{ days: 30, payments: 500 }] },
)
export type FillSandbox = Static<typeof FillSandbox>

const Count = () => Type.Integer({ minimum: 0 })

export const SandboxFill = Strict(
  {
    type: Kind('sandbox-fill'),
    status: OneOf(['idle', 'waiting', 'filling', 'succeeded', 'failed'], {
      description:
        '`idle`: there was no history yet. `waiting`: a worker begins within a second. `filling`: it is being made. `succeeded` and ' +
        '`failed` are about the last one.',
    }),
    merchant_account_id: Nullable(Type.String({ description: 'Whose payments they are.' })),
    days: Nullable(Type.Integer()),
    payments: Nullable(Type.Integer({ description: 'How many were asked for.' })),
    seed: Nullable(Type.Integer()),
    made: Strict(
      { payments: Count(), approved: Count(), captures: Count(), refunds: Count(), voids: Count() },
      { title: 'SandboxFillCounts', description: 'What was made so far.' },
    ),
    refusals: Type.Array(Strict({ reason: Type.String(), count: Count() }, { title: 'SandboxFillRefusal' }), {
      description: 'Requests of the made-up shop that were refused, by reason. They do not end the history.',
    }),
    failure: Nullable(
      OneOf(['refused', 'interrupted', 'error'], {
        description:
          '`refused`: the service refused all that the shop asked for, so it gave up. `interrupted`: the process ended. `error`: the log ' +
          'says why. What was made stays, and so does the time that the clock has reached.',
      }),
    ),
    begun_at: Nullable(DateTime({ description: 'By the clock of the sandbox, which the history moves.' })),
    ended_at: Nullable(DateTime()),
  },
  {
    title: 'SandboxFill',
    examples: [
      {
        type: 'sandbox-fill',
        status: 'filling',
        merchant_account_id: 'default',
        days: 30,
        payments: 500,
        seed: 1,
        made: { payments: 214, approved: 197, captures: 98, refunds: 9, voids: 4 },
        refusals: [],
        failure: null,
        begun_at: '2026-11-15T09:30:00.000Z',
        ended_at: null,
      },
    ],
  },
)
export type SandboxFill = Static<typeof SandboxFill>
