import type { AccountManifest } from '#connectors/contract/manifest.ts'

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
  isSimulator: true,
}
