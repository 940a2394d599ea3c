import type { GiftCardManifest } from '../contract/gift-card.ts'

export const manifest: GiftCardManifest = {
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
