import { prepareDataFolder, send, startService } from '../lab/product.ts'
import { compete, describeContenders, shareOf } from './contest.ts'
import { fiftyRules } from './fifty-rules.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import { PAYMENT } from './payment.ts'

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
  run,
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const place = { ...service, token: folder.token }
  for (const account of [...Object.keys(ACCOUNTS), LAST_ACCOUNT])
    await openAccount(place, account, account === 'rules-some')
  const headers = { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' }
  const contenders = Object.entries(ACCOUNTS).map(([account, name]) => ({
    name,
    url: service.url,
    pid: service.pid,
    headers: { ...headers, 'x-gr4vy-merchant-account-id': account },
  }))
  const payment = { ...PAYMENT, currency: 'EUR', country: 'NL', metadata: { channel: 'web' } }
  for (let count = 0; count < PAYMENTS_OF_LAST; count += 1)
    await made({ ...place, account: LAST_ACCOUNT }, 'POST /transactions', payment)
  const body = JSON.stringify(payment)
  const request = { path: '/transactions', headers, connections: CONNECTIONS, body, isKeyed: true }
  const rounds = await compete(contenders, pace, { request, progress })
  await service.stop()
  await folder.remove()
  const target = { is: 'at least', limit: SHARE_MIN } as const
  return {
    settings: [
      `${pace.rounds} rounds of ${pace.seconds} s for each, in turn, after ${pace.warmUpSeconds} s of warm-up`,
      `${CONNECTIONS} connections without pipelining; one service with one payment service in each account`,
      `${PAYMENTS_OF_LAST} payments of a third account come after both in every index`,
    ],
    figures: [
      figure({ name: 'share of payments without rules', unit: '', target }, shareOf(rounds, 0, 1)),
      ...describeContenders(contenders, rounds),
    ],
  }
}

type Place = { readonly url: string; readonly token: string }

/** An account with one payment service, to which the last of its rules sends payments. */
async function openAccount(place: Place, account: string, hasRules: boolean): Promise<void> {
  await made(place, 'POST /merchant-accounts', { id: account, display_name: account })
  const here = { ...place, account }
  const { id } = await made(here, 'POST /payment-services', {
    display_name: 'Cards',
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: account }],
    accepted_currencies: ['EUR'],
    accepted_countries: ['NL'],
  })
  if (!hasRules) return
  for (const { description, conditions, outcome } of fiftyRules(id))
    await made(here, 'POST /flows/card-transaction/actions/route-transaction/rules', {
      description,
      conditions,
      outcome,
    })
}

async function made(
  place: Place & { readonly account?: string },
  route: string,
  body: object,
): Promise<{ id: string }> {
  const answer = await send(place, route, body)
  if (answer.status !== 201) throw new Error(`${route} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}
