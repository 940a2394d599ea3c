import type { AntiFraudManifest } from '../contract/anti-fraud.ts'

export const manifest: AntiFraudManifest = {
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
