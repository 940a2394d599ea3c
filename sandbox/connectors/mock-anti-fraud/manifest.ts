import type { AccountManifest } from '#connectors/contract/manifest.ts'

export const manifest: AccountManifest = {
  id: 'mock-anti-fraud',
  displayName: 'Mock anti-fraud',
  fields: [
    {
      key: 'webhook_secret',
      displayName: 'Webhook secret',
      isRequired: false,
      format: 'text',
      isSecret: true,
      isVerifiable: false,
    },
  ],
  isSimulator: true,
}
