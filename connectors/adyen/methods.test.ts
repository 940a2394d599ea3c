import { describe, expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { authorizeOrder, captureOrder, refundOrder } from '#connectors/contract/samples.ts'
import { adyenConnectors } from './connectors.ts'
import { isNameOf } from './method-names.ts'
import { ASKED, type Asked, METHODS, typesOf } from './methods.ts'
import { openShop, orderBy } from './testing/shop.ts'

/** The order without one of the facts that Adyen asks for. */
const WITHOUT: Readonly<Record<Asked, (order: ReturnType<typeof orderBy>) => object>> = {
  billingAddress: ({ billing }) => ({ billing: { ...billing, address: null } }),
  countryCode: ({ billing }) => ({ country: null, billing: { ...billing, address: null } }),
  deliveryAddress: () => ({ shipping: null }),
  shopperEmail: ({ billing }) => ({ billing: { ...billing, email_address: null } }),
  shopperName: ({ billing }) => ({ billing: { ...billing, last_name: null } }),
  socialSecurityNumber: ({ billing }) => ({ billing: { ...billing, tax_id: null } }),
  telephoneNumber: ({ billing }) => ({ billing: { ...billing, phone_number: null } }),
}

const connectorFor = (method: string) =>
  adyenConnectors.find(({ manifest }) => manifest.method === method) as Required<Connector>

describe.each(METHODS)('$method', (row) => {
  test.each(row.asks ?? [])(
    'is not asked for without %s, and the merchant hears what to send',
    async (name) => {
      const { link, standIn } = openShop()
      const { authorize } = connectorFor(row.method)
      const order = orderBy(row)

      const answer = await authorize(authorizeOrder({ ...order, ...WITHOUT[name](order) }), link)

      const code = name === 'billingAddress' ? 'missing_billing_address' : 'invalid_request_parameters'
      expect(answer).toMatchObject({ outcome: 'failed', code })
      expect('facts' in answer && answer.facts.rawDescription).toContain(ASKED[name])
      expect(
        await standIn.fetch('https://stand-in.invalid/_stand-in/books').then((one) => one.json()),
      ).toMatchObject({
        payments: [],
      })
    },
  )

  test.runIf(row.currencies !== 'all' && row.method !== 'klarna')(
    'is refused in another currency',
    async () => {
      const { link } = openShop()
      const { authorize } = connectorFor(row.method)

      const answer = await authorize(authorizeOrder({ ...orderBy(row), currency: 'ISK' }), link)

      expect(answer.outcome).toBe('failed')
    },
  )

  test('is known by its names in webhooks and reports, and no other method is', () => {
    const names = [...(row.names ?? []), ...typesOf(row)]

    expect(names.filter((name) => !isNameOf(row.method, name))).toEqual([])
    for (const other of METHODS) {
      expect(names.some((name) => isNameOf(other.method, name))).toBe(other === row)
    }
  })

  test.runIf(row.hasLines)('tells the line of what is captured and refunded', async () => {
    const { link, standIn } = openShop()
    const sent: Record<string, unknown>[] = []
    const fetch: typeof link.fetch = (url, init) => {
      sent.push(JSON.parse(String(init?.body)))
      return standIn.fetch(url, init)
    }
    const { capture, refund } = connectorFor(row.method)
    const { currency } = orderBy(row)
    const paid = { order: authorizeOrder({ currency }), reference: 'BCDFGHJKLM234567' }

    await capture(captureOrder(paid, { amount: 300 }), { ...link, fetch })
    await refund(refundOrder(paid, { amount: 200 }), { ...link, fetch })

    expect(sent.map((body) => body['lineItems'])).toMatchObject([
      [{ quantity: 1, amountIncludingTax: 300 }],
      [{ quantity: 1, amountIncludingTax: 200 }],
    ])
  })
})

test.each([
  ['klarna_account', 'klarna'],
  ['ach_plaid', 'ach'],
  ['sepadirectdebit', 'sepa'],
  ['directdebit_GB', 'bacs'],
  ['visa', 'card'],
  ['atome', 'card'],
  ['', 'card'],
])('%j is a name of %s', (name, method) => {
  expect(isNameOf(method, name)).toBe(true)
})
