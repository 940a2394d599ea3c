import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { GIFT_CARD_OPTIONS } from '#connectors/simulators/options.ts'

export const manifest: AccountManifest = {
  id: 'mock-gift-card',
  displayName: 'Mock gift card',
  fields: [
    {
      key: 'api_key',
      displayName: 'API key',
      isRequired: true,
      format: 'text',
      isSecret: true,
      isVerifiable: false,
    },
  ],
  shownInTranscripts: [
    ...[
      'attempt_id',
      'transaction_id',
      'operation',
      'status',
      'reference',
      'amount',
      'currency',
      'redemption',
    ],
    ...['redemption_attempt_id', 'code', 'raw_code', 'error', 'x-fault'],
    ...['/redemptions', '/refunds', '/reversals', '/attempts/*'],
  ],
  options: GIFT_CARD_OPTIONS,
  isSimulator: true,
}
