import { describe, expect, test } from 'vitest'
import { testLink } from '#connectors/contract/samples.ts'
import { describeConnector } from '#connectors/contract/suite.ts'
import { createStandIn } from '#sandbox/stand-ins/cybersource/stand-in.ts'
import { cybersourceConnectors } from './connectors.ts'
import { FIELDS, named, openShop } from './testing/shop.ts'
import { send } from './wire.ts'

for (const connector of cybersourceConnectors) {
  describeConnector(connector, async () => {
    const { link, movementsOf } = openShop()
    return {
      link,
      effectsOf: async (attemptId) => movementsOf(attemptId).length,
      declined: { billing: named('INSUFFICIENT_FUND') },
      partly: async () => ({ billing: named('PARTIAL') }),
      movesMoney: (url, init) => init?.method === 'POST' && !url.endsWith('/searches'),
    }
  })
}

describe('the stand-in', () => {
  const HOST = 'https://apitest.cybersource.com'
  const SEARCH = {
    save: false,
    query: 'clientReferenceInformation.code:none',
    offset: 0,
    limit: 1,
    sort: 'x',
  }

  /** A request as the connector signs it, changed on its way. */
  async function asked(change: (init: RequestInit) => RequestInit, now = new Date()) {
    const { standIn } = openShop()
    let status = 0
    const link = testLink({
      fields: FIELDS,
      now: () => now,
      fetch: async (url, init = {}) => {
        const response = await standIn.fetch(url, change(init))
        status = response.status
        return response
      },
    })
    await send(link, '/tss/v2/searches', SEARCH)
    return status
  }

  test.each<[string, (init: RequestInit) => RequestInit]>([
    ['no signature', (init) => ({ ...init, headers: {} })],
    ['another body', (init) => ({ ...init, body: '{}' })],
    [
      'another date',
      (init) => ({ ...init, headers: { ...init.headers, 'v-c-date': new Date(0).toUTCString() } }),
    ],
  ])('takes no request with %s', async (_what, change) => {
    expect([await asked((init) => init), await asked(change)]).toEqual([201, 401])
  })

  test('takes no request that was signed an hour ago', async () => {
    expect(await asked((init) => init, new Date(Date.now() - 3_600_000))).toBe(401)
  })

  test.each([
    ['POST', '/pts/v2/credits'],
    ['GET', '/tss/v2/transactions/123'],
    ['POST', '/pts/v2/payments/123/captures'],
  ])('does not know %s %s', async (method, path) => {
    const { link } = openShop()
    const body = {
      clientReferenceInformation: { code: 'x' },
      orderInformation: { amountDetails: { totalAmount: '1.00', currency: 'USD' } },
    }
    const standIn = createStandIn({ now: () => new Date() })

    const reply = await send({ ...link, fetch: standIn.fetch }, path, method === 'POST' ? body : undefined)

    expect(reply).toMatchObject({ kind: 'error', status: 404 })
  })

  test.each<[string, object, string, string]>([
    [
      'a missing number',
      { card: { expirationMonth: '12' } },
      'MISSING_FIELD',
      'paymentInformation.card.number',
    ],
    [
      'a code that is too long',
      {
        card: {
          number: '4111111111111111',
          expirationMonth: '12',
          expirationYear: '2035',
          securityCode: '12345',
        },
      },
      'INVALID_DATA',
      'paymentInformation.card.securityCode',
    ],
  ])('refuses %s by its place', async (_what, paymentInformation, reason, place) => {
    const { link } = openShop()
    const standIn = createStandIn({ now: () => new Date() })
    const body = {
      clientReferenceInformation: { code: 'x' },
      orderInformation: { amountDetails: { totalAmount: '1.00', currency: 'USD' } },
      paymentInformation,
    }

    const reply = await send({ ...link, fetch: standIn.fetch }, `${HOST}/pts/v2/payments`, body)

    expect(reply).toMatchObject({
      kind: 'error',
      status: 400,
      reason,
      places: expect.arrayContaining([place]),
    })
  })
})
