import { LEVER_EFFECTS, LEVER_OPERATIONS } from '#connectors/contract/simulation.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const Operation = OneOf(LEVER_OPERATIONS, {
  description:
    'Which operation is hit. Default `authorize`. `tokenize`: the next payment method that a service stores.',
})
const Effect = OneOf(LEVER_EFFECTS, {
  description:
    '`refuse`: it is declined or fails, as `code` says. `lose-answer`: it is carried out, and the answer is lost. `late`: it is carried out ' +
    'after it was given up. `stall`: no answer ever comes, and nothing is done. `garbage`: the answer is unreadable. `unreachable`: no ' +
    'connection can be made.',
})

export const CreateSandboxNextOutcome = Strict(
  {
    operation: Type.Optional(Operation),
    effect: Effect,
    code: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          description:
            'Why it is refused: an error code of the simulator for this operation. Only for `refuse`.',
        }),
      ),
    ),
  },
  {
    title: 'CreateSandboxNextOutcome',
    examples: [{ operation: 'authorize', effect: 'refuse', code: 'insufficient_funds' }],
  },
)
export type CreateSandboxNextOutcome = Static<typeof CreateSandboxNextOutcome>

export const SandboxNextOutcome = Strict(
  {
    type: Kind('sandbox-next-outcome'),
    id: Uuid(),
    payment_service_id: Uuid(),
    operation: Operation,
    effect: Effect,
    code: Nullable(Type.String()),
    armed_at: DateTime(),
  },
  {
    title: 'SandboxNextOutcome',
    examples: [
      {
        type: 'sandbox-next-outcome',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
        operation: 'authorize',
        effect: 'refuse',
        code: 'insufficient_funds',
        armed_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type SandboxNextOutcome = Static<typeof SandboxNextOutcome>

export const SandboxNextOutcomes = Strict(
  { items: Type.Array(SandboxNextOutcome, { description: 'In the order in which they hit.' }) },
  { title: 'SandboxNextOutcomes' },
)
