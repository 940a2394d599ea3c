import type { Manifest } from '#connectors/contract/manifest.ts'

export const manifest: Manifest = {
  id: 'mock-paypal',
  displayName: 'Mock PayPal',
  method: 'paypal',
  mode: 'redirect',
  instruments: ['redirect', 'provider-token'],
  fields: [
    {
      key: 'merchant_id',
      displayName: 'Merchant id',
      isRequired: true,
      format: 'text',
      isSecret: false,
      isVerifiable: true,
    },
  ],
  reportingFields: [],
  currencies: 'all',
  countries: 'all',
  capabilities: {
    directCapture: true,
    multipleCaptures: false,
    overCapture: false,
    remainderVoids: false,
    partialRefunds: true,
    partialAuthorization: false,
    zeroAuthorization: false,
    threeDSecurePassThrough: false,
    threeDSecureByProvider: false,
  },
  recovery: { by: 'lookup' },
  isSimulator: true,
}
