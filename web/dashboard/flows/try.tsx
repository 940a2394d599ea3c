import { useState } from 'react'
import { passesLuhn } from '../../../server/src/domain/card.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress, valuesOf } from '../address.ts'
import { pointingElsewhere, send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { serviceNow } from '../api/service-time.ts'
import { Form } from '../parts/ask.tsx'
import { Link, Ways } from '../parts/controls.tsx'
import { countryOptions } from '../parts/countries.ts'
import { type Field, Fields, field, type Option, type Typed, type Values } from '../parts/fields.tsx'
import { Columns, EmptyCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { exactText, moneyText, Status } from '../parts/values.tsx'
import { paidWithText } from '../transactions/payments-of.tsx'
import { buyerName, markOf, methodName, plain, sourceName } from '../transactions/words.ts'
import { Steps } from './steps.tsx'
import { useOptions } from './use-rules.ts'
import { PRESENT_RULES, reasonText, THREE_D_SECURE, WAYS } from './words.ts'

/** A dry run of stored rules. The address may name a payment, which is then tried at once. */
export function Try() {
  const { search, change } = useAddress()
  const [described, setDescribed] = useState<Schemas['FlowDryRun']>()
  const isAllowed = useMay()('transactions.read')
  const [transactionId] = valuesOf(search, 'transaction')
  const [version] = valuesOf(search, 'version')
  return (
    <Page
      title="Try rules"
      under="See what the rules would decide. Nothing is stored, and no provider is contacted."
    >
      <Ways {...WAYS} />
      {isAllowed ? (
        <Columns
          main={
            described ? (
              <Section title="Result">
                <DryRunResult of={described} />
              </Section>
            ) : transactionId ? (
              <Named transactionId={transactionId} version={version} />
            ) : (
              <EmptyCard title="Choose a payment">
                Choose a recent payment or describe one, and see what each rule would do. You can also start
                from a payment’s page, under “Routing”.
              </EmptyCard>
            )
          }
          side={
            <TryCard
              initial={{ transaction_id: transactionId, version }}
              onTried={(result, { transaction_id, version: number }) => {
                setDescribed(transaction_id === undefined ? result : undefined)
                change({
                  transaction: transaction_id,
                  version: number === undefined ? undefined : String(number),
                })
              }}
            />
          }
        />
      ) : (
        <EmptyCard title="Not allowed">
          Your roles do not allow you to see payments, so you cannot test rules on them.
        </EmptyCard>
      )}
    </Page>
  )
}

type NamedProps = { readonly transactionId: string; readonly version: string | undefined }

function Named({ transactionId, version }: NamedProps) {
  const number = Number(version)
  const result = useRead('POST /flows/dry-run', {
    body: { transaction_id: transactionId, ...(number > 0 && { version: number }) },
  })
  return (
    <Section
      title="Result"
      actions={
        <Link to={`/transactions/${transactionId}`} className="text-link">
          The payment
        </Link>
      }
    >
      <Loaded of={result}>{(it) => <DryRunResult of={it} />}</Loaded>
    </Section>
  )
}

type DryRun = Schemas['FlowDryRun']

type Props = {
  /** All rules with the one that is written. Undefined: it is not whole yet. Without it, stored rules are tried. */
  readonly drafted?: () => readonly Schemas['DraftRule'][] | undefined
  readonly initial?: Values
  /** Shows the result elsewhere. Without it, it is shown below the questions. */
  readonly onTried?: (result: DryRun, request: DryRunRequest) => void
}

/** Tries the rules on a payment. Nothing is stored, and no provider is asked. */
export function TryCard({ drafted, initial = {}, onTried }: Props) {
  const isAllowed = useMay()('transactions.read')
  const [subject, setSubject] = useState<Subject>(drafted ? 'typed' : 'past')
  const [result, setResult] = useState<DryRun>()
  const [isUnfinished, setUnfinished] = useState(false)
  const methods = useMethods()
  const versions = useVersions(drafted === undefined)
  const payments = usePayments(isAllowed)
  const recent = initial['transaction_id'] === undefined ? undefined : BY_ID
  if (!isAllowed) return null
  return (
    <Section title="Test on a payment">
      <div className="try">
        <Fields
          fields={[SUBJECT]}
          typed={{ subject }}
          faults={{}}
          isLocked={false}
          onType={(_name, value) => setSubject(value as Subject)}
        />
        <Form
          key={subject}
          fields={(typed: Typed) => tryFields(subject, typed, { methods, versions, payments })}
          initial={{ ...FIRST_VALUES, recent, ...initial }}
          verb="Try"
          send={async (body) => {
            const rules = drafted?.()
            setUnfinished(drafted !== undefined && rules === undefined)
            if (drafted && !rules) return undefined
            const request = dryRunOf(subject, body, rules && [...rules])
            const answer = await pointingElsewhere(
              () => send('POST /flows/dry-run', { body: request }),
              renamed,
            )
            return { answer, request }
          }}
          onDone={(done) => {
            if (done && onTried) onTried(done.answer, done.request)
            else setResult(done?.answer)
          }}
        />
        {isUnfinished && (
          <Notice tone="wait" title="The rule is incomplete" isNews>
            The form shows what is missing.
          </Notice>
        )}
        {result && !isUnfinished && <DryRunResult of={result} />}
        {!result && (
          <p className="hint">
            {drafted ? 'Uses your unsaved changes. ' : ''}Nothing is stored, and no provider is asked.
          </p>
        )}
      </div>
    </Section>
  )
}

/** Cards, and the methods that services of the account take. */
function useMethods(): readonly Option[] {
  const { data } = useOptions({ flow: 'checkout', action: 'select-payment-options' })
  const taken = (data?.items ?? []).filter(({ id, active }) => active && id !== 'card')
  return [
    { value: 'card', label: methodName('card') },
    ...taken.map(({ id, label }) => ({ value: id, label })),
  ]
}

const PAYMENTS_SHOWN = 20

/** The last ones, as people tell them apart. */
function usePayments(isWanted: boolean): readonly Option[] {
  const { data } = useRead('GET /transactions', { query: { limit: PAYMENTS_SHOWN }, isWanted })
  return (data?.items ?? []).map((one) => {
    const facts = [moneyText(one.amount, one.currency), markOf(one).label, buyerName(one), paidWithText(one)]
    return { value: one.id, label: [...facts, exactText(one.created_at)].filter(Boolean).join(' · ') }
  })
}

const VERSIONS_SHOWN = 50

function useVersions(isWanted: boolean): readonly Option[] | undefined {
  const { data } = useRead('GET /flows/versions', { query: { limit: VERSIONS_SHOWN }, isWanted })
  if (!isWanted) return undefined
  return (data?.items ?? []).map(({ number, note }) => ({
    value: String(number),
    label: `Version ${number}: ${note}`,
  }))
}

/** What would become of the payment, and why. */
function DryRunResult({ of: it }: { readonly of: DryRun }) {
  return (
    <div className="try-result" role="status">
      <p className="decision-summary">{summaryOf(it)}</p>
      <p className="quiet-text">
        {it.version === null ? 'With your unsaved changes' : `With version ${it.version} of the rules`}
      </p>
      {it.objection && (
        <Notice
          tone={it.objection.stops === 'payment' ? 'bad' : 'wait'}
          title={
            it.objection.stops === 'payment'
              ? 'The card scheme does not allow this payment'
              : 'Against the card scheme’s rules'
          }
        >
          {it.objection.text}
        </Notice>
      )}
      {it.candidates.length > 0 && (
        <section>
          <h3>Payment services</h3>
          <ol className="decision-list">
            {it.candidates.map(({ payment_service_id, display_name, reason, text }) => (
              <li key={payment_service_id}>
                <Status tone={reason === null ? 'good' : 'mute'}>
                  {reason === null ? 'In this order' : 'Skipped'}
                </Status>
                <span>
                  {reason === null ? display_name : `${display_name}: ${reasonText(reason)}`}
                  {text !== null && <span className="quiet-text candidate-text">{text}</span>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <Steps of={it.steps} />
    </div>
  )
}

function summaryOf({ error_code, objection, candidates, three_d_secure }: DryRun): string {
  if (error_code !== null) return `A rule would decline it with ${error_code}.`
  if (objection?.stops === 'payment') return `It would be declined with ${objection.error_code}.`
  const asked = candidates.filter(({ reason }) => reason === null).map(({ display_name }) => display_name)
  const where =
    asked.length === 0 ? 'No payment service would be used' : `It would go to ${asked.join(', then to ')}`
  const wish =
    three_d_secure === null
      ? ''
      : ` 3-D Secure: ${(THREE_D_SECURE[three_d_secure] ?? three_d_secure).toLowerCase()}.`
  return `${where}.${wish}`
}

type DryRunRequest = Schemas['FlowDryRunCreate']
type Payment = NonNullable<DryRunRequest['transaction']>

const FIRST_VALUES = {
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
const DECISIONS: readonly NonNullable<DryRunRequest['anti_fraud_decision']>[] = [
  'accept',
  'review',
  'reject',
  'skipped',
  'error',
  'exception',
]

type Subject = 'past' | 'typed'

/** Which payment is tried: one that was made, or one that the person describes. */
const SUBJECT: Field = field('choice', 'subject', 'Payment', {
  isRequired: true,
  options: [
    { value: 'past', label: 'An existing payment' },
    { value: 'typed', label: 'A payment I describe' },
  ],
})

type Options = {
  readonly methods: readonly Option[]
  readonly versions: readonly Option[] | undefined
  /** The last payments. */
  readonly payments: readonly Option[]
}

/** Stands for a payment that is not among the last ones. */
const BY_ID = 'by-id'

function tryFields(
  subject: Subject,
  typed: Typed,
  { methods, versions, payments }: Options,
): readonly Field[] {
  const own = subject === 'typed' ? describedFields(typed, methods) : pastFields(typed, payments)
  if (!versions) return own
  return [...own, field('choice', 'version', 'Rules', { options: versions, hint: PRESENT_RULES })]
}

function pastFields(typed: Typed, payments: readonly Option[]): readonly Field[] {
  return [
    field('choice', 'recent', 'Which one', {
      isRequired: true,
      options: [...payments, { value: BY_ID, label: 'Another payment, by id' }],
    }),
    ...(typed['recent'] === BY_ID ? ID : []),
  ]
}

const ID: readonly Field[] = [
  field('text', 'transaction_id', 'Payment id', {
    isRequired: true,
    hint: 'You find it on the payment’s page, under “Processing”.',
  }),
]

function describedFields(typed: Typed, methods: readonly Option[]): readonly Field[] {
  const currency = String(typed['currency'] || 'EUR')
  return [
    field('money', 'amount', 'Amount', { currency, isRequired: true, isHalf: true }),
    field('currency', 'currency', 'Currency', { isRequired: true, isHalf: true }),
    field('choice', 'country', 'Country', {
      options: countryOptions(),
      isRequired: typed['method'] !== 'card',
    }),
    field('choice', 'method', 'Method', { options: methods, isRequired: true }),
    ...(typed['method'] === 'card' ? CARD : []),
    field('choice', 'payment_source', 'Source', {
      options: SOURCES.map((value) => ({ value, label: sourceName(value) })),
      isHalf: true,
    }),
    field('choice', 'anti_fraud_decision', 'Anti-fraud decision', {
      options: DECISIONS.map((value) => ({ value, label: plain(value) })),
      isHalf: true,
    }),
    field('flag', 'merchant_initiated', 'Merchant-initiated'),
    field('pairs', 'metadata', 'Metadata', { hint: 'key: value, one per line' }),
  ]
}

const CARD: readonly Field[] = [
  field('text', 'digits', 'First digits of the card', {
    isRequired: true,
    hint: 'Six to eight digits, never the whole number.',
  }),
]

/** The request of a dry run from what was typed. */
function dryRunOf(
  subject: Subject,
  body: Record<string, unknown>,
  rules: DryRunRequest['rules'] | undefined,
): DryRunRequest {
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
function renamed(pointer: string): string {
  if (pointer.startsWith('/transaction/payment_method/number')) return '/digits'
  if (pointer.startsWith('/transaction/payment_method/'))
    return pointer.replace('/transaction/payment_method', '')
  return pointer.replace(/^[/]transaction[/]/, '/')
}
