import { type CompiledVersion, compileVersion } from '#resources/flows/compile-rules.ts'
import type { Condition } from '#resources/flows/conditions/schemas.ts'
import type { StoredRule } from '#resources/flows/schemas.ts'
import { decideRoute, decisionEvent, declineEarly } from '#resources/transactions/flow/decide.ts'
import type { Payment } from '#resources/transactions/flow/facts-of.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'

const RULES = 50
const PER_ROUND = 20_000
const MICROSECONDS_MAX = 20

export const decideByRules: Benchmark = {
  name: 'decide-by-rules',
  title: 'Deciding by rules',
  explanation:
    'How much processor time the rules take for one payment: all steps from declining early to choosing the services, with the ' +
    'event that keeps the decision, as JSON. There are 50 rules that route, with six conditions each, and only the last one matches.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const version = compileVersion({
    number: 1,
    rules: Array.from({ length: RULES }, (_, index) => ruleAt(index)),
  })
  const payments = Array.from({ length: 64 }, (_, index) => paymentAt(index))
  progress('warming up')
  timeOf(version, payments)
  const rounds: number[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}`)
    rounds.push(timeOf(version, payments))
  }
  const target = { is: 'at most', limit: MICROSECONDS_MAX } as const
  return {
    settings: [`${pace.rounds} rounds of ${PER_ROUND} decisions about 64 payments, in one process`],
    figures: [figure({ name: 'processor time of a decision', unit: 'µs', target }, rounds)],
  }
}

function timeOf(version: CompiledVersion, payments: readonly Payment[]): number {
  const before = process.cpuUsage()
  let length = 0
  for (let index = 0; index < PER_ROUND; index += 1) {
    const payment = payments[index % payments.length] as Payment
    const declined = declineEarly(version, payment)
    const decided = decideRoute(version, payment, { declined, isNamed: false })
    length += JSON.stringify(decisionEvent(decided)).length
  }
  if (length === 0) throw new Error('nothing was decided')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / PER_ROUND
}

/** Each condition but the last holds for every payment, so that all six are looked at. */
function ruleAt(index: number): StoredRule {
  const isLast = index === RULES - 1
  const id = `0199f3a0-5d3b-7c00-8a11-${String(index).padStart(12, '0')}`
  const conditions: Condition[] = [
    { name: 'currency', operator: 'is_one_of', value: ['EUR', 'USD', 'GBP'] },
    { name: 'country', operator: 'is_not_one_of', value: ['KP', 'SY', 'CU'] },
    { name: 'amount', operator: 'is_between', value: { currency: 'EUR', min: 1, max: 1_000_000 } },
    { name: 'card_scheme', operator: 'is_one_of', value: ['visa', 'mastercard'] },
    {
      name: 'card_bin',
      operator: 'is_one_of',
      value: ['40000000-49999999', '51000000-55999999', '2221-2720'],
    },
    {
      name: 'metadata',
      operator: 'includes',
      value: { key: 'channel', value: isLast ? 'web' : `shop-${index}` },
    },
  ]
  return {
    id,
    flow: 'card-transaction',
    action: 'route-transaction',
    description: `Rule ${index}`,
    conditions,
    outcome: { type: 'card-routing', version: 2, result: [{ payment_service_id: id, instrument: 'pan' }] },
    error_code: null,
    created_at: '2026-11-15T09:30:00.000Z',
    updated_at: '2026-11-15T09:30:00.000Z',
  }
}

function paymentAt(index: number): Payment {
  return {
    row: {
      id: `0199f3a0-5d3b-7c00-8a12-${String(index).padStart(12, '0')}`,
      merchant_account_id: 'default',
      amount: 1_000 + index,
      currency: 'EUR',
      country: 'NL',
      method: 'card',
      payment_source: 'ecommerce',
      merchant_initiated: false,
      is_subsequent_payment: false,
      has_gift_card_redemptions: false,
      buyer_id: null,
      payment_method_id: null,
      payment_method_scheme: 'visa',
      payment_method_country: 'NL',
      payment_method_fingerprint: `card-${index}`,
      payment_method_bin: '41111111',
    },
    document: {
      instrument_type: 'pan',
      metadata: { channel: 'web' },
      payment_method: null,
      order: {},
    },
    giftCardBins: [],
    decision: null,
    at: new Date('2026-11-15T09:30:00Z'),
  }
}
