import { Nullable } from '#platform/schemas.ts'
import { Flag, Options, Text, Whole } from './fields.ts'

const StripeConnectOptions = Options('StripeConnectOptions', {
  stripe_account: Text,
  application_fee_amount: Whole,
  on_behalf_of: Text,
  transfer_data_destination: Text,
  transfer_group: Text,
})

export const StripeOptions = Options('StripeOptions', { stripe_connect: Nullable(StripeConnectOptions) })

export const StripeCardOptions = Options('StripeCardOptions', {
  stripe_connect: Nullable(StripeConnectOptions),
  customer_id: Text,
  error_on_requires_action: Flag,
})
