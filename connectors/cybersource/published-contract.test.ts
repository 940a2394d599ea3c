import { expect, test } from 'vitest'
import type { Instrument } from '#connectors/contract/orders.ts'
import { card } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { describeGenerated } from '#testing/generated-orders.ts'
import { cybersourceConnectors } from './connectors.ts'
import { ERRORS, REASONS, STATUSES } from './mapping.ts'
import { cybersourceContract } from './testing/published-contract.ts'
import { openShop } from './testing/shop.ts'

const TOKEN: Instrument = {
  kind: 'network-token',
  source: 'network-token',
  token: secret('4242424242424242'),
  expirationDate: '06/30',
  cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
  eci: '07',
  scheme: 'visa',
  cardholderName: null,
  cardSource: null,
}

for (const connector of cybersourceConnectors) {
  const { link } = openShop()
  describeGenerated(connector, {
    watch: cybersourceContract.watch,
    instruments: [
      card(),
      card({ scheme: 'mastercard', number: secret('5555555555554444') }),
      TOKEN,
      { ...TOKEN, cardSource: 'apple-pay' },
      { ...TOKEN, scheme: 'mastercard', cardSource: 'google-pay' },
    ],
    open: () => link,
  })
}

test('every status and every reason that CyberSource lists has a meaning', () => {
  const known = [...Object.keys(STATUSES), ...Object.keys(REASONS), ...Object.keys(ERRORS)]
  const listed = [...cybersourceContract.listed('status'), ...cybersourceContract.listed('reason')]
  // Of captures, refunds and reversals, of errors that say nothing about the request, and what initiates a payment.
  const others =
    /^(PENDING|TRANSMITTED|REVERSED|SERVER_ERROR|SYSTEM_ERROR|SERVER_TIMEOUT|SERVICE_TIMEOUT|\d+)$/

  expect(listed.filter((one) => !known.includes(one) && !others.test(one))).toEqual([])
  expect(listed.length).toBeGreaterThan(50)
})

test.each<[string, object]>([
  ['a name that is new', { clientReferenceInformation: { code: 'x', other: 'y' } }],
  ['a code that is too long', { clientReferenceInformation: { code: 'x'.repeat(51) } }],
  ['a flag that is a text', { processingInformation: { capture: 'true' } }],
])('a request with %s would be found', (_what, body) => {
  const url = 'https://apitest.cybersource.com/pts/v2/payments'

  expect(
    cybersourceContract.problemsOfRequest({ url, method: 'POST', body: JSON.stringify(body) }),
  ).toHaveLength(1)
})
