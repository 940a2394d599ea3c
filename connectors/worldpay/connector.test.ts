import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as samples from '#connectors/contract/samples.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { describeConnector } from '#connectors/contract/suite.ts'
import type { AuthenticateOrder, ThreeDSecureForm } from '#connectors/contract/three-d-secure.ts'
import {
  authenticateOrder,
  describeThreeDSecureConnector,
} from '#connectors/contract/three-d-secure-suite.ts'
import { createStandIn, STAND_IN_ACCOUNT, WEBHOOK_SECRET } from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { worldpayConnectors, worldpayThreeDS } from './connectors.ts'
import { PAYOUTS } from './mapping.ts'
import { OUTCOMES } from './read-outcome.ts'
import { worldpayContract } from './testing/published-contract.ts'
import { DECLINED, openShop } from './testing/shop.ts'

const HOST = 'https://try.access.worldpay.com'
const standIn = createStandIn({ now: () => new Date() })
/** The stand-in over a link, each request and answer compared with what Worldpay has published. */
const LINK = testLink({ fetch: worldpayContract.watch(standIn.fetch), fields: STAND_IN_ACCOUNT })
const NUMBERS = { Y: '4111111111111111', N: '4111111111104017', C: '4111111111102011' }
const CARD = (number: string) => ({ number: secret(number) })

/** Posts a form as a browser would, and reads what the page tells the page around it. */
async function collect({ url, fields }: ThreeDSecureForm): Promise<string | null> {
  const body = new URLSearchParams(fields).toString()
  const page = await (await standIn.fetch(url, { method: 'POST', body })).text()
  const [, told = 'null'] = /postMessage\((".*"), '\*'\)/.exec(page) ?? []
  return JSON.parse(told)
}

describeThreeDSecureConnector(worldpayThreeDS, async () => ({
  link: LINK,
  wrongFields: { ...STAND_IN_ACCOUNT, password: 'wrong-password' },
  orderFor: (answer) => CARD(NUMBERS[answer]),
  collect,
  decide: async ({ state }, decision) => standIn.decide(state, decision),
}))

/** Of the preparation, of payments, and of payouts. */
const OTHERS = ['initialized', 'authorized', 'refused', 'error', ...Object.keys(PAYOUTS)]

describe('every generated order', () => {
  const text = (max: number) => fc.option(fc.string({ unit: 'grapheme', maxLength: max }), { nil: null })
  const contact = fc.record({
    first_name: text(60),
    last_name: text(60),
    email_address: fc.option(fc.oneof(fc.emailAddress(), fc.string({ maxLength: 300 })), { nil: null }),
    phone_number: text(40),
    address: fc.option(
      fc.record({
        city: text(40),
        country: fc.constantFrom(null, 'NL', 'US', 'nl', ''),
        postal_code: text(30),
        state: text(10),
        state_code: fc.constantFrom(null, 'US-CA', 'NL-NH', ''),
        house_number_or_name: text(10),
        line1: text(100),
        line2: text(100),
        organization: text(10),
      }),
      { nil: null },
    ),
  })
  const number = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: null })
  const flag = fc.option(fc.boolean(), { nil: null })
  const browser = fc.record({
    acceptHeader: text(3000),
    userAgent: fc.string({ unit: 'grapheme', maxLength: 3000 }),
    ipAddress: fc.oneof(fc.ipV4(), fc.ipV6()),
    language: fc.constantFrom(null, 'nl', 'en-GB', 'zh-Hant-TW', 'nonsense-language'),
    javaEnabled: flag,
    javascriptEnabled: flag,
    colorDepth: number,
    screenHeight: number,
    screenWidth: number,
    timeZoneOffset: number,
  })
  const orders = fc.record({
    billing: fc.option(contact, { nil: null }),
    browser: fc.option(browser, { nil: null }),
    prepared: fc.record({
      state: fc.constant(''),
      told: fc.option(fc.oneof(fc.string(), fc.json()), { nil: null }),
    }),
    hasAccount: fc.boolean(),
    isFirstOfSeries: fc.boolean(),
    amount: fc.integer({ min: 0, max: 99_999_999_999 }),
    merchant: fc.option(
      fc.record({
        acquirerBin: fc.constant('516327'),
        acquirerMerchantId: fc.constant('1'),
        name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        countryCode: fc.constant('528'),
        categoryCode: fc.constant('5651'),
        url: fc.constant('https://shop.example.com'),
      }),
      { nil: null },
    ),
  })

  test('is in the form that Worldpay has published, and none is refused', async () => {
    const fields = { ...STAND_IN_ACCOUNT, acquirer_id: '01234567' }
    await fc.assert(
      fc.asyncProperty(orders, async (over) => {
        const answer = await worldpayThreeDS.authenticate(
          authenticateOrder(over as Partial<AuthenticateOrder>),
          {
            ...LINK,
            fields,
          },
        )
        expect(answer).toMatchObject({ outcome: 'done', transactionStatus: 'Y' })
      }),
      { numRuns: 300 },
    )
  })

  test('would be found wrong by a name, a length or a value that Worldpay does not have', () => {
    const url = `${HOST}/verifications/customers/3ds/verification`
    const right = {
      transactionReference: 'one',
      merchant: { entity: 'default' },
      challenge: { reference: 'a'.repeat(20) },
    }
    const problems = (body: object) =>
      worldpayContract.problemsOfRequest({ url, method: 'POST', body: JSON.stringify(body) }).length

    expect(problems(right)).toBe(0)
    expect(problems({ ...right, merchant: { entity: 'default', name: 'x' } })).toBeGreaterThan(0)
    expect(problems({ ...right, challenge: { reference: 'short' } })).toBeGreaterThan(0)
    expect(problems({ ...right, merchant: { entity: 'a_b' } })).toBeGreaterThan(0)
  })
})

describe('the request', () => {
  const sent = async (over: Partial<AuthenticateOrder>, fields: object = {}) => {
    const link = { ...LINK, fields: { ...STAND_IN_ACCOUNT, ...fields } }
    await worldpayThreeDS.authenticate(authenticateOrder(over), link)
    // biome-ignore lint/suspicious/noExplicitAny: the body of a request
    return standIn.asked.at(-1)?.body as any
  }

  test('names buyer, card and device', async () => {
    const told = '{"MessageType":"profile.completed","SessionId":"0_abc-1","Status":true}'

    const body = await sent({ prepared: { state: '', told }, amount: 250, currency: 'GBP' })

    expect(body).toMatchObject({
      merchant: { entity: 'default' },
      instruction: {
        value: { amount: 250, currency: 'GBP' },
        paymentInstrument: {
          type: 'card/front',
          cardHolderName: 'Jane Doe',
          cardExpiryDate: { month: 12, year: 2035 },
          billingAddress: { address1: 'Dam 1', city: 'Amsterdam', postalCode: '1012 JS', countryCode: 'NL' },
        },
      },
      deviceData: {
        collectionReference: '0_abc-1',
        browserLanguage: 'nl-NL',
        browserColorDepth: '24',
        browserScreenWidth: 1920,
        timeZone: '-60',
        ipAddress: '192.0.2.7',
      },
      challenge: { returnUrl: expect.stringMatching(/return$/), windowSize: 'fullPage' },
      riskData: {
        account: { type: 'registeredUser', email: 'jane@example.com' },
        transaction: { firstName: 'Jane', lastName: 'Doe', phoneNumber: '31201234567' },
      },
    })
    expect(body.challenge.preference).toBeUndefined()
  })

  test('leaves out what has nothing but blanks in it, with the whole address', async () => {
    const { billing } = authenticateOrder()
    if (!billing?.address) throw new Error('the sample has an address')
    const address = { ...billing.address, city: '  ' }
    const blank = { ...billing, first_name: ' ', last_name: '\t', address }

    const body = await sent({ billing: blank })

    expect(Object.keys(body.instruction.paymentInstrument)).toEqual(['type', 'cardNumber', 'cardExpiryDate'])
    expect(body.riskData.transaction).toEqual({ phoneNumber: '31201234567' })
  })

  test('wants a challenge before the first of a series', async () => {
    expect((await sent({ isFirstOfSeries: true })).challenge.preference).toBe('challengeMandated')
  })

  test('names the merchant as the scheme knows it, and the acquirer outside of Worldpay', async () => {
    const merchant = {
      acquirerBin: '516327',
      acquirerMerchantId: '1',
      name: `Fjord & Pine ${'x'.repeat(30)}`,
      countryCode: '528',
      categoryCode: '5651',
      url: 'https://shop.example.com',
    }

    const body = await sent({ merchant }, { acquirer_id: '0123' })

    expect(body.merchant).toEqual({
      entity: 'default',
      overrideName: 'Fjord  Pine xxxxxxxxxxxxx',
      acquirerId: '0123',
    })
  })

  test('asks for the device without the number of the card', async () => {
    const answer = await worldpayThreeDS.prepare?.(authenticateOrder(), LINK)

    expect(JSON.stringify(standIn.asked.at(-1))).not.toMatch(/\d{13}/)
    expect(answer).toMatchObject({ outcome: 'collect', form: { fields: { Bin: '411111' } } })
  })

  test.each([
    ['sandbox', 'https://try.access.worldpay.com'],
    ['production', 'https://access.worldpay.com'],
  ] as const)('of a %s goes to %s, whatever stand-in is entered there', async (environment, host) => {
    const urls: string[] = []
    const fields = {
      ...STAND_IN_ACCOUNT,
      ...(environment === 'production' && { stand_in_url: 'http://127.0.0.1:1' }),
    }
    const link = testLink({
      environment,
      fields,
      fetch: async (url) => {
        urls.push(url)
        throw new TypeError('fetch failed')
      },
    })

    await worldpayThreeDS.authenticate(authenticateOrder(), link)

    expect(urls).toEqual([`${host}/verifications/customers/3ds/authentication`])
  })
})

describe('an answer', () => {
  const answered = (body: object, status = 200) =>
    testLink({ fetch: async () => Response.json(body, { status }), fields: {} })
  const authenticate = (body: object, status?: number) =>
    worldpayThreeDS.authenticate(authenticateOrder(), answered(body, status))
  const authentication = { version: '2.1.0', eci: '05', authenticationValue: 'MAAA', transactionId: 'ds-1' }

  test('has a meaning for every outcome that Worldpay lists, and for no other', () => {
    expect(new Set(Object.keys(OUTCOMES))).toEqual(
      new Set(worldpayContract.listed('outcome').filter((outcome) => !OTHERS.includes(outcome))),
    )
  })

  test.each([
    ['4111111111103019', { outcome: 'done', transactionStatus: 'A', eci: '06', cavv: expect.any(String) }],
    ['4111111111105014', { outcome: 'refused', transactionStatus: 'R' }],
    ['4111111111106012', { outcome: 'error', code: '402', component: 'D' }],
    ['4111111111107010', { outcome: 'error', code: '305', component: 'D' }],
    ['4111111111108018', { outcome: 'error', code: '403', component: 'D' }],
    ['4111111111101112', { outcome: 'done', transactionStatus: 'U', cavv: null, eci: '07' }],
  ])('about %s is %o', async (number, expected) => {
    expect(await worldpayThreeDS.authenticate(authenticateOrder(CARD(number)), LINK)).toMatchObject(expected)
  })

  test.each([
    ['an outcome of tomorrow', { outcome: 'delegated', authentication }],
    [
      'a proof without its value',
      { outcome: 'authenticated', status: 'Y', authentication: { version: '2.1.0', eci: '05' } },
    ],
    [
      'a proof without a version',
      { outcome: 'authenticated', status: 'Y', authentication: { ...authentication, version: 'new' } },
    ],
    ['a status of tomorrow', { outcome: 'authenticated', status: 'Q', authentication }],
    ['half a challenge', { outcome: 'challenged', authentication, challenge: { reference: 'x' } }],
    [
      'a form that leads nowhere',
      { outcome: 'challenged', authentication, challenge: { reference: 'x', url: '::', jwt: 'y' } },
    ],
  ])('with %s is not believed', async (_what, body) => {
    expect((await authenticate(body)).outcome).toBe('unknown')
  })

  test.each(['bypassed', 'alreadyAuthenticated', 'challenged'])(
    'to a challenge is never %s',
    async (outcome) => {
      const order = {
        transactionId: 'one',
        scheme: 'visa',
        version: '2.1.0',
        directoryTransactionId: null,
        state: 'a'.repeat(20),
        returned: {},
      }

      const answer = await worldpayThreeDS.conclude(order, answered({ outcome, status: 'Y', authentication }))

      expect(answer.outcome).toBe('unknown')
    },
  )

  test('of a changed signature is a refusal', async () => {
    expect(await authenticate({ outcome: 'signatureFailed', authentication })).toMatchObject({
      outcome: 'refused',
      version: '2.1.0',
    })
  })

  test.each([
    ['$.merchant.entity', 'Enter the entity as Worldpay has made it'],
    ['$.deviceData.timeZone', '$.deviceData.timeZone of the request'],
  ])('that refuses %s says what to do, and repeats no value', async (jsonPath, words) => {
    const validationErrors = [{ errorName: 'stringFailedRegexCheck', jsonPath, message: '4111111111111111' }]

    const answer = await authenticate(
      { errorName: 'bodyDoesNotMatchSchema', message: 'x', validationErrors },
      400,
    )

    expect(answer).toMatchObject({ outcome: 'setup_error', description: expect.stringContaining(words) })
    expect(JSON.stringify(answer)).not.toContain('4111')
  })
})

describe('the stand-in', () => {
  test.each([
    [
      'a missing card',
      { instruction: { value: { amount: 1, currency: 'EUR' } } },
      '$.instruction.paymentInstrument',
    ],
    [
      'a long city',
      { instruction: { paymentInstrument: { billingAddress: { city: 'x'.repeat(16) } } } },
      '$.instruction.paymentInstrument.billingAddress.city',
    ],
  ])('refuses %s', async (_what, body, place) => {
    const response = await standIn.fetch(`${HOST}/verifications/customers/3ds/authentication`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify(body),
    })

    const { validationErrors } = (await response.json()) as { validationErrors: { jsonPath: string }[] }
    const places = validationErrors.map(({ jsonPath }) => jsonPath)
    expect([response.status, places]).toEqual([400, expect.arrayContaining([place])])
  })

  test('refuses another version of the API, and unknown credentials', async () => {
    const ask = (changed: Record<string, string>) =>
      standIn.fetch(`${HOST}/verifications/customers/3ds/verification`, {
        method: 'POST',
        headers: { ...headers(), ...changed },
        body: '{}',
      })

    const answers = [await ask({ accept: 'application/json' }), await ask({ authorization: 'Basic eDp5' })]

    expect(answers.map(({ status }) => status)).toEqual([400, 401])
  })
})

function headers(): Record<string, string> {
  const media = 'application/vnd.worldpay.verifications.customers-v3.hal+json'
  const { username, password } = STAND_IN_ACCOUNT
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return { 'content-type': media, accept: media, authorization }
}

const MESSAGES: Readonly<Record<string, string>> = { capture: 'sentForSettlement', refund: 'sentForRefund' }

for (const connector of worldpayConnectors) {
  describeConnector(connector, async () => {
    const { link, control, message, effectsOf } = openShop()
    return {
      link,
      effectsOf,
      declined: DECLINED,
      movesMoney: (_url, init) => init?.method === 'POST',
      finish: async (operation) => {
        await control('finish')
        const type = MESSAGES[operation]
        return type ? { by: 'message', message: message(type) } : undefined
      },
      notify: async () => {
        const order = samples.authorizeOrder()
        const paid = await connector.authorize?.(order, link)
        const reference = paid && 'reference' in paid ? (paid.reference ?? '') : ''
        const captured = samples.captureOrder({ order, reference })
        await connector.capture?.(captured, link)
        await control('finish')
        const { attemptId } = captured
        const sign = (body: string) => ({
          headers: {
            'event-signature': `1/SHA256/${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
          },
          body: Buffer.from(body),
        })
        return {
          about: 'capture',
          attemptId,
          reference: attemptId,
          message: message('sentForSettlement'),
          sign,
        }
      },
    }
  })
}

describe('a firewall before Worldpay', () => {
  const attack = '<script>alert(1)</script>'

  test('does not let a buyer past the issuer who enters what it refuses', async () => {
    const billing = {
      first_name: attack,
      last_name: null,
      email_address: null,
      phone_number: null,
      address: null,
    }
    const order = authenticateOrder({ billing, ...CARD(NUMBERS.N) })

    expect(await worldpayThreeDS.authenticate(order, LINK)).toMatchObject({ outcome: 'refused' })
    const text = JSON.stringify(standIn.asked.at(-1))
    expect(text).not.toContain(attack)
  })

  test('that refuses everything is said, with what to do', async () => {
    const link = { ...LINK, fetch: async () => new Response('<p>Access Denied</p>', { status: 403 }) }
    const description = expect.stringContaining('firewall')

    expect(await worldpayThreeDS.authenticate(authenticateOrder(), link)).toMatchObject({
      outcome: 'setup_error',
      description,
    })
    expect(await worldpayThreeDS.verify?.(link)).toEqual({ outcome: 'rejected', message: description })
  })
})

test.each<[string, object, object]>([
  ['those of the account', {}, { outcome: 'accepted' }],
  [
    'another password',
    { password: 'wrong' },
    { outcome: 'rejected', message: expect.stringContaining('password') },
  ],
  [
    'another entity',
    { entity: 'other' },
    { outcome: 'rejected', message: expect.stringContaining('entity') },
  ],
])('credentials for 3-D Secure are verified: %s', async (_what, over, expected) => {
  const link = { ...LINK, fields: { ...STAND_IN_ACCOUNT, ...over } }

  expect(await worldpayThreeDS.verify?.(link)).toEqual(expected)
})
