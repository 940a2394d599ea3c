import { type Static, Type } from 'typebox'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { Variants } from '#resources/transactions/wire/variants.ts'
import { GiftCardNumber, Pin } from '../schemas.ts'

export const NewGiftCardBalance = Strict(
  { number: GiftCardNumber, pin: Pin },
  {
    title: 'NewGiftCardBalance',
    description: 'A gift card by its number.',
    examples: [{ number: '4123455541234561234', pin: '01000' }],
  },
)

export const StoredGiftCardBalance = Strict(
  { id: Uuid({ description: 'The stored gift card.' }) },
  {
    title: 'StoredGiftCardBalance',
    description: 'A stored gift card.',
    examples: [{ id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007' }],
  },
)

export function giftCardBalanceRequest(cardsMax: number) {
  return Strict(
    {
      items: Type.Array(
        Variants([NewGiftCardBalance, StoredGiftCardBalance], 'A gift card, by its number or by its id.'),
        { minItems: 1, maxItems: cardsMax, description: 'The cards. None may be listed twice.' },
      ),
    },
    {
      title: 'GiftCardBalanceRequest',
      examples: [{ items: [{ number: '4123455541234561234', pin: '01000' }] }],
    },
  )
}
export type GiftCardBalanceRequest = Static<ReturnType<typeof giftCardBalanceRequest>>
