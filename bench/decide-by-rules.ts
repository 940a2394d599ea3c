import { decideRoute, declineEarly, keptEventOf, keptOf } from '#payments/routing/decide.ts'
import type { Payment } from '#payments/routing/facts.ts'
import { NO_SCORES } from '#processing/scores/board.ts'
import { type CompiledVersion, compileVersion } from '#resources/flows/compile-rules.ts'
import { fiftyRules } from './fifty-rules.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import { paymentAt } from './rule-payment.ts'

const PER_ROUND = 20_000
const MICROSECONDS_MAX = 20

export const decideByRules: Benchmark = {
  name: 'decide-by-rules',
  title: 'Deciding by rules',
  explanation:
    'How much processor time the rules take for one payment: all steps from declining early to choosing the services, with the ' +
    'what the payment keeps of the decision, as JSON. There are 50 rules that route, with six conditions each, and only the last one matches.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const version = compileVersion({ number: 1, rules: fiftyRules() })
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
