import { type Static, Type } from 'typebox'
import { WRITTEN } from '#domain/written-forms.ts'
import { Nullable, Strict } from '#platform/http/schemas.ts'
import { Amount } from '#resources/transactions/wire/order.ts'
import { BUYER, GiftCardNumber, Pin } from '../schemas.ts'

export const ActivateGiftCard = Strict(
  {
    number: GiftCardNumber,
    pin: Type.Optional(Nullable(Pin)),
    amount: Type.Optional(
      Nullable(
        Amount({ description: 'The amount to put on the card. Leave it out for cards with a fixed amount.' }),
      ),
    ),
    currency: Type.Optional(
      Nullable(Type.String({ ...WRITTEN.currency, description: 'Currency of the amount. ISO 4217.' })),
    ),
    external_identifier: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference.' })),
    ),
    store: Type.Boolean({
      default: false,
      description: 'Whether to store the card as well. It then needs a PIN, and may have a buyer.',
    }),
    ...BUYER,
  },
  {
    title: 'ActivateGiftCard',
    examples: [{ number: '4123455541234561234', pin: '01000', amount: 1000, currency: 'USD' }],
  },
)
export type ActivateGiftCard = Static<typeof ActivateGiftCard>
