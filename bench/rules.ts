import { decideRoute, declineEarly, keptEventOf, keptOf } from '#payments/routing/decide.ts'
import type { Payment } from '#payments/routing/facts.ts'
import { NO_SCORES } from '#processing/scores/board.ts'
import { type CompiledVersion, compileVersion } from '#resources/flows/compile-rules.ts'
import { mustDo } from '../lab/product.ts'
import { compete, describeContenders, shareOf, turnsOf } from './contest.ts'
import { fiftyRules, paymentAt } from './fifty-rules.ts'
import { atLeast, atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import { PAYMENT } from './payment.ts'
import { openPlace, type Place } from './place.ts'

const PER_ROUND = 20_000
const MICROSECONDS_MAX = 20

export const decideByRules: Benchmark = {
  name: 'decide-by-rules',
  title: 'Deciding by rules',
  explanation:
    'How much processor time the rules take for one payment: all steps from declining early to choosing the services, with the ' +
    'what the payment keeps of the decision, as JSON. There are 50 rules that route, with six conditions each, and only the last one matches.',
  run: decide,
}

async function decide(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const version = compileVersion({ number: 1, rules: fiftyRules() })
  const payments = Array.from({ length: 64 }, (_, index) => paymentAt(index))
  progress('warming up')
  timeOf(version, payments)
  const rounds: number[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}`)
    rounds.push(timeOf(version, payments))
  }
  return {
    settings: [`${pace.rounds} rounds of ${PER_ROUND} decisions about 64 payments, in one process`],
    figures: figuresOf(rounds, [['processor time of a decision', 'µs', itself, atMost(MICROSECONDS_MAX)]]),
  }
}

const clock = () => new Date()

function timeOf(version: CompiledVersion, payments: readonly Payment[]): number {
  const before = process.cpuUsage()
  let length = 0
  for (let index = 0; index < PER_ROUND; index += 1) {
    const payment = payments[index % payments.length] as Payment
    const declined = declineEarly(version, payment)
    const decided = decideRoute(version, payment, { declined, isNamed: false, scores: NO_SCORES })
    length += JSON.stringify({ ...keptOf(decided), event: keptEventOf({ clock }, decided) }).length
  }
  if (length === 0) throw new Error('nothing was decided')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / PER_ROUND
}

const CONNECTIONS = 10
const SHARE_MIN = 0.97
const ACCOUNTS = { 'rules-some': 'with rules', 'rules-none': 'without rules' } as const
/**
 * New rows of the account that comes last in every index cost less than those of all others: PostgreSQL leaves the full pages at
 * the end of an index as they are, and splits those between accounts in two. So neither of the two is the last one.
 */
const LAST_ACCOUNT = 'rules-zero'
const PAYMENTS_OF_LAST = 400

export const payByRules: Benchmark = {
  name: 'pay-by-rules',
  title: 'Paying by rules',
  explanation:
    'Requests per second of `POST /transactions` in a merchant account with 50 rules of six conditions each, of which only the last ' +
    'one matches, as a share of the same requests in an account without rules. Both accounts are in one service, and take turns.',
  run: pay,
}

async function pay(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  const place = await openPlace()
  for (const account of [...Object.keys(ACCOUNTS), LAST_ACCOUNT])
    await openAccount(place, account, account === 'rules-some')
  const contenders = Object.entries(ACCOUNTS).map(([account, name]) => ({
    ...place,
    name,
    headers: { ...place.headers, 'x-gr4vy-merchant-account-id': account },
  }))
  const payment = { ...PAYMENT, currency: 'EUR', country: 'NL', metadata: { channel: 'web' } }
  for (let count = 0; count < PAYMENTS_OF_LAST; count += 1)
    await mustDo({ ...place, account: LAST_ACCOUNT }, 'POST /transactions', payment)
  const body = JSON.stringify(payment)
  const request = { path: '/transactions', headers: {}, connections: CONNECTIONS, body, isKeyed: true }
  const rounds = await compete(contenders, pace, { request, progress })
  return {
    settings: [
      turnsOf(pace),
      `${CONNECTIONS} connections without pipelining; one service with one payment service in each account`,
      `${PAYMENTS_OF_LAST} payments of a third account come after both in every index`,
    ],
    figures: [
      ...figuresOf(shareOf(rounds, 0, 1), [
        ['share of payments without rules', '', itself, atLeast(SHARE_MIN)],
      ]),
      ...describeContenders(contenders, rounds),
    ],
  }
}

/** An account with one payment service, to which the last of its rules sends payments. */
async function openAccount(place: Place, account: string, hasRules: boolean): Promise<void> {
  await mustDo(place, 'POST /merchant-accounts', { id: account, display_name: account })
  const here = { ...place, account }
  const { id } = await mustDo(here, 'POST /payment-services', {
    display_name: 'Cards',
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: account }],
    accepted_currencies: ['EUR'],
    accepted_countries: ['NL'],
  })
  if (!hasRules) return
  for (const { description, conditions, outcome } of fiftyRules(id))
    await mustDo(here, 'POST /flows/card-transaction/actions/route-transaction/rules', {
      description,
      conditions,
      outcome,
    })
}
