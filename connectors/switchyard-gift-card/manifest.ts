import { field } from '#connectors/contract/describe.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'

export const manifest: AccountManifest = {
  id: 'switchyard-gift-card',
  displayName: 'Switchyard gift card',
  fields: [
    field('program', 'Program', { isRequired: true }),
    field('program_key', 'Program key', { isRequired: true, isSecret: true }),
    field('valid_months', 'Months that a card is valid', { format: 'number' }),
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
  isSimulator: false,
}
