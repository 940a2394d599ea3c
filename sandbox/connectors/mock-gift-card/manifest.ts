import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { OPTIONS } from './option-schemas.ts'

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
  options: OPTIONS,
  isSimulator: true,
}
