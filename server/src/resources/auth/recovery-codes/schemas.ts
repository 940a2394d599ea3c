import { Type } from 'typebox'
import { Kind, Nullable, Strict } from '#platform/http/schemas.ts'

export const RecoveryCodes = Strict(
  {
    type: Kind('recovery-codes'),
    recovery_codes: Nullable(
      Type.Array(Type.String(), {
        description: 'Ten codes. A retry with the same idempotency key shows null: ask for new ones then.',
      }),
    ),
  },
  {
    title: 'RecoveryCodes',
    examples: [{ type: 'recovery-codes', recovery_codes: ['k3pq-7xzm-a2rt-5wnb'] }],
  },
)
