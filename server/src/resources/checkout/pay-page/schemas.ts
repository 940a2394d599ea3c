import { type Static, Type } from 'typebox'
import { Strict } from '#platform/http/schemas.ts'
import { BrowserInfo } from '#resources/transactions/wire/order.ts'

/** What the page sends to pay. How `payment_method` looks depends on its kind: see `read-form.ts`. */
export const PayForm = Strict(
  {
    tries: Type.Integer({ minimum: 0 }),
    attempt: Type.String({ minLength: 20, maxLength: 100 }),
    /** What the page shows. If the order says otherwise by then, nothing is charged. */
    amount: Type.Integer({ minimum: 0 }),
    currency: Type.String({ minLength: 3, maxLength: 3 }),
    /** The origin of the shop whose page shows ours in a frame. */
    embed: Type.Optional(Type.String({ maxLength: 300 })),
    payment_method: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
    gift_cards: Type.Optional(
      Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { maxItems: 10 }),
    ),
    save: Type.Optional(Type.Boolean()),
    browser_info: Type.Optional(BrowserInfo),
  },
  { title: 'PayForm' },
)
export type PayForm = Static<typeof PayForm>

export const GiftCardForm = Strict(
  {
    number: Type.String({ minLength: 1, maxLength: 30 }),
    pin: Type.String({ minLength: 1, maxLength: 100 }),
  },
  { title: 'GiftCardForm' },
)
export type GiftCardForm = Static<typeof GiftCardForm>

/** By what the browser shows that the payment, which its buyer does not want to approve, is its own. */
export const CancelForm = Strict(
  {
    attempt: Type.Optional(PayForm.properties.attempt),
    transaction_id: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { title: 'CancelForm' },
)

export const AppleForm = Strict({ validation_url: Type.String({ maxLength: 2048 }) }, { title: 'AppleForm' })
export type AppleForm = Static<typeof AppleForm>
