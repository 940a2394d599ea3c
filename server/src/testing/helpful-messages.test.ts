import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from './harness.ts'
import { OPERATIONS } from './operations.ts'
import { CARD } from './till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const PAYMENT = { amount: 1299, currency: 'USD', payment_method: CARD }

test.each<[string, object | undefined, string, string]>([
  ['POST /transactions', { ...PAYMENT, currency: 'usd' }, '/currency', 'three capital letters, such as USD'],
  ['POST /transactions', { ...PAYMENT, currency: 'ZZZ' }, '/currency', 'use one such as USD'],
  ['POST /transactions', { ...PAYMENT, country: 'usa' }, '/country', 'two capital letters, such as US'],
  [
    'POST /transactions',
    { ...PAYMENT, amount: 12.99 },
    '/amount',
    'whole number: minor units of the currency, such as 1299 for 12.99',
  ],
  ['POST /transactions', { ...PAYMENT, amount: '1299' }, '/amount', 'whole number'],
  ['POST /transactions', { ...PAYMENT, amount: -1 }, '/amount', 'must be at least 0'],
  ['POST /transactions', { ...PAYMENT, ammount: 1 }, '/ammount', 'unknown field; did you mean amount?'],
  [
    'POST /transactions',
    { ...PAYMENT, externalIdentifier: 'x' },
    '/externalIdentifier',
    'did you mean external_identifier?',
  ],
  ['POST /transactions', { ...PAYMENT, colour: 'red' }, '/colour', 'unknown field'],
  [
    'POST /payment-methods',
    { ...CARD, expiration_date: '12/2030' },
    '/expiration_date',
    'MM/YY, such as 12/30',
  ],
  [
    'POST /payment-methods',
    { ...CARD, expiration_date: '12-30' },
    '/expiration_date',
    'MM/YY, such as 12/30',
  ],
  [
    'POST /payment-methods',
    { ...CARD, number: '4111 1111 1111 1111' },
    '/number',
    '13 to 19 digits without spaces or dashes',
  ],
  ['POST /payment-methods', { ...CARD, security_code: 'abc' }, '/security_code', '3 or 4 digits'],
  [
    'POST /payment-methods',
    { ...CARD, expirationDate: '12/30' },
    '/expirationDate',
    'did you mean expiration_date?',
  ],
  ['POST /buyers', { display_name: '' }, '/display_name', 'must not be empty'],
  ['POST /buyers', { display_name: 'x'.repeat(201) }, '/display_name', 'must have at most 200 characters'],
  ['POST /buyers', { display_name: 7 }, '/display_name', 'must be text or null'],
  [
    'POST /buyers',
    { billing_details: { phone_number: '020 123' } },
    '/billing_details/phone_number',
    'such as +14155550123',
  ],
  [
    'POST /merchant-accounts',
    { id: 'a b', display_name: 'x' },
    '/id',
    'letters, digits and dashes, such as fashion-store',
  ],
  ['GET /transactions?amount=7777', undefined, '/amount', 'unknown field; did you mean amount_eq?'],
  ['GET /transactions?created_after=2026-11-15', undefined, '/created_after', 'did you mean created_at_gte?'],
  [
    'GET /transactions?created_before=2026-11-15',
    undefined,
    '/created_before',
    'did you mean created_at_lte?',
  ],
  [
    'GET /transactions?created_at=2026-11-15',
    undefined,
    '/created_at',
    'did you mean created_at_gte or created_at_lte?',
  ],
  [
    'GET /transactions?buyer=x',
    undefined,
    '/buyer',
    'did you mean buyer_email_address, buyer_external_identifier, buyer_id or buyer_search?',
  ],
  ['GET /transactions?statuss=x', undefined, '/statuss', 'did you mean status?'],
  [
    'GET /transactions?created_at_gte=2026-11-15',
    undefined,
    '/created_at_gte',
    'with its time zone, such as 2026-11-15T09:30:00Z',
  ],
  [
    'GET /transactions?created_at_gte=2026-11-15T09:30:00+00:00',
    undefined,
    '/created_at_gte',
    'write + as %2B',
  ],
  ['GET /transactions?limit=0', undefined, '/limit', 'must be at least 1'],
  ['GET /transactions?id=7', undefined, '/id', 'must be a UUID, such as'],
  ['GET /transactions?method=cards', undefined, '/method/0', 'must be one of'],
])('%s %o says at %s: %s', async (route, body, pointer, message) => {
  const response = await service.send(route, body)

  expect(response.statusCode, response.body).toBe(400)
  const detail = response.json().details.find((one: { pointer: string }) => one.pointer === pointer)
  expect(detail?.message, response.body).toContain(message)
})

type Schema = {
  readonly pattern?: string
  readonly expected?: string
  readonly [keyword: string]: unknown
}

test('every pattern in a request has a message, and no message shows a pattern', () => {
  const found: Schema[] = []
  for (const { params, query, body } of OPERATIONS) {
    for (const part of [params, query, body]) if (part) collect(JSON.parse(JSON.stringify(part)), found)
  }

  expect(found.length).toBeGreaterThan(20)
  expect(found.filter(({ expected }) => expected === undefined)).toEqual([])
  expect(
    found.filter(({ expected }) => /[\\^$]|\[|\{/.test(String(expected).replace(' and \\,', ''))),
  ).toEqual([])
})

/** Every nested schema with a pattern. Examples and defaults are values, not schemas. */
function collect(schema: Schema, found: Schema[]): void {
  if (typeof schema.pattern === 'string') found.push(schema)
  for (const [keyword, inner] of Object.entries(schema)) {
    if (['examples', 'default', 'const', 'enum'].includes(keyword)) continue
    if (inner !== null && typeof inner === 'object') collect(inner as Schema, found)
  }
}
