import { isDeepStrictEqual } from 'node:util'
import { STORED_CARD } from '../lab/card.ts'
import { dice, mix } from '../lab/dice.ts'
import { call, signToken } from '../lab/product.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'

/*
 * It was seen to fail for this change: requests of pages are not compared with the table and the session
 * (`browserComplaints` returns nothing).
 */
const CASES = { full: 3_000, short: 120 }
const AT_ONCE = 8
/** The simulator authorizes half of it if the request allows a partial authorization. */
const PARTIAL = 600_001

export const page: Program = {
  name: 'page',
  promise: 17,
  title: 'A page does not decide the order',
  explanation:
    'For each case a shop’s server fixes some of an order at random, in a checkout session, in a browser token, or in both. ' +
    'A page then pays with that token. For each field it sends the fixed value, another one, or none, at random, and at ' +
    'times a value that no page may send. A contradiction, or a value that is not for pages, has to be answered 400; all ' +
    'other requests are paid. Each payment must have the fixed values, and the captured amount must be right.',
  run,
}

type Fields = Readonly<Record<string, unknown>>

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  amount: [1299, 1, PARTIAL],
  currency: ['USD', 'EUR'],
  country: ['US', 'DE'],
  intent: ['authorize', 'capture'],
  metadata: [{ order: '4711' }, { order: '9999' }],
  cart_items: [
    [{ name: 'Bag', quantity: 1, unit_amount: 1299, discount_amount: 0, tax_amount: 0 }],
    [{ name: 'Gold', quantity: 1, unit_amount: 1299, discount_amount: 0, tax_amount: 0 }],
  ],
  buyer: [{ external_identifier: 'customer-1' }, { external_identifier: 'customer-2' }],
  external_identifier: ['order-4711', 'order-9999'],
}
const OF_SESSION = ['amount', 'currency', 'country', 'intent', 'metadata', 'cart_items', 'buyer']
const OF_TOKEN = ['amount', 'currency', 'country', 'intent', 'metadata', 'cart_items', 'external_identifier']
const NOT_FOR_PAGES: readonly Fields[] = [
  { allow_partial_authorization: true },
  { payment_source: 'moto' },
  { merchant_initiated: true, payment_source: 'card_on_file', is_subsequent_payment: true },
  { account_funding_transaction: true },
  { three_d_secure: { amount: 2 } },
  { payment_service_id: '01900000-0000-7000-8000-0000000000ff' },
  { previous_scheme_transaction_id: '123456789012345' },
  { connection_options: { 'powertranz-card': { skipThreeDSecure: true } } },
]

type Case = {
  readonly session: Fields
  readonly pinned: Fields
  readonly said: Fields
  readonly isForbidden: boolean
}
type Tally = { refused: number; paid: number }

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const service = await killableService({ databaseUrl: await newDatabase() })
  await service.start()
  const cases = CASES[form]
  const tally: Tally = { refused: 0, paid: 0 }
  const broken: string[] = []
  for (let begin = 0; begin < cases && broken.length === 0; begin += AT_ONCE) {
    say(`${begin} of ${cases} cases`)
    const together = Array.from({ length: AT_ONCE }, (_, index) => makeCase(dice(mix(seed, begin + index))))
    const found = await Promise.all(together.map((one) => tryCase(service, one, tally)))
    broken.push(...found.flat())
  }
  await service.kill()
  const isShown = tally.refused > 0 && tally.paid > 0
  return {
    seed,
    did: { cases },
    acknowledged: { 'answered 400': tally.refused, paid: tally.paid },
    found: { 'payments that differ from what was fixed': broken.length },
    broken: isShown ? broken : [...broken, 'nothing was refused, or nothing was paid: nothing was shown'],
  }
}

function makeCase(chance: () => number): Case {
  const some = (names: readonly string[], share: number): Fields => {
    const chosen = names.filter(() => chance() < share)
    return Object.fromEntries(chosen.map((name) => [name, one(VALUES[name] ?? [], chance)]))
  }
  const session = some(OF_SESSION, 0.4)
  // Token and session must not contradict each other.
  const free = OF_TOKEN.filter((name) => !(name in session))
  const pinned = { ...some(free, 0.3), ...only(session, OF_TOKEN, () => chance() < 0.5) }
  const fixed = { ...pinned, ...session }
  const repeated = only(fixed, Object.keys(fixed), () => chance() < 0.6)
  const own = chance() < 0.5 ? some(Object.keys(VALUES), 0.3) : {}
  const forbidden = chance() < 0.3 ? one(NOT_FOR_PAGES, chance) : undefined
  const needed = { amount: fixed['amount'] ?? 1299, currency: fixed['currency'] ?? 'USD' }
  return {
    session,
    pinned,
    said: { ...needed, ...repeated, ...own, ...forbidden },
    isForbidden: forbidden !== undefined,
  }
}

function only(fields: Fields, names: readonly string[], isChosen: () => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name) && isChosen()))
}

function one<Value>(values: readonly Value[], chance: () => number): Value {
  return values[Math.floor(chance() * values.length)] as Value
}

/** What is wrong after a page has paid. */
async function tryCase(service: KillableService, given: Case, tally: Tally): Promise<string[]> {
  const { session, pinned, said, isForbidden } = given
  const opened = await call(service, 'POST /checkout/sessions', session)
  const token = await signToken(service.folder.key, {
    scopes: ['embed'],
    embed: pinned,
    checkout_session_id: opened.body['id'],
  })
  const paid = await call({ ...service, token }, 'POST /transactions', {
    payment_method: STORED_CARD,
    ...said,
  })
  const fixed = { ...pinned, ...session }
  const contradicts = Object.entries(said).some(
    ([name, value]) => name in fixed && !isDeepStrictEqual(value, fixed[name]),
  )
  const told = (what: string) => complaints(what, [{ ...given, status: paid.status, answer: paid.body }])
  if (paid.status >= 500) return told('a page was answered 5xx')
  if (contradicts || isForbidden) {
    tally.refused += 1
    return paid.status === 400 ? [] : told('a page decided what it may not')
  }
  if (paid.status !== 201) return told('a page may say this, and was refused')
  tally.paid += 1
  const { body } = await call(service, `GET /transactions/${paid.body['id']}`)
  const isShort = body['status'] === 'capture_succeeded' && body['captured_amount'] !== body['amount']
  return differences(fixed, body).length > 0 || isShort ? told('a payment is not what was fixed') : []
}

/** The fixed fields that differ in the payment, which may show more fields of each. */
function differences(fixed: Fields, payment: Fields): string[] {
  return Object.entries(fixed).flatMap(([name, value]) => (isWithin(value, payment[name]) ? [] : [name]))
}

function isWithin(told: unknown, shown: unknown): boolean {
  if (told === null || typeof told !== 'object') return told === shown
  if (shown === null || typeof shown !== 'object') return false
  return Object.entries(told).every(([name, value]) => isWithin(value, (shown as Fields)[name]))
}
