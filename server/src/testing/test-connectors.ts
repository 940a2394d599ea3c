import type { Connector, VerifyAnswer } from '#connectors/contract/connector.ts'
import { type Field, type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'

const MANIFEST = {
  reportingFields: [],
  capabilities: {
    ...NO_CAPABILITIES,
  },
  recovery: { by: 'notification' },
  isSimulator: true,
} satisfies Partial<Manifest>

/** Has a field of every kind. Its sessions and verifications do as they are told. */
const testCard: Connector = {
  manifest: {
    ...MANIFEST,
    id: 'test-card',
    displayName: 'Test card',
    method: 'card',
    mode: 'card',
    instruments: ['card'],
    fields: [
      field('merchant_id', { isRequired: true, isVerifiable: true }),
      field('api_key', { isSecret: true, isVerifiable: true }),
      field('certificate', { isSecret: true, format: 'file' }),
      field('terminal', { format: 'number' }),
      field('zone', { format: 'timezone' }),
      field('live', { format: 'boolean' }),
      field('host', { isAddress: true }),
    ],
    reportingFields: [
      field('report_user', { isRequired: true }),
      field('report_password', { isRequired: true, isSecret: true }),
    ],
    currencies: ['EUR', 'GBP', 'USD'],
    countries: ['DE', 'GB', 'NL', 'US'],
  },
  reports: {
    list: async () => ({ outcome: 'listed', files: [], hasMore: false }),
    read: async function* () {},
    parse: async function* () {},
  },
  session: async ({ payload }, { fields }) => {
    switch (payload['act']) {
      case 'refuse':
        return { outcome: 'failed', code: 'unknown_domain', statusCode: 422 }
      case 'lie':
        return undefined as never
      case 'break':
        throw new Error(`garbage with ${fields['api_key']}`)
      case 'stall':
        return new Promise(() => {})
      default:
        return { outcome: 'succeeded', statusCode: 201, body: { payload, known: Object.keys(fields) } }
    }
  },
  registerNotifications: async () => ({ outcome: 'registered', fields: {} }),
  verify: async ({ fields }): Promise<VerifyAnswer> => {
    switch (fields['merchant_id']) {
      case 'unreachable':
        return { outcome: 'unreachable', message: 'no route' }
      case 'break':
        throw new Error(`garbage with ${fields['api_key']}`)
      case 'stall':
        return new Promise(() => {})
      default:
        if (fields['api_key'] === 'right-key') return { outcome: 'accepted' }
        return { outcome: 'rejected', message: `no such key: ${fields['api_key']}` }
    }
  },
}

/** Supports no operation. */
const testRedirect: Connector = {
  manifest: {
    ...MANIFEST,
    id: 'test-redirect',
    displayName: 'Test redirect',
    method: 'ideal',
    mode: 'redirect',
    instruments: ['redirect', 'network-token'],
    fields: [field('account', { isRequired: true, isSecret: true })],
    currencies: ['EUR'],
    countries: 'all',
  },
}

/** What the bank got: the instrument of each payment, opened. Tests empty it. */
export const debited: unknown[] = []

function bank(kind: 'bank' | 'plaid'): Connector {
  return {
    manifest: {
      ...MANIFEST,
      id: `test-${kind}`,
      displayName: `Test ${kind}`,
      method: kind,
      mode: 'bank',
      instruments: [kind],
      fields: [field('account', { isRequired: true })],
      currencies: 'all',
      countries: 'all',
    },
    authorize: async ({ instrument, attemptId }) => {
      if (instrument.kind !== kind) throw new Error('a bank got another instrument')
      debited.push({ kind, ...instrument.payload.use((bytes) => JSON.parse(bytes.toString())) })
      return { outcome: 'approved', reference: attemptId, facts: {} }
    },
  }
}

export const TEST_CONNECTORS: readonly Connector[] = [testCard, testRedirect, bank('bank'), bank('plaid')]

function field(key: string, rest: Partial<Field>): Field {
  return {
    key,
    displayName: key,
    isRequired: false,
    format: 'text',
    isSecret: false,
    isVerifiable: false,
    ...rest,
  }
}
