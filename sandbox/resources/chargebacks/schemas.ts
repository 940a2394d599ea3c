import { DISPUTE_REASONS } from '#connectors/contract/simulation.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const STAGES = ['chargeback', 'reversal'] as const

export const CreateSandboxChargeback = Strict(
  {
    transaction_id: Uuid({ description: 'A payment of this payment service.' }),
    stage: Type.Optional(
      OneOf(STAGES, {
        default: 'chargeback',
        description: 'Whether the buyer’s bank takes the money, or gives it back after a chargeback.',
      }),
    ),
    amount: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 99_999_999,
          description: 'Left out: all that was captured and is not disputed yet, or the whole chargeback.',
        }),
      ),
    ),
    reason: Type.Optional(
      Nullable(
        OneOf(DISPUTE_REASONS, {
          description: 'Left out: `fraudulent`, or the reason of the chargeback that is reversed.',
        }),
      ),
    ),
  },
  {
    title: 'CreateSandboxChargeback',
    examples: [
      {
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        stage: 'chargeback',
        amount: 1299,
        reason: 'not_received',
      },
    ],
  },
)
export type CreateSandboxChargeback = Static<typeof CreateSandboxChargeback>

export const SandboxChargeback = Strict(
  {
    type: Kind('sandbox-chargeback'),
    id: Uuid({ description: 'The simulator’s own id. Its file and its notification repeat it.' }),
    merchant_account_id: Type.String(),
    payment_service_id: Uuid(),
    transaction_id: Uuid(),
    stage: OneOf(STAGES),
    amount: Type.Integer(),
    currency: Type.String({ ...WRITTEN.currency }),
    code: Type.String({ description: 'As the file says it.' }),
    reason: Type.String(),
    created_at: DateTime(),
  },
  {
    title: 'SandboxChargeback',
    examples: [
      {
        type: 'sandbox-chargeback',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0059',
        merchant_account_id: 'default',
        payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        stage: 'chargeback',
        amount: 1299,
        currency: 'USD',
        code: '610002',
        reason: 'not_received',
        created_at: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
)
export type SandboxChargeback = Static<typeof SandboxChargeback>
