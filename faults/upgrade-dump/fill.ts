import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { addLinks } from '#testing/audit-links.ts'
import { CARD } from '../../lab/card.ts'
import { type Json, mustDo, type Place } from '../../lab/product.ts'
import { type KeyedRequest, repeat } from '../keyed-request.ts'

/** No server listens there, so deliveries to it wait. */
const NOWHERE = 'http://127.0.0.1:9/hooks'

/** Requests to the service, with the request and the answer on record. */
export type Shop = {
  readonly make: (route: string, body?: object, account?: string) => Promise<Json>
  /** Null: deletes it. */
  readonly change: (route: string, body: object | null, account?: string) => Promise<void>
  /** Requests and their answers. */
  readonly answered: readonly { readonly request: KeyedRequest; readonly answer: Json }[]
}

export function openShop(place: Place): Shop {
  const answered: { request: KeyedRequest; answer: Json }[] = []
  return {
    answered,
    make: async (route, body, account) => {
      const request = { route, body, key: randomUUID(), ...(account && { account }) }
      const answer = await repeat(place, request)
      answered.push({ request, answer })
      return answer
    },
    change: async (route, body, account) => {
      const at = { ...place, ...(account && { account }) }
      await mustDo(at, `${body === null ? 'DELETE' : 'PUT'} ${route}`, body ?? undefined)
    },
  }
}

export const mockCard = (name: string, ...fields: readonly string[]) => ({
  display_name: name,
  payment_service_definition_id: 'mock-card',
  fields: [{ key: 'merchant_id', value: 'shop' }, ...fields.map((key) => ({ key, value: 'true' }))],
  accepted_currencies: ['USD'],
  accepted_countries: ['US'],
})

export const orderOf = (external_identifier: string, amount = 1_000) => ({
  amount,
  currency: 'USD',
  country: 'US',
  external_identifier,
})

/** The accounts, keys and services that a shop is set up with. */
export async function setUp({ make, change }: Shop): Promise<void> {
  for (const id of ['own-cards', 'reviewed', 'approved']) {
    const at = { visa_network_tokens_requestor_id: `visa-${id}`, visa_network_tokens_app_id: `app-${id}` }
    await make('/merchant-accounts', { id, display_name: id, ...at })
    await make('/payment-services', { ...mockCard(id), three_d_secure_enabled: id === 'approved' }, id)
  }
  await change('/merchant-accounts/default', { account_updater_enabled: true })
  await make('/merchant-accounts/approved/three-ds-configurations', {
    scheme: 'visa',
    merchant_acquirer_bin: '516327',
    merchant_acquirer_id: '123456789012345',
    merchant_name: 'Fashion store',
    merchant_country_code: '528',
    merchant_category_code: '5651',
    merchant_url: 'https://shop.example.com',
    metadata: {},
  })
  await make('/api-key-pairs', {
    display_name: 'One account',
    role_ids: ['01900000-0000-7000-8000-000000000002'],
    merchant_account_ids: ['own-cards'],
  })
  await make('/webhook-subscriptions', { url: NOWHERE })
  await make(
    '/anti-fraud-services',
    {
      display_name: 'Looks twice',
      anti_fraud_service_definition_id: 'mock-anti-fraud',
      reviews_enabled: true,
      fields: [],
    },
    'reviewed',
  )
  await make(
    '/gift-card-services',
    {
      display_name: 'Own cards',
      gift_card_service_definition_id: 'switchyard-gift-card',
      fields: [
        { key: 'program', value: 'fashion-store' },
        { key: 'program_key', value: 'a-key-for-the-dump-alone' },
      ],
    },
    'own-cards',
  )
}

/** Work for jobs: inquiries of the account updater, and issued gift cards. */
export async function trade({ make }: Shop): Promise<void> {
  const buyer = await make('/buyers', { external_identifier: 'anna', display_name: 'Anna' })
  await make(`/buyers/${buyer.id}/shipping-details`, { first_name: 'Anna', last_name: 'Smith' })
  const stored = []
  for (const number of ['4111111111111111', '4111111100041113', '4111111100011116']) {
    stored.push(await make('/payment-methods', { ...cardOf(number), buyer_id: buyer.id }))
  }
  await make('/account-updater/jobs', { payment_method_ids: [stored[1].id] })
  const { url } = await make('/gift-cards/issuances', { theme: 'birthday', ...worth(2_500) }, 'own-cards')
  const [number] = await numbersOn(url)
  // A wrong PIN is counted.
  await make('/gift-cards/balances', { items: [{ number, pin: '00000000' }] }, 'own-cards')
  await make('/gift-cards/issuances', { theme: 'birthday', ...worth(1_500) }, 'own-cards')
  const giftCard = { number: '6060600000000002', pin: '05000' }
  await make('/gift-cards', { ...giftCard, buyer_external_identifier: 'anna' })
}

const cardOf = (number: string) => ({ method: 'card', number, expiration_date: '12/40' })

export const worth = (amount: number) => ({ amount, currency: 'USD' })

/** Number and PIN of an issued card, as its page shows them after a click. */
async function numbersOn(url: string): Promise<string[]> {
  const page = await (await fetch(url, { method: 'POST' })).text()
  return [...page.matchAll(/<dd[^>]*>([\d\s]+)</g)].map(([, digits = '']) => digits.replaceAll(/\s/g, ''))
}

export type Clock = { readonly now: string; readonly status: string }

/** Moves the clock of the sandbox on, until all that fell due is done. */
export async function advance(place: Place, by: string): Promise<Clock> {
  let clock: Clock = await mustDo(place, 'POST /sandbox/clock/advance', { by })
  for (; clock.status !== 'ready'; clock = await mustDo(place, 'GET /sandbox/clock')) await sleep(200)
  return clock
}

/** Longer than payments have to rest before they can be archived. */
const LONG_AGO = 'P215D'

/** More links than stay in the database. */
const LINKS = 120

type Commands = {
  readonly env: Record<string, string>
  /** Runs a command of the service. */
  readonly run: (...args: readonly string[]) => void
}

/** Payments that were over long ago, and an audit log whose beginning is in a file. */
export async function archivePast(shop: Shop, place: Place, { env, run }: Commands): Promise<void> {
  const buyer = await shop.make(
    '/buyers',
    { external_identifier: 'early', display_name: 'Early' },
    'own-cards',
  )
  for (const order of ['early-1', 'early-2']) {
    const payment = { ...orderOf(order), payment_method: CARD, buyer_id: buyer.id, intent: 'capture' }
    await shop.make('/transactions', payment, 'own-cards')
  }
  await addLinks(env, LINKS)
  const { now } = await advance(place, LONG_AGO)
  const month = now.slice(0, 'YYYY-MM'.length)
  run('archive', '--before', month)
  run('archive', 'audit-log', '--before', month)
}
