import { MESSAGE_EVENTS } from '#connectors/contract/simulation.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const EXAMPLE_IDS = {
  payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
  transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
}

export const CreateSandboxNotification = Strict(
  {
    transaction_id: Uuid({ description: 'The payment that it is about.' }),
    event: Type.Optional(
      Nullable(
        OneOf(MESSAGE_EVENTS, {
          description:
            'What the processor says: that a pending operation has ended so. Null: again what it said last, or what it would have said ' +
            'about an answer that was lost.',
        }),
      ),
    ),
  },
  {
    title: 'CreateSandboxNotification',
    examples: [{ transaction_id: EXAMPLE_IDS.transaction_id, event: 'capture.succeeded' }],
  },
)
export type CreateSandboxNotification = Static<typeof CreateSandboxNotification>

export const SandboxNotification = Strict(
  {
    type: Kind('sandbox-notification'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    payment_service_id: Uuid(),
    transaction_id: Uuid(),
    event: Type.String({ description: 'The event in the notification.' }),
    body: Type.String({ description: 'The notification, as it was sent.' }),
    outcome: OneOf(['taken', 'held', 'rejected'], {
      description:
        '`taken`: it is about something that we know; if we knew its outcome too, it has changed nothing. `held`: we know nothing of its ' +
        'subject yet, and look again later. `rejected`: it was refused, and `message` says why.',
    }),
    message: Nullable(Type.String()),
    created_at: DateTime(),
  },
  {
    title: 'SandboxNotification',
    examples: [
      {
        type: 'sandbox-notification',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0031',
        merchant_account_id: 'default',
        ...EXAMPLE_IDS,
        event: 'capture.succeeded',
        body: '{"event":"capture.succeeded","payment_service_transaction_id":"0199f3a0-5d3b-7c00-8a11-3f1f7f1f0009"}',
        outcome: 'taken',
        message: null,
        created_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type SandboxNotification = Static<typeof SandboxNotification>
