import { Type } from 'typebox'
import { WRITTEN } from '#domain/written-forms.ts'
import { Nullable, OneOf, Strict } from '#platform/schemas.ts'
import { optional } from '../order.ts'
import { Options, Text, TextMap } from './fields.ts'

const PaypalOrderUpdateCallbackConfig = Options('PaypalOrderUpdateCallbackConfig', {
  callback_url: Text,
  callback_events: Nullable(Type.Array(OneOf(['SHIPPING_ADDRESS', 'SHIPPING_OPTIONS']))),
})

const PaypalShippingOptionsItemAmount = Strict(
  {
    currency_code: Type.String({ ...WRITTEN.currency }),
    value: Type.String({ minLength: 1, maxLength: 32 }),
  },
  { title: 'PaypalShippingOptionsItemAmount' },
)

const PaypalShippingOptionsItem = Strict(
  {
    id: Type.String({ minLength: 1, maxLength: 127 }),
    label: Type.String({ minLength: 1, maxLength: 127 }),
    selected: Type.Boolean(),
    ...optional({
      type: Nullable(OneOf(['SHIPPING', 'PICKUP', 'PICKUP_IN_STORE', 'PICKUP_FROM_PERSON'])),
      amount: Nullable(PaypalShippingOptionsItemAmount),
    }),
  },
  { title: 'PaypalShippingOptionsItem' },
)

const PaypalShippingOptions = Options('PaypalShippingOptions', {
  options: Nullable(Type.Array(PaypalShippingOptionsItem, { maxItems: 10 })),
})

export const PaypalOptions = Options('PaypalOptions', {
  order_update_callback_config: Nullable(PaypalOrderUpdateCallbackConfig),
  additional_data: Nullable(Type.Array(TextMap)),
  shipping: Nullable(PaypalShippingOptions),
  user_action: Text,
  shipping_preference: Text,
  brand_name: Nullable(Type.String({ maxLength: 127 })),
  landing_page: Text,
  locale: Text,
})
