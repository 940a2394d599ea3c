import type { Static } from 'typebox'
import { Nullable, OneOf, Strict } from '#platform/schemas.ts'
import { optional } from '../order.ts'
import { Flag, Options, Text } from './fields.ts'

const MockCardMerchantAdviceCodeOptions = Strict(
  { account_number: Text, ...optional({ result: Text }) },
  { title: 'MockCardMerchantAdviceCodeOptions' },
)

export const MockCardFault = Strict(
  {
    on: OneOf(['authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout']),
    kind: OneOf(['lose-answer', 'stall', 'late', 'twice', 'garbage', 'unreachable']),
  },
  {
    title: 'MockCardFault',
    description:
      'Sandbox only: makes the simulated processor misbehave, once per operation, to test your integration.',
    examples: [{ on: 'capture', kind: 'lose-answer' }],
  },
)

export const MockCardOptions = Options('MockCardOptions', {
  merchant_advice_code: Nullable(MockCardMerchantAdviceCodeOptions),
  skip_retry: Flag,
  fault: Nullable(MockCardFault),
})
export type MockCardOptions = Static<typeof MockCardOptions>

const MockGiftCardFault = Strict(
  {
    on: OneOf(['redeem', 'refund', 'reverse']),
    kind: OneOf(['lose-answer', 'stall', 'late', 'twice', 'garbage', 'unreachable']),
  },
  {
    title: 'MockGiftCardFault',
    description:
      'Sandbox only: makes the simulated provider of gift cards misbehave, once per operation, to test your integration.',
    examples: [{ on: 'redeem', kind: 'lose-answer' }],
  },
)

export const MockGiftCardOptions = Options('MockGiftCardOptions', { fault: Nullable(MockGiftCardFault) })
