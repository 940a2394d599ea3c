import { Nullable } from '#platform/http/schemas.ts'
import { Options, Text, TextMapOf, Texts } from './fields.ts'

export const CybersourceAntiFraudOptions = Options('CybersourceAntiFraudOptions', {
  merchant_defined_data: Nullable(TextMapOf(5000)),
  meta_key_merchant_id: Text,
  shipping_method: Text,
})

export const CybersourceOptions = Options('CybersourceOptions', {
  meta_key_merchant_id: Text,
  merchant_defined_information: Texts,
  ship_to_method: Text,
  comments: Text,
})
