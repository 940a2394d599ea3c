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
  isSimulator: false,
}
