import {
  type AccountUpdaterConnector,
  type CardUpdateOrder,
  UPDATER_SCHEMES,
} from '#connectors/contract/account-updater.ts'

/** What it was asked, the newest last, and with which key. */
export const asked: { readonly order: CardUpdateOrder; readonly key: string | undefined }[] = []

/** The field `account` says how it answers: `closed`, `refuse`, and it throws at anything else. */
export const testAccountUpdater: AccountUpdaterConnector = {
  manifest: {
    id: 'test-account-updater',
    displayName: 'Test account updater',
    fields: [field('account', true), { ...field('api_key', false), isSecret: true }],
    isSimulator: false,
  },
  schemes: UPDATER_SCHEMES,
  findUpdate: async (order, { fields }) => {
    asked.push({ order, key: fields['api_key'] })
    if (fields['account'] === 'closed') return { outcome: 'closed' }
    if (fields['account'] === 'refuse') return { outcome: 'refused', reason: 'the card is not taken' }
    throw new Error('the updater is broken')
  },
}

/** It knows one scheme. */
export const plainAccountUpdater: AccountUpdaterConnector = {
  manifest: {
    ...testAccountUpdater.manifest,
    id: 'plain-account-updater',
    displayName: 'Plain account updater',
  },
  schemes: ['visa'],
  findUpdate: testAccountUpdater.findUpdate,
}

function field(key: string, isRequired: boolean) {
  return { key, displayName: key, isRequired, format: 'text', isSecret: false, isVerifiable: false } as const
}
