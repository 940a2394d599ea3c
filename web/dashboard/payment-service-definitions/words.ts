import type { Schemas } from '../../api/schema.d.ts'

export type Definition = Schemas['PaymentServiceDefinition']
type Terms = Definition['terms']

/** Where the ways to pay are listed. */
export const WAYS = { to: '/payment-service-definitions', label: 'Ways to pay' }

/** What the buyer does. */
const ACTIONS: Readonly<Record<Terms['buyer_action'], string>> = {
  card: 'Types a card',
  bank_account: 'Enters a bank account',
  page: 'Approves on a page',
  qr_code: 'Scans a code',
  voucher: 'Pays elsewhere with a number',
  app: 'Approves in an app',
  direct_debit: 'Permits a debit on a page',
}

export function actionText({ terms }: Definition): string {
  return ACTIONS[terms.buyer_action]
}

type Work = {
  readonly value: string
  readonly label: string
  readonly has: (definition: Definition) => boolean
  /** The less that it includes, which need not be said with it. */
  readonly includes?: string
}

/** What works with a way to pay, or does not. */
export const WORKS: readonly Work[] = [
  { value: 'captures', label: 'Separate capture', has: ({ terms }) => terms.captures !== 'with_approval' },
  {
    value: 'partial_captures',
    label: 'Several captures',
    has: ({ terms }) => terms.captures === 'several',
    includes: 'captures',
  },
  { value: 'refunds', label: 'Refunds', has: ({ terms }) => terms.refunds !== 'none' },
  {
    value: 'partial_refunds',
    label: 'Partial refunds',
    has: ({ terms }) => terms.refunds === 'partial',
    includes: 'refunds',
  },
  { value: 'recurring', label: 'Recurring payments', has: ({ terms }) => terms.recurring !== 'none' },
  { value: 'payouts', label: 'Payouts', has: ({ terms }) => terms.payouts },
  { value: 'wallets', label: 'Apple Pay and Google Pay', has: ({ terms }) => terms.wallets.length > 0 },
  featured('three_d_secure_hosted', '3-D Secure'),
  featured('three_d_secure_pass_through', 'External 3-D Secure'),
  featured('network_tokens_toggle', 'Network tokens'),
  featured('settlement_reporting', 'Settlement files'),
]

function featured(name: string, label: string): Work {
  return { value: name, label, has: ({ supported_features }) => supported_features[name] === true }
}

export function worksText(definition: Definition): string {
  const works = WORKS.filter(({ has }) => has(definition))
  const included = works.map(({ includes }) => includes)
  return works
    .filter(({ value }) => !included.includes(value))
    .map(({ label }) => label)
    .join(', ')
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** How long the buyer may take, as far as it is known before a payment. */
export function timeLimitText({ terms: { time_limit_seconds: seconds } }: Definition): string | null {
  const [size, unit] = UNITS.find(([one]) => seconds !== null && seconds % one === 0) ?? []
  if (seconds === null || size === undefined) return null
  return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
}

/** What the names of a provider's definitions begin with. */
export function providerNames(definitions: readonly Definition[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(definitions, providerOf)
  return new Map([...groups].map(([provider, own]) => [provider, commonWords(own)]))
}

export function providerOf({ id }: Pick<Definition, 'id'>): string {
  return id.slice(0, id.indexOf('-'))
}

function commonWords([first, ...others]: readonly Definition[]): string {
  const words = first?.display_name.split(' ') ?? []
  const isShared = (word: string, index: number) =>
    others.every(({ display_name }) => display_name.split(' ')[index] === word)
  const end = words.findIndex((word, index) => !isShared(word, index))
  // Of a provider with one definition, the whole name.
  return words.slice(0, end === -1 ? words.length : Math.max(1, end)).join(' ')
}
