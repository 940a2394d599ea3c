import { block, FLAG, orNull, TEXT, WHOLE_NUMBER } from '#connectors/contract/option-schemas.ts'

/** For platforms. */
const stripe_connect = orNull(
  block('StripeConnectOptions', {
    stripe_account: TEXT,
    application_fee_amount: WHOLE_NUMBER,
    on_behalf_of: TEXT,
    transfer_data_destination: TEXT,
    transfer_group: TEXT,
  }),
)

export const OPTIONS = block('StripeOptions', { stripe_connect })

export const CARD_OPTIONS = block('StripeCardOptions', {
  stripe_connect,
  customer_id: TEXT,
  error_on_requires_action: FLAG,
})
