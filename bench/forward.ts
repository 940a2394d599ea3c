import { fileURLToPath } from 'node:url'
import { ask, startHelper } from '../lab/processes.ts'
import { mustDo } from '../lab/product.ts'
import { compete, describeContenders, type Round, shareOf, turnsOf } from './contest.ts'
import { atLeast, atMost, type Benchmark, figuresOf, itself, type Outcome, type Pace } from './figures.ts'
import { openPlace } from './place.ts'

const CONNECTIONS = 10
const RATIO_MIN = 0.5
const OVERHEAD_P99_MAX_MS = 10

export const forward: Benchmark = {
  name: 'forward',
  title: 'Forwarding a card',
  explanation:
    'Requests per second of `POST /vault-forward` with one stored card, as a share of a floor: a bare `node:http` server that ' +
    'commits one row, as the service commits the audit entry for the number, and passes the request on to the same receiver. It ' +
    'checks no token, opens no vault and searches no answer. The overhead is what the service takes longer than the floor, both at ' +
    'the 99th percentile.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and the floor')
  const place = await openPlace()
  const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
  const { id } = await mustDo(place, 'POST /payment-methods', card)
  const helper = startHelper(fileURLToPath(import.meta.resolve('./forward-floor.ts')))
  const ports = await ask<{ receiver: number; floor: number }>(helper, place.connection)
  const contenders = [
    { name: 'service', url: place.url, pid: place.pid },
    { name: 'floor', url: `http://127.0.0.1:${ports.floor}`, pid: helper.pid },
  ]
  const request = {
    path: '/vault-forward',
    connections: CONNECTIONS,
    body: JSON.stringify({
      card: { number: '{{ CARD_NUMBER_1 }}', expires: '{{ CARD_EXPIRATION_DATE_1 }}' },
    }),
    headers: {
      ...place.headers,
      'x-vault-forward-url': `http://127.0.0.1:${ports.receiver}/`,
      'x-vault-forward-http-method': 'POST',
      'x-vault-forward-payment-methods': id,
    },
  }
  const rounds = await compete(contenders, pace, { request, progress })
  const overhead = rounds.map(([service, floor]) => (service as Round).p99 - (floor as Round).p99)
  return {
    settings: [turnsOf(pace), `${CONNECTIONS} connections without pipelining, without idempotency keys`],
    figures: [
      ...figuresOf(shareOf(rounds, 0, 1), [['share of the floor', '', itself, atLeast(RATIO_MIN)]]),
      ...figuresOf(overhead, [['overhead at p99', 'ms', itself, atMost(OVERHEAD_P99_MAX_MS)]]),
      ...describeContenders(contenders, rounds),
    ],
  }
}
