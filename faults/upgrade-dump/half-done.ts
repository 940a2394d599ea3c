import type pg from 'pg'
import { CARD } from '../../lab/card.ts'
import { ask } from '../../lab/processes.ts'
import { type KeyedRequest, sendOnce } from '../keyed-request.ts'
import type { KillableService } from '../killable-service.ts'
import { MONEY_OPERATIONS } from '../money-operations.ts'
import type { Say } from '../program.ts'
import { orderOf, type Shop, worth } from './fill.ts'

const LATER = 'asynchronous'

/** Payments that wait for the provider, the buyer or a reviewer, or whose answer was lost. */
export async function leaveOpen({ make }: Shop): Promise<void> {
  const fault = (on: string, kind: string, connector = 'mock-card') => ({
    connection_options: { [connector]: { fault: { on, kind } } },
  })
  const pay = (order: string, body: object = {}, account?: string) =>
    make('/transactions', { ...orderOf(order), payment_method: CARD, ...body }, account)
  for (const kind of ['lose-answer', 'unreachable']) await pay(kind, fault('authorize', kind))
  await pay('stored when it is known', { store: true, ...fault('authorize', 'lose-answer') })
  const giftCard = { number: '6060600000000011', pin: '02000', amount: 400 }
  await pay('redeem', { gift_cards: [giftCard], ...fault('redeem', 'lose-answer', 'mock-gift-card') })

  const { id: payment_service_id } = await make('/payment-services', {
    display_name: LATER,
    payment_service_definition_id: 'mock-card',
    fields: [
      { key: 'merchant_id', value: 'later' },
      { key: LATER, value: 'true' },
    ],
    ...{ accepted_currencies: ['USD'], accepted_countries: ['US'] },
  })
  const later = (order: string, body: object = {}) => pay(order, { payment_service_id, ...body })
  await later('pending', { amount: 600_002 })
  await make(`/transactions/${(await later('capture pending')).id}/capture`, {})
  await make(`/transactions/${(await later('void pending')).id}/void`)
  const lost = await pay('refund', { intent: 'capture', ...fault('refund', 'lose-answer') })
  await make(`/transactions/${lost.id}/refunds`, { amount: 300 })

  const email_address = 'review@example.com'
  await pay('review', { intent: 'capture', buyer: { billing_details: { email_address } } }, 'reviewed')
  const challenged = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com' }
  await pay('approval', { payment_method: challenged }, 'approved')
  const advice = { account_number: null, result: '03' }
  const refused = { 'mock-card': { merchant_advice_code: advice } }
  await pay('advised', { amount: 200_011, connection_options: refused })
}

/** Sessions with a card in them, and cards that wait for the account updater. */
export async function leaveUnpaid({ make, change }: Shop): Promise<void> {
  const session = await make('/checkout/sessions', worth(1_299))
  await make('/checkout/sessions')
  const payment_method = { ...CARD, method: 'card' }
  await change(`/checkout/sessions/${session.id}/fields`, { payment_method })
  const listed = await make('/payment-methods', {
    ...CARD,
    number: '4111111100021115',
    security_code: undefined,
  })
  await make('/account-updater/jobs', { payment_method_ids: [listed.id] })
  await make('/transactions', { ...orderOf('stored card'), payment_method: { method: 'id', id: listed.id } })
  const giftCard = await make('/gift-cards', { number: '6060600000000022', pin: '03000' })
  await make('/transactions', {
    ...orderOf('stored gift card'),
    gift_cards: [{ id: giftCard.id, amount: 1_000 }],
  })
}

/** The gift card provider gets the requests, and answers too late. */
export async function loseGiftCardAnswers(
  service: KillableService,
  database: pg.Client,
): Promise<KeyedRequest[]> {
  const requests = [activationOf(0), issuanceOf(0)]
  await database.query('begin')
  await database.query('lock table simulator.gift_card_entries, issuer.operations')
  const sent = await Promise.all(requests.map((request) => sendOnce(service, request)))
  await database.query('commit')
  const statuses = sent.map((one) => (typeof one === 'string' ? one : one.status))
  if (statuses.some((status) => status !== 504)) throw new Error(`no answer was lost: ${statuses}`)
  return requests
}

const twoDigits = (moment: number) => String(moment).padStart(2, '0')

const activationOf = (moment: number): KeyedRequest => ({
  route: '/gift-cards/activations',
  body: { number: `60606000000001${twoDigits(moment)}`, pin: '05000', ...worth(5_000), store: true },
  key: `activate ${moment}`,
})

const issuanceOf = (moment: number): KeyedRequest => ({
  route: '/gift-cards/issuances',
  body: { theme: 'birthday', ...worth(700) },
  key: `issue ${moment}`,
  account: 'own-cards',
})

/** The process dies in each request, after a number of commits. Returns the requests that were never answered. */
export async function dieHalfWay(service: KillableService, say: Say): Promise<KeyedRequest[]> {
  const cut: KeyedRequest[] = []
  const die = async (name: string, request: KeyedRequest, crashAt: number) => {
    await ask(service.running(), { crashAt })
    const sent = await sendOnce(service, request)
    if (typeof sent !== 'string') {
      await ask(service.running(), { crashAt: -1 })
      say(`${name} ${crashAt}: answered ${sent.status} ${sent.text.slice(0, 100)}`)
      return false
    }
    await service.death()
    say(`${name} ${crashAt}: ${/died (.*)/.exec(service.running().complaint())?.[1]}`)
    await service.start({ ROLE: 'api' })
    cut.push(request)
    return true
  }
  for (const { name, prepare } of MONEY_OPERATIONS) {
    for (const moment of MOMENTS[name] ?? [])
      await die(name, await prepare(service, `${name} ${moment}`), moment)
  }
  const others = { activate: activationOf, issue: issuanceOf, unwind: unwindingOf }
  for (const [name, requestOf] of Object.entries(others)) {
    for (const moment of MOMENTS[name] ?? []) await die(name, requestOf(moment), moment)
  }
  return cut
}

/**
 * An even number is the moment after a commit: ours, or one of the simulated provider. Before its commit, the provider
 * does not know of the attempt; after it, the provider has done it and we do not know.
 */
const MOMENTS: Readonly<Record<string, readonly number[]>> = {
  authorize: [4, 6, 8],
  capture: [6],
  void: [4],
  release: [6],
  refund: [4, 6],
  'refund of all': [6],
  increment: [6],
  redeem: [8, 10],
  split: [12],
  activate: [8, 10],
  issue: [8, 10],
  unwind: [14, 16],
}

/** The first gift card pays, the second cannot: everything has to be undone. */
function unwindingOf(moment: number): KeyedRequest {
  const order = `unwind ${moment}`
  const last = twoDigits(moment)
  const gift_cards = [
    { number: `60606000000002${last}`, pin: '02000', amount: 300 },
    { number: `60606000000003${last}`, pin: '10006', amount: 300 },
  ]
  return { route: '/transactions', body: { ...orderOf(order), payment_method: CARD, gift_cards }, key: order }
}
