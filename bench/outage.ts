import { rank } from '#payments/routing/decide.ts'
import type { Scores } from '#processing/scores/board.ts'
import { added, type Score, scoreOf } from '#processing/scores/score.ts'
import { paidOf, randomFrom, segmentsOf } from '../server/src/processing/scores/score.ts'
import { paymentAt } from './fifty-rules.ts'
import { atMost, type Benchmark, figuresOf, type Outcome, type Pace } from './figures.ts'

const PAYMENTS = 20_000
const SECOND_MS = 1_000
/** An answer is known so many payments after its payment began. */
const DELAY = 5
const PROBE_MS = 30_000
const DEAD = { from: 4_000, to: 6_000 }
const CHANGE_AT = 12_000
const SEEDS = { full: 20, short: 4 }
const LOSS_MAX = 0.5

const SERVICES = [0, 1, 2].map((index) => `0199f3a0-5d3b-7c00-8a11-00000000000${index}`)

export const outage: Benchmark = {
  name: 'outage',
  title: 'An outage of the best service',
  explanation:
    `What routing by success saves when a service fails. ${PAYMENTS.toLocaleString('en')} simulated payments, one a second, go to three ` +
    'services that approve 92, 90 and 86 % of them. The best one is dead for 2,000 payments; later the second becomes the best. Answers ' +
    'come five payments late. Each payment is sent once, so that the next service does not hide a wrong choice. A payment is lost if the ' +
    'best service of that moment would have approved it more probably: the sum of these differences. The order of the services is the ' +
    'code of the rules, with scores in memory.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const seeds = pace.rounds < 5 ? SEEDS.short : SEEDS.full
  const rounds = Array.from({ length: seeds }, (_, seed) => {
    progress(`seed ${seed + 1} of ${seeds}`)
    return { fixed: lossOf(() => 0), learned: lossOf(learner(seed)) }
  })
  return {
    settings: [
      `${seeds} seeds; half of what is known fades after 1,000 payments or six hours, as in the service`,
    ],
    figures: figuresOf(rounds, [
      [
        'lost by success, over what the fixed order loses',
        '',
        ({ fixed, learned }) => learned / fixed,
        atMost(LOSS_MAX),
      ],
      ['payments lost by success', '', ({ learned }) => learned],
      ['payments lost by the fixed order', '', ({ fixed }) => fixed],
    ]),
  }
}

/** How probably each service approves the payment of that number. */
function ratesAt(index: number): readonly [number, number, number] {
  const isDead = index >= DEAD.from && index < DEAD.to
  return index < CHANGE_AT ? [isDead ? 0 : 0.92, 0.9, 0.86] : [0.88, 0.94, 0.86]
}

type Choose = (index: number) => number

function lossOf(choose: Choose): number {
  let loss = 0
  for (let index = 0; index < PAYMENTS; index += 1) {
    const rates = ratesAt(index)
    loss += Math.max(...rates) - (rates[choose(index)] ?? 0)
  }
  return loss
}

/** The code of the rules, and answers by chance. */
function learner(seed: number): Choose {
  const random = randomFrom(`outage ${seed}`)
  const known = new Map<string, Score>()
  const probed = new Map<string, number>()
  const answers: { readonly serviceId: string; readonly isApproved: boolean; readonly at: Date }[] = []
  const segments = segmentsOf(paidOf(paymentAt(0).row))
  return (index) => {
    const at = new Date(Date.UTC(2026, 10, 15) + index * SECOND_MS)
    const due = answers[index - DELAY]
    for (const segment of due ? segments : []) {
      const key = `${due?.serviceId} ${segment}`
      known.set(key, added(known.get(key) ?? null, scoreOf(due?.isApproved === true, due?.at ?? at)))
    }
    const scores: Scores = {
      find: (serviceId, segment) => known.get(`${serviceId} ${segment}`),
      findFees: () => undefined,
      mayProbe: (serviceId) => {
        const isDue = at.getTime() - (probed.get(serviceId) ?? 0) >= PROBE_MS
        if (isDue) probed.set(serviceId, at.getTime())
        return isDue
      },
    }
    const { row, ...payment } = paymentAt(index)
    const own = { ...payment, row: { ...row, id: `${seed}-${index}` }, at }
    const [first] = rank(OUTCOME, own, { ruleId: 'outage', scores }).order
    const chosen = SERVICES.indexOf(first?.payment_service_id ?? '')
    answers.push({
      serviceId: SERVICES[chosen] ?? '',
      isApproved: random() < (ratesAt(index)[chosen] ?? 0),
      at,
    })
    return chosen
  }
}

const OUTCOME = {
  type: 'card-routing',
  version: 2,
  strategy: 'success_rate',
  result: SERVICES.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' as const })),
} as const satisfies Parameters<typeof rank>[0]
