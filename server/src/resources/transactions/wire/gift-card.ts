import { WRITTEN } from '#domain/written-forms.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { Amount } from './order.ts'
import { complaintsIn, Variants } from './variants.ts'

const PayWithNewGiftCard = Strict(
  {
    number: Type.String({ ...WRITTEN.giftCardNumber, description: '16 to 19 digits.' }),
    pin: Type.String({ minLength: 1, maxLength: 100 }),
    amount: Amount({ description: 'How much the gift card pays.' }),
  },
  {
    title: 'PayWithNewGiftCard',
    description: 'A gift card by its number.',
    examples: [{ number: '4123455541234561234', pin: '1234', amount: 500 }],
  },
)
type PayWithNewGiftCard = Static<typeof PayWithNewGiftCard>

const PayWithStoredGiftCard = Strict(
  {
    id: Uuid({ description: 'The stored gift card.' }),
    amount: Amount({ description: 'How much the gift card pays.' }),
  },
  {
    title: 'PayWithStoredGiftCard',
    description: 'A stored gift card.',
    examples: [{ id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007', amount: 500 }],
  },
)
type PayWithStoredGiftCard = Static<typeof PayWithStoredGiftCard>

export type GiftCardRequest =
  | { readonly kind: 'new'; readonly body: PayWithNewGiftCard }
  | { readonly kind: 'stored'; readonly body: PayWithStoredGiftCard }

export const NewTransactionGiftCard = Variants(
  [PayWithNewGiftCard, PayWithStoredGiftCard],
  'A gift card, by its number or by its id.',
)
export type NewTransactionGiftCard = Static<typeof NewTransactionGiftCard>

/** What is wrong with the entries of `gift_cards`. */
export function checkGiftCards(given: readonly (object | undefined)[]): ErrorDetail[] {
  return given.flatMap((entry, index) =>
    entry === undefined
      ? []
      : complaintsIn(
          `/gift_cards/${index}`,
          isStoredGiftCard(entry) ? PayWithStoredGiftCard : PayWithNewGiftCard,
          entry,
        ),
  )
}

/** Reads a gift card. Call it only for what `checkGiftCards` accepts. */
export function readGiftCard(given: NewTransactionGiftCard): GiftCardRequest {
  return isStoredGiftCard(given) ? { kind: 'stored', body: given } : { kind: 'new', body: given }
}

function isStoredGiftCard<Given extends object>(given: Given): given is Extract<Given, { id: string }> {
  return 'id' in given
}
