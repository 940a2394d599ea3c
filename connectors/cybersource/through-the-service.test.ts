import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { createStandIn, type StandIn } from '#sandbox/stand-ins/cybersource/stand-in.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { FIELDS } from './testing/shop.ts'

/** Cards charged through the whole service, with the stand-in over the network. */

const AT = { account: 'cybersource-shop' }
const MINUTE = 60_000

let service: TestService
let till: Till
let standIn: StandIn
let close = async () => {}
let fields: readonly { readonly key: string; readonly value: string }[] = []

beforeAll(async () => {
  service = await startTestService()
  // The network is asked for real here: a busy machine must not turn an answer into an unknown one.
  Object.assign(service.providers, { timeoutMs: 25_000 })
  till = openTill(service)
  standIn = createStandIn({ now: () => new Date() })
  const listening = await standIn.listen(0)
  close = listening.close
  fields = Object.entries({ ...FIELDS, stand_in_url: listening.origin }).map(([key, value]) => ({
    key,
    value,
  }))
  await service.send('POST /merchant-accounts', { id: AT.account, display_name: 'Shop' })
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'CyberSource',
      payment_service_definition_id: 'cybersource-card',
      fields,
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    },
    AT,
  )
  expect(made.statusCode, made.body).toBe(201)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await close()
  await service.close()
})

async function control(path: string) {
  await standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, { method: 'POST' })
}

/** The job asks about what is open. */
async function askAfter(ms: number) {
  service.moveClock(ms)
  await service.resolveDue()
  service.moveClock(-ms)
}

/** The answers to requests to these paths are lost, and the requests arrive. */
function loseAnswers(path: RegExp) {
  const { fetch } = service.providers
  vi.spyOn(service.providers, 'fetch').mockImplementation(async (url, init) => {
    const response = await fetch(url, init)
    if (!path.test(url)) return response
    await readWhole(response)
    throw new TypeError('fetch failed')
  })
}

const named = (last_name: string) => ({ buyer: { billing_details: { last_name } } })

test('a sale is captured in parts, and refunds come in parts from the captures', async () => {
  const paid = await till.pay({}, AT)
  for (const amount of [600, 400]) await till.act(paid.id, 'capture', { amount, final: amount === 400 }, AT)
  for (const amount of [500, 300]) await till.act(paid.id, 'refunds', { amount }, AT)

  expect(await till.get(paid.id, AT)).toMatchObject({
    status: 'capture_succeeded',
    authorized_amount: 1000,
    captured_amount: 1000,
    refunded_amount: 800,
    scheme_transaction_id: '016153570198200',
    cvv_response_code: 'match',
  })
})

test('a payment is released', async () => {
  const paid = await till.pay({}, AT)
  await till.act(paid.id, 'void', undefined, AT)

  expect((await till.get(paid.id, AT)).status).toBe('authorization_voided')
})

test('a payment whose answer is lost is found, and charged once', async () => {
  const before = standIn.payments.movements.length
  loseAnswers(/\/pts\/v2\/payments$/)
  const lost = await till.pay({ intent: 'capture' }, AT)
  vi.restoreAllMocks()
  await askAfter(MINUTE + 1)

  expect(lost.status).not.toBe('capture_succeeded')
  expect((await till.get(lost.id, AT)).status).toBe('capture_succeeded')
  expect(standIn.payments.movements.slice(before)).toHaveLength(1)
})

test('a payment that CyberSource shows only an hour later is found, and charged once', async () => {
  const before = standIn.payments.movements.length
  await control('hide')
  loseAnswers(/\/pts\/v2\/payments$/)
  const lost = await till.pay({}, AT)
  vi.restoreAllMocks()
  await askAfter(MINUTE + 1)
  const early = await till.get(lost.id, AT)
  await control('show')
  await askAfter(60 * MINUTE)

  expect(early.status).toBe('processing')
  expect((await till.get(lost.id, AT)).status).toBe('authorization_succeeded')
  expect(standIn.payments.movements.slice(before)).toHaveLength(1)
})

test.each([
  ['capture', { amount: 400, final: false }, /captures$/, { captured_amount: 400 }],
  ['void', undefined, /reversals$/, { status: 'authorization_voided' }],
])('a %s whose answer is lost is found, and done once', async (path, body, answers, expected) => {
  const paid = await till.pay({}, AT)
  const before = standIn.payments.movements.length
  loseAnswers(answers)
  await till.act(paid.id, path, body, AT)
  vi.restoreAllMocks()
  await askAfter(MINUTE + 1)

  expect(await till.get(paid.id, AT)).toMatchObject(expected)
  expect(standIn.payments.movements.slice(before)).toHaveLength(1)
})

test('a refund whose answer is lost is found, and paid once', async () => {
  const paid = await till.pay({ intent: 'capture' }, AT)
  const before = standIn.payments.movements.length
  loseAnswers(/refunds$/)
  await till.act(paid.id, 'refunds', { amount: 300 }, AT)
  vi.restoreAllMocks()
  await askAfter(MINUTE + 1)

  expect(await till.get(paid.id, AT)).toMatchObject({ refunded_amount: 300 })
  expect(standIn.payments.movements.slice(before)).toMatchObject([{ act: 'refund', amount: 3_000 }])
})

test('a payment that CyberSource stops for its address is declined, and its money is given back', async () => {
  const paid = await till.pay(named('AVS_FAILED'), AT)

  expect(paid).toMatchObject({
    status: 'authorization_declined',
    error_code: 'incorrect_billing_address',
    raw_response_code: 'AVS_FAILED',
  })
  expect(standIn.payments.movements.at(-1)).toMatchObject({ act: 'reversal' })
})

test('a sale in review waits until a person at CyberSource accepts it', async () => {
  const paid = await till.pay({ ...named('DECISION_PROFILE_REVIEW'), intent: 'capture' }, AT)
  await askAfter(MINUTE + 1)
  const waiting = await till.get(paid.id, AT)
  await control(`accept/${waiting.payment_service_transaction_id}`)
  await askAfter(60 * MINUTE)

  expect(waiting.status).toBe('processing')
  expect((await till.get(paid.id, AT)).status).toBe('capture_succeeded')
})

test('wrong credentials are refused when they are verified', async () => {
  const wrong = { key: 'shared_secret', value: 'd3Jvbmcgc2VjcmV0IG9mIG5vYm9keSBhdCBhbGwhISE=' }
  const answer = await service.send(
    'POST /payment-services/verify',
    {
      payment_service_definition_id: 'cybersource-card',
      fields: fields.map((one) => (one.key === wrong.key ? wrong : one)),
    },
    AT,
  )

  expect([answer.statusCode, answer.body]).toEqual([
    400,
    expect.stringContaining('CyberSource does not accept the key'),
  ])
})

test('several captures are refused before CyberSource is asked, if the account does not take them', async () => {
  const single = { account: 'cybersource-single' }
  await service.send('POST /merchant-accounts', { id: single.account, display_name: 'Shop' })
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'CyberSource',
      payment_service_definition_id: 'cybersource-card',
      fields: fields.filter(({ key }) => key !== 'multiple_captures'),
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    },
    single,
  )
  expect(made.statusCode, made.body).toBe(201)
  const paid = await till.pay({}, single)
  await till.act(paid.id, 'capture', { amount: 400 }, single)
  const before = standIn.asked.length

  const second = await till.act(paid.id, 'capture', { amount: 100 }, single)

  expect(second.statusCode).toBeGreaterThanOrEqual(400)
  expect(standIn.asked).toHaveLength(before)
})

test('what was said is there to read, without card, buyer and keys', async () => {
  const buyer = { billing_details: { last_name: 'Secretname', email_address: 'jane@example.com' } }
  const paid = await till.pay({ buyer, payment_method: CARD }, AT)
  const { body } = await service.send(`GET /transactions/${paid.id}/exchanges`, undefined, AT)

  expect(body).toContain('"commerceIndicator":"internet"')
  for (const secret of [CARD.number, 'Secretname', 'jane@', FIELDS.shared_secret, 'HmacSHA256'])
    expect(body).not.toContain(secret)
})
