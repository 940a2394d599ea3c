import { type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'

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
    ...NO_CAPABILITIES,
    directCapture: true,
    partialRefunds: true,
  },
  recovery: { by: 'lookup' },
  shownInTranscripts: [
    ...['attempt_id', 'transaction_id', 'operation', 'status', 'reference', 'amount', 'currency', 'capture'],
    ...['instrument.type', 'code', 'description', 'error', 'x-merchant-id', 'x-product'],
    ...['/authorizations/*', '/captures', '/voids', '/cancels', '/refunds', '/attempts/*'],
  ],
  isSimulator: true,
}
