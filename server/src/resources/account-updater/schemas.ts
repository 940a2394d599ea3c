import { type Static, Type } from 'typebox'
import { DateTime, Kind, Strict, Uuid } from '#platform/http/schemas.ts'

export const CreateAccountUpdaterJob = Strict(
  {
    payment_method_ids: Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Stored cards to ask about. Those that do not qualify are left out.',
    }),
  },
  {
    title: 'CreateAccountUpdaterJob',
    examples: [{ payment_method_ids: ['0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'] }],
  },
)
export type CreateAccountUpdaterJob = Static<typeof CreateAccountUpdaterJob>

const Inquiry = Strict({ type: Kind('account-updater-inquiry'), id: Uuid(), payment_method_id: Uuid() })

export const AccountUpdaterJob = Strict(
  {
    type: Kind('account-updater-job'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    inquiries: Type.Array(Inquiry),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'AccountUpdaterJob',
    examples: [
      {
        type: 'account-updater-job',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
        merchant_account_id: 'default',
        inquiries: [
          {
            type: 'account-updater-inquiry',
            id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007',
            payment_method_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
          },
        ],
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type AccountUpdaterJob = Static<typeof AccountUpdaterJob>
