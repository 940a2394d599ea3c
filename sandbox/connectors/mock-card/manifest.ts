import { field } from '#connectors/contract/describe.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import { CARD_OPTIONS, CARD_PAYOUT_OPTIONS } from '#connectors/simulators/options.ts'

export const manifest: Manifest = {
  id: 'mock-card',
  displayName: 'Mock card',
  method: 'card',
  mode: 'card',
  instruments: ['card', 'network-token', 'wallet', 'provider-token'],
  fields: [
    field('merchant_id', 'Merchant id', { isRequired: true, isVerifiable: true }),
    field('extended', 'Support cancel, sync and increment', { format: 'boolean' }),
    field('asynchronous', 'Asynchronous results', { format: 'boolean' }),
    field('funded', 'Limit payouts to earnings', { format: 'boolean' }),
    field('dispute_notifications', 'Notify of chargebacks immediately', { format: 'boolean' }),
    field('webhook_secret', 'Webhook secret', { isSecret: true }),
  ],
  reportingFields: [
    field('settlement_currency', 'Settlement currency', {}),
    field('report_fault', 'Simulated report fault', {}),
  ],
  currencies: 'all',
  countries: 'all',
  capabilities: {
    directCapture: true,
    multipleCaptures: true,
    overCapture: true,
    remainderVoids: true,
    partialRefunds: true,
    partialAuthorization: true,
    zeroAuthorization: true,
    threeDSecurePassThrough: true,
    threeDSecureByProvider: false,
    operationNeeds: { cancel: isExtended, sync: isExtended, increment: isExtended },
  },
  recovery: { by: 'lookup' },
  shownInTranscripts: [
    ...['attempt_id', 'transaction_id', 'operation', 'status', 'reference', 'amount', 'currency', 'capture'],
    ...['partial', 'final', 'instrument.type', 'code', 'description', 'error', 'response_code', 'avs'],
    ...[
      'advice_code',
      'do_not_retry',
      'scheme_transaction_id',
      'asynchronous',
      'x-merchant-id',
      'x-fault',
      'act',
    ],
    ...['cvv=match*', 'cvv=no*', 'cvv=unavailable*'],
    ...['/authorizations/*', '/captures', '/voids', '/cancels', '/refunds', '/increments', '/attempts/*'],
    ...['/disputes/*', '/answers'],
  ],
  disputeAnswers: {
    accepts: ['chargeback'],
    defends: ['chargeback'],
    texts: { explanation: 20_000, shipping_carrier: 200, tracking_number: 200, delivered_on: 50 },
    textsMax: 20_450,
    files: ['receipt', 'proof_of_delivery', 'buyer_messages', 'refund_policy', 'other'],
    contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
    fileBytesMax: 2_000_000,
    filesBytesMax: 5_000_000,
  },
  options: CARD_OPTIONS,
  payoutOptions: CARD_PAYOUT_OPTIONS,
  isSimulator: true,
}

/** Many real processors do not support these. Merchants who expect that must see it in the sandbox. */
function isExtended(fields: Readonly<Record<string, string>>): boolean {
  return fields['extended'] === 'true'
}
