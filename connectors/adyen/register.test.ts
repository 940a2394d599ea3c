import { Types } from '@adyen/api-library'
import { describe, expect, test } from 'vitest'
import type { Connector, Link } from '#connectors/contract/connector.ts'
import * as samples from '#connectors/contract/samples.ts'
import { adyenConnectors } from './connectors.ts'
import { CARD_ORDER, openShop } from './testing/shop.ts'

const URL_OF_OURS = 'https://switchyard.example.com/payment-services/7/notifications'
const { authorize, readNotification, registerNotifications } = adyenConnectors[0] as Required<Connector>

/** A shop whose requests to the Management API are noted. */
function openWatched(fields: Record<string, string> = {}) {
  const shop = openShop()
  const sent: { method: string; path: string; body: unknown }[] = []
  const link: Link = {
    ...shop.link,
    fields: { ...shop.link.fields, ...fields },
    fetch: (url, init) => {
      const { origin, pathname, search } = new URL(url)
      const body: unknown = JSON.parse(String(init?.body ?? 'null'))
      sent.push({ method: init?.method ?? 'GET', path: `${origin}${pathname}${search}`, body })
      return shop.link.fetch(url, init)
    },
  }
  return { shop, link, sent }
}

const WEBHOOKS = 'https://management-test.adyen.com/v3/merchants/StandInShop/webhooks'

describe('the webhook', () => {
  test('is set up with a key, by which its messages are read', async () => {
    const { shop, link, sent } = openWatched()

    const answer = await registerNotifications(URL_OF_OURS, link)

    const { CommunicationFormatEnum } = Types.management.CreateMerchantWebhookRequest
    const body = {
      type: 'standard',
      url: URL_OF_OURS,
      active: true,
      communicationFormat: CommunicationFormatEnum.Json,
    } satisfies Types.management.CreateMerchantWebhookRequest
    expect(sent).toEqual([
      { method: 'GET', path: `${WEBHOOKS}?pageNumber=1&pageSize=100`, body: null },
      { method: 'POST', path: WEBHOOKS, body },
      { method: 'POST', path: expect.stringMatching(/\/webhooks\/WBHK\w+\/generateHmac$/), body: null },
    ])
    if (answer.outcome !== 'registered') throw new Error(answer.message)
    const registered = { ...link, fields: { ...link.fields, ...answer.fields } }
    // The stand-in sends messages to the address now. No server listens there, so they wait.
    await authorize(samples.authorizeOrder(CARD_ORDER), link)
    const message = await shop.takeMessage()
    expect(await readNotification(message, registered)).toMatchObject({ outcome: 'read' })
    expect(await readNotification(message, link)).toMatchObject({ outcome: 'rejected' })
  })

  test('is made once, however often it is set up, and gets a new key', async () => {
    const { link, sent } = openWatched()

    const [first, second] = [
      await registerNotifications(URL_OF_OURS, link),
      await registerNotifications(URL_OF_OURS, link),
    ]

    expect([first.outcome, second.outcome]).toEqual(['registered', 'registered'])
    expect(first).not.toEqual(second)
    expect(sent.filter(({ method, path }) => method === 'POST' && path === WEBHOOKS)).toHaveLength(1)
    const body = {
      url: URL_OF_OURS,
      active: true,
      communicationFormat: Types.management.UpdateMerchantWebhookRequest.CommunicationFormatEnum.Json,
    } satisfies Types.management.UpdateMerchantWebhookRequest
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual(body)
  })

  test('is found on a later page', async () => {
    const { link, sent } = openWatched()
    await registerNotifications(URL_OF_OURS, link)
    const paged: Link = {
      ...link,
      fetch: async (url, init) =>
        url.includes('pageNumber=1&')
          ? Response.json({
              data: [{ id: 'x', type: 'standard', url: 'other' }],
              itemsTotal: 2,
              pagesTotal: 2,
            })
          : link.fetch(url.replace('pageNumber=2', 'pageNumber=1'), init),
    }

    await registerNotifications(URL_OF_OURS, paged)

    expect(sent.filter(({ method, path }) => method === 'POST' && path === WEBHOOKS)).toHaveLength(1)
  })

  test('of production is set up at the live address, also with a stand-in', async () => {
    const urls: string[] = []
    const link = samples.testLink({
      environment: 'production',
      fields: { merchant_account: '../x', stand_in_url: 'http://127.0.0.1:1' },
      fetch: async (url) => {
        urls.push(url)
        throw new TypeError('fetch failed')
      },
    })

    expect(await registerNotifications(URL_OF_OURS, link)).toMatchObject({ outcome: 'unreachable' })
    expect(urls).toEqual([
      'https://management-live.adyen.com/v3/merchants/..%2Fx/webhooks?pageNumber=1&pageSize=100',
    ])
  })
})

describe('credentials', () => {
  test.each([
    ['wrong', { api_key: 'wrong' }, 'Adyen does not accept api_key'],
    ['without the role', { api_key: 'stand-in-restricted-key' }, 'give it the role Management API'],
    [
      'of another account',
      { merchant_account: 'AnotherShop' },
      'api_key may not change webhooks of merchant_account',
    ],
  ])('%s are rejected with the reason', async (_name, fields, message) => {
    const { link } = openWatched(fields)

    expect(await registerNotifications(URL_OF_OURS, link)).toEqual({
      outcome: 'rejected',
      message: expect.stringContaining(message),
    })
  })

  test('may be right while the address is not', async () => {
    const { link } = openWatched()

    expect(await registerNotifications('no address', link)).toEqual({
      outcome: 'rejected',
      message: 'Adyen does not accept this address for its messages',
    })
  })
})

test.each([
  ['no JSON', () => new Response('<html>')],
  ['no list', () => Response.json({ data: 7 })],
  ['no object', () => Response.json(null)],
  ['an error', () => Response.json({ error: 'internal' }, { status: 500 })],
  ['too many requests', () => Response.json({}, { status: 429 })],
  [
    'a webhook without an id',
    () => Response.json({ data: [{ url: URL_OF_OURS, type: 'standard' }], pagesTotal: 1 }),
  ],
])('%s is no answer', async (_name, answer) => {
  const link = { ...openShop().link, fetch: async () => answer() }

  expect(await registerNotifications(URL_OF_OURS, link)).toMatchObject({ outcome: 'unreachable' })
})

test.each([{ hmacKey: 'short' }, { hmacKey: 7 }, {}])('a key like %o is no key', async (given) => {
  const { shop, link } = openWatched()
  const answering: Link = {
    ...link,
    fetch: async (url, init) =>
      url.endsWith('generateHmac') ? Response.json(given) : shop.link.fetch(url, init),
  }

  expect(await registerNotifications(URL_OF_OURS, answering)).toMatchObject({ outcome: 'unreachable' })
})
