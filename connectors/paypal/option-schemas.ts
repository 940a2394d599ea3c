import { block, listOf, oneOf, orNull, TEXT, TEXTS_BY_NAME } from '#connectors/contract/option-schemas.ts'

const CALLBACK = block('PaypalOrderUpdateCallbackConfig', {
  callback_url: TEXT,
  callback_events: orNull(listOf(oneOf(['SHIPPING_ADDRESS', 'SHIPPING_OPTIONS']))),
})

const CURRENCY = {
  type: 'string',
  pattern: '^[A-Z]{3}$',
  expected: 'a currency in three capital letters, such as USD',
}

const AMOUNT = block(
  'PaypalShippingOptionsItemAmount',
  {
    currency_code: CURRENCY,
    value: { type: 'string', minLength: 1, maxLength: 32 },
  },
  { required: ['currency_code', 'value'] },
)

const WAY_TO_SHIP = block(
  'PaypalShippingOptionsItem',
  {
    id: { type: 'string', minLength: 1, maxLength: 127 },
    label: { type: 'string', minLength: 1, maxLength: 127 },
    selected: { type: 'boolean' },
    type: orNull(oneOf(['SHIPPING', 'PICKUP', 'PICKUP_IN_STORE', 'PICKUP_FROM_PERSON'])),
    amount: orNull(AMOUNT),
  },
  { required: ['id', 'label', 'selected'] },
)

const SHIPPING = block('PaypalShippingOptions', { options: orNull(listOf(WAY_TO_SHIP, { maxItems: 10 })) })

export const WALLET_OPTIONS = block('PaypalOptions', {
  order_update_callback_config: orNull(CALLBACK),
  additional_data: orNull(listOf(TEXTS_BY_NAME)),
  shipping: orNull(SHIPPING),
  user_action: TEXT,
  shipping_preference: TEXT,
  brand_name: orNull({ type: 'string', maxLength: 127 }),
  landing_page: TEXT,
  locale: TEXT,
})
