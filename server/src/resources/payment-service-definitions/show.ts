import type { Connector } from '#connectors/contract/connector.ts'
import { COUNTRIES } from '#domain/country.ts'
import { CURRENCIES } from '#domain/currency.ts'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import { showField } from '#processing/service-accounts/schemas.ts'
import { featuresOf } from './features.ts'
import type { PaymentServiceDefinition } from './schemas.ts'

const CONFIGURATION: PaymentServiceDefinition['configuration'] = {
  approval_ui_target: 'any',
  approval_ui_height: '600px',
  approval_ui_width: '500px',
  cart_items_limit: 1000,
  cart_items_required: false,
  cart_items_should_match_amount: false,
}

/** A connector as merchants see it. */
export function showDefinition(connector: Connector, publicUrl: string): PaymentServiceDefinition {
  const { manifest } = connector
  const hasIcon = Object.hasOwn(PAYMENT_METHODS, manifest.method)
  return {
    id: manifest.id,
    type: 'payment-service-definition',
    display_name: manifest.displayName,
    method: manifest.method,
    mode: manifest.mode,
    icon_url: hasIcon ? `${publicUrl}/assets/payment-methods/${manifest.method}.svg` : null,
    fields: manifest.fields.map(showField),
    reporting_fields: manifest.reportingFields.map(showField),
    supported_currencies: [...currenciesOf(connector)],
    supported_countries: [...countriesOf(connector)],
    supported_features: { ...featuresOf(connector) },
    required_checkout_fields: [],
    configuration: CONFIGURATION,
    supported_integration_clients: manifest.mode === 'redirect' ? ['redirect'] : null,
  }
}

export function currenciesOf({ manifest }: Connector): readonly string[] {
  return manifest.currencies === 'all' ? CURRENCIES : manifest.currencies
}

export function countriesOf({ manifest }: Connector): readonly string[] {
  return manifest.countries === 'all' ? COUNTRIES : manifest.countries
}
