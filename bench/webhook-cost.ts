import { type DataFolder, prepareDataFolder, type Service, send, startService } from '../lab/product.ts'
import { compete, describeContenders, shareOf } from './contest.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'

const SUBSCRIPTIONS = 10
const SHARE_MIN = 0.8
const CONNECTIONS = 10
const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/30' },
}

export const webhookCost: Benchmark = {
  name: 'webhook-cost',
  title: 'Paying with ten subscriptions',
  explanation:
    'Payments per second with ten webhook subscriptions, as a share of those without any. Both processes serve the API ' +
    'alone (`ROLE=api`), as if workers ran elsewhere. So the figure shows what subscriptions add to each payment: ten rows ' +
    'in its last commit. The cost of sending is another figure, the processor time of a delivery.',
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting two services')
  const [bare, subscribed] = [await open(), await open()]
  for (let number = 0; number < SUBSCRIPTIONS; number += 1) {
    const place = { url: subscribed.service.url, token: subscribed.folder.token }
    const made = await send(place, 'POST /webhook-subscriptions', { url: `http://127.0.0.1:9/${number}` })
    await made.body?.cancel()
    if (made.status !== 201) throw new Error(`a subscription was answered ${made.status}`)
  }
  const contenders = [bare, subscribed].map(({ service, folder }, index) => ({
    name: index === 0 ? 'no subscription' : `${SUBSCRIPTIONS} subscriptions`,
    url: service.url,
    pid: service.pid,
    headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
  }))
  const request = {
    path: '/transactions',
    headers: { 'content-type': 'application/json' },
    connections: CONNECTIONS,
    body: JSON.stringify(PAYMENT),
    isKeyed: true,
  }
  const rounds = await compete(contenders, pace, { request, progress })
  for (const { service, folder } of [bare, subscribed]) {
    await service.stop()
    await folder.remove()
  }
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining; every commit reaches the disk (fsync)`,
    ],
    figures: [
      figure(
        {
          name: 'share of payments without subscriptions',
          unit: '',
          target: { is: 'at least', limit: SHARE_MIN },
        },
        shareOf(rounds, 1, 0),
      ),
      ...describeContenders(contenders, rounds),
    ],
  }
}

async function open(): Promise<{ readonly folder: DataFolder; readonly service: Service }> {
  const folder = await prepareDataFolder()
  return { folder, service: await startService(folder, { env: { ROLE: 'api' } }) }
}
