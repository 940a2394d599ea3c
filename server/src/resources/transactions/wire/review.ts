import { OneOf, Strict } from '#platform/http/schemas.ts'
import type { Static } from '#platform/http/type.ts'

export const TransactionReviewCreate = Strict(
  {
    decision: OneOf(['accept', 'reject'], {
      description: '`accept` captures the payment if its `intent` is `capture`. `reject` releases its money.',
    }),
  },
  { title: 'TransactionReviewCreate', examples: [{ decision: 'accept' }] },
)
export type TransactionReviewCreate = Static<typeof TransactionReviewCreate>
