import type { AccountManifest, Field } from '#connectors/contract/manifest.ts'

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

function field(key: string, displayName: string, rest: Partial<Field>): Field {
  return {
    key,
    displayName,
    isRequired: false,
    format: 'text',
    isSecret: false,
    isVerifiable: false,
    ...rest,
  }
}
