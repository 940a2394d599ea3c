import { passesLuhn } from '../../../server/src/domain/card.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { serviceNow } from '../api/service-time.ts'
import { countryOptions } from '../parts/countries.ts'
import type { Field, Option, Typed } from '../parts/fields.tsx'
import { plain, sourceName } from '../transactions/words.ts'
import { PRESENT_RULES } from './words.ts'

type DryRun = Schemas['FlowDryRunCreate']
type Payment = NonNullable<DryRun['transaction']>

export const FIRST_VALUES = {
  currency: 'EUR',
  country: 'NL',
  amount: 2500,
  method: 'card',
  digits: '41111111',
}

const SOURCES: readonly NonNullable<Payment['payment_source']>[] = [
  'ecommerce',
  'moto',
  'recurring',
  'installment',
  'card_on_file',
]
const DECISIONS: readonly NonNullable<DryRun['anti_fraud_decision']>[] = [
  'accept',
  'review',
  'reject',
  'skipped',
  'error',
  'exception',
]

export type Subject = 'past' | 'typed'

/** Which payment is tried: one that was made, or one that the person describes. */
export const SUBJECT: Field = {
  name: 'subject',
  label: 'Payment',
  kind: 'choice',
  isRequired: true,
  options: [
    { value: 'past', label: 'An existing payment' },
    { value: 'typed', label: 'A payment I describe' },
  ],
}

type Options = {
  readonly methods: readonly Option[]
  readonly versions: readonly Option[] | undefined
  /** The last payments. */
  readonly payments: readonly Option[]
}

/** Stands for a payment that is not among the last ones. */
export const BY_ID = 'by-id'

export function tryFields(
  subject: Subject,
  typed: Typed,
  { methods, versions, payments }: Options,
): readonly Field[] {
  const own = subject === 'typed' ? describedFields(typed, methods) : pastFields(typed, payments)
  if (!versions) return own
  return [...own, { name: 'version', label: 'Rules', kind: 'choice', options: versions, hint: PRESENT_RULES }]
}

function pastFields(typed: Typed, payments: readonly Option[]): readonly Field[] {
  return [
    {
      name: 'recent',
      label: 'Which one',
      kind: 'choice',
      isRequired: true,
      options: [...payments, { value: BY_ID, label: 'Another payment, by id' }],
    },
    ...(typed['recent'] === BY_ID ? ID : []),
  ]
}

const ID: readonly Field[] = [
  {
    name: 'transaction_id',
    label: 'Payment id',
    kind: 'text',
    isRequired: true,
    hint: 'You find it on the payment’s page, under “Processing”.',
  },
]

function describedFields(typed: Typed, methods: readonly Option[]): readonly Field[] {
  const currency = String(typed['currency'] || 'EUR')
  return [
    { name: 'amount', label: 'Amount', kind: 'money', currency, isRequired: true, isHalf: true },
    { name: 'currency', label: 'Currency', kind: 'currency', isRequired: true, isHalf: true },
    {
      name: 'country',
      label: 'Country',
      kind: 'choice',
      options: countryOptions(),
      isRequired: typed['method'] !== 'card',
    },
    { name: 'method', label: 'Method', kind: 'choice', options: methods, isRequired: true },
    ...(typed['method'] === 'card' ? CARD : []),
    {
      name: 'payment_source',
      label: 'Source',
      kind: 'choice',
      options: SOURCES.map((value) => ({ value, label: sourceName(value) })),
      isHalf: true,
    },
    {
      name: 'anti_fraud_decision',
      label: 'Anti-fraud decision',
      kind: 'choice',
      options: DECISIONS.map((value) => ({ value, label: plain(value) })),
      isHalf: true,
    },
    { name: 'merchant_initiated', label: 'Merchant-initiated', kind: 'flag' },
    { name: 'metadata', label: 'Metadata', kind: 'pairs', hint: 'key: value, one per line' },
  ]
}

const CARD: readonly Field[] = [
  {
    name: 'digits',
    label: 'First digits of the card',
    kind: 'text',
    isRequired: true,
    hint: 'Six to eight digits, never the whole number.',
  },
]

/** The request of a dry run from what was typed. */
export function dryRunOf(
  subject: Subject,
  body: Record<string, unknown>,
  rules: DryRun['rules'] | undefined,
): DryRun {
  const { recent, transaction_id, version, anti_fraud_decision, ...described } = body
  const id = recent === BY_ID ? String(transaction_id).trim() : String(recent)
  const about = subject === 'typed' ? { transaction: paymentOf(described) } : { transaction_id: id }
  return {
    ...about,
    ...(subject === 'typed' &&
      anti_fraud_decision !== undefined && { anti_fraud_decision: anti_fraud_decision as 'accept' }),
    ...(rules ? { rules } : version !== undefined && { version: Number(version) }),
  }
}

function paymentOf({ method, digits, ...rest }: Record<string, unknown>): Payment {
  const { country, currency } = rest
  const payment_method =
    method === 'card'
      ? { method, number: numberFrom(String(digits)), expiration_date: nextYears() }
      : { method, country, currency, redirect_url: 'https://example.com/back' }
  return { ...rest, payment_method } as unknown as Payment
}

/** A number that begins with these digits, and that no card has: zeros, and the digit that makes it pass. */
function numberFrom(digits: string): string {
  const start = digits.replaceAll(/\D/g, '').slice(0, 8)
  const length = /^3[47]/.test(start) ? 15 : 16
  const zeros = start.padEnd(length - 1, '0')
  return [...'0123456789'].map((last) => `${zeros}${last}`).find(passesLuhn) ?? zeros
}

function nextYears(): string {
  return `12/${String(serviceNow().getUTCFullYear() + 2).slice(-2)}`
}

/** The pointers of the request as the questions are called. */
export function renamed(pointer: string): string {
  if (pointer.startsWith('/transaction/payment_method/number')) return '/digits'
  if (pointer.startsWith('/transaction/payment_method/'))
    return pointer.replace('/transaction/payment_method', '')
  return pointer.replace(/^[/]transaction[/]/, '/')
}
