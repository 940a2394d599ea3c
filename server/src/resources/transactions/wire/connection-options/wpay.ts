import { Nullable } from '#platform/http/schemas.ts'
import { Flag, Options, Text, Texts, Whole } from './fields.ts'

export const WpayEverydayPayOptions = Options('WpayEverydayPayOptions', {
  merchant_defined_data: Texts,
  customerId: Text,
  rewardsAccessToken: Text,
  deviceId: Text,
  postPaymentRedirect: Flag,
})

const WpayPaytoSimulationOptions = Options('WpayPaytoSimulationOptions', { simulate: Text, delay: Whole })

const WpayPaytoResourceOptions = Options('WpayPaytoResourceOptions', {
  simulation: Nullable(WpayPaytoSimulationOptions),
})

export const WpayPaytoOptions = Options('WpayPaytoOptions', {
  instrument: Nullable(WpayPaytoResourceOptions),
  payment: Nullable(WpayPaytoResourceOptions),
  refund: Nullable(WpayPaytoResourceOptions),
})
