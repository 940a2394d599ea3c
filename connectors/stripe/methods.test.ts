import { describe, expect, test } from 'vitest'
import { isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import { authorizeOrder, enteredFor, testLink } from '#connectors/contract/samples.ts'
import { createStandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { stripeConnectors } from './connectors.ts'
import { ASKED, METHODS } from './methods.ts'

describe.each(METHODS)('$method', ({ method, currencies, asks = [], fields = {} }) => {
  const names = Object.keys(fields).filter(isBuyerField)
  const { authorize } = stripeConnectors.find(
    ({ manifest }) => manifest.id === `stripe-${method}`,
  ) as Required<Connector>
  const standIn = createStandIn({ now: () => new Date() })
  const sent: string[] = []
  const link = testLink({
    fetch: (url, init) => {
      sent.push(url)
      return standIn.fetch(url, init)
    },
    fields: { secret_key: TEST_KEY },
  })
  const order = (currency: string, entered = enteredFor(names)) =>
    authorizeOrder({
      instrument: { kind: 'redirect', method, country: 'NL', currency, fields: entered },
      currency,
      intent: 'capture',
      redirectUrl: 'https://pay.example.com/return',
    })

  test.runIf(asks.length > 0)(
    'is not asked for without its buyer, and the merchant hears what to send',
    async () => {
      const answer = await authorize(order(currencies[0] ?? ''), link)

      const [first = 'name'] = asks
      const code = first === 'country' ? 'missing_billing_address' : 'invalid_request_parameters'
      expect(answer).toMatchObject({ outcome: 'failed', code })
      expect('facts' in answer && answer.facts.rawDescription).toContain(ASKED[first])
      expect(sent).toEqual([])
    },
  )

  test.runIf(names.length > 0)('is not asked for without what its buyer enters', async () => {
    const answer = await authorize(order(currencies[0] ?? '', {}), link)

    expect(answer).toMatchObject({
      outcome: 'failed',
      code: 'invalid_request_parameters',
      facts: { rawDescription: `Stripe needs payment_method.fields.${names[0]} for this method` },
    })
    expect(sent).toEqual([])
  })

  test.runIf(asks.length === 0)('is refused by Stripe in another currency', async () => {
    expect(await authorize(order('ISK'), link)).toMatchObject({
      outcome: 'failed',
      code: 'unsupported_currency',
    })
  })
})
