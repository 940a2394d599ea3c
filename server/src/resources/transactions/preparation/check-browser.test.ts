import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }
/** The issuer wants to hear from the holder of this card. */
const CHALLENGED = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example.com/back' }
const PAYMENT = { amount: 1299, currency: 'USD', payment_method: CARD }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const page = (claims: object = {}) => signToken(service.admin, { scopes: ['embed'], ...claims })
const pay = (body: object, token: string, account?: string) =>
  service.send('POST /transactions', { ...PAYMENT, ...body }, { token, ...(account && { account }) })

async function send(route: string, body: object, options = {}) {
  const response = await service.send(route, body, options)
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.statusCode === 204 ? undefined : response.json()
}

async function storedCard(buyer: string, reference: string): Promise<{ readonly id: string }> {
  await service.send('POST /buyers', { external_identifier: buyer })
  return send('POST /payment-methods', {
    ...CARD,
    buyer_external_identifier: buyer,
    external_identifier: reference,
  })
}

test('pays what its checkout session says, and nothing else', async () => {
  const session = await send('POST /checkout/sessions', { amount: 1299, currency: 'USD' })
  const token = await page({ checkout_session_id: session.id })

  const less = await pay({ amount: 1 }, token)
  const other = await pay({ currency: 'JPY' }, token)
  const right = await pay({}, token)

  expect(less.json().details).toMatchObject([{ pointer: '/amount' }])
  expect(other.json().details).toMatchObject([{ pointer: '/currency' }])
  expect(right.statusCode, right.body).toBe(201)
})

test('cannot have a part of the amount authorized', async () => {
  const token = await page({ embed: { amount: 600001, currency: 'USD' } })
  const body = { amount: 600001, intent: 'capture' }

  const part = await pay({ ...body, allow_partial_authorization: true }, token)
  const whole = await pay({ ...body, allow_partial_authorization: false }, token)

  expect(part.json().details).toMatchObject([{ pointer: '/allow_partial_authorization' }])
  expect(whole.json()).toMatchObject({ status: 'authorization_declined' })
})

test('cannot go around 3-D Secure by naming a country whose service has none', async () => {
  await send('POST /merchant-accounts', { id: 'two-countries', display_name: 'Two countries' })
  const common = { payment_service_definition_id: 'mock-card', accepted_currencies: ['USD'] }
  const fields = [{ key: 'merchant_id', value: 'merchant-1' }]
  for (const [country, isSecure] of [
    ['US', true],
    ['DE', false],
  ] as const) {
    await send(
      'POST /payment-services',
      {
        ...common,
        display_name: country,
        fields,
        accepted_countries: [country],
        three_d_secure_enabled: isSecure,
      },
      { account: 'two-countries' },
    )
  }
  const order = { amount: 1299, currency: 'USD', country: 'US' }
  const session = await send('POST /checkout/sessions', order, { account: 'two-countries' })
  const token = await page({ checkout_session_id: session.id })

  const around = await pay({ country: 'DE', payment_method: CHALLENGED }, token, 'two-countries')
  const through = await pay({ payment_method: CHALLENGED }, token, 'two-countries')

  expect(around.json().details).toMatchObject([{ pointer: '/country', type: 'value_error.conflict' }])
  expect(through.json()).toMatchObject({ status: 'buyer_approval_pending', country: 'US' })
})

describe('a token that pins a buyer', () => {
  test.each([
    ['by its reference', async () => ({ buyer_external_identifier: 'buyer-a' })],
    [
      'by its id',
      async () => {
        const found = await service.send('GET /buyers?external_identifier=buyer-a')
        return { buyer_id: found.json().items[0].id }
      },
    ],
  ])('%s cannot pay with the session of another one', async (_how, pin) => {
    for (const buyer of ['buyer-a', 'buyer-b']) {
      await service.send('POST /buyers', { external_identifier: buyer })
    }
    const open = async (buyer: object) => {
      const session = await send('POST /checkout/sessions', buyer)
      await send(`PUT /checkout/sessions/${session.id}/fields`, { payment_method: CARD }, { token: null })
      return { payment_method: { method: 'checkout-session', id: session.id } }
    }
    const others = await open({ buyer: { external_identifier: 'buyer-b' } })
    const own = await open({ buyer: { external_identifier: 'buyer-a' } })
    const noOnes = await open({})
    const embed = await pin()
    const token = await page({ embed })
    const linked = await page({ embed, checkout_session_id: others.payment_method.id })

    const refused = await pay(others, token)
    const contradicting = await pay(others, linked)

    expect(refused.json().details).toMatchObject([
      { pointer: '/payment_method/id', type: 'value_error.not_found' },
    ])
    expect(contradicting.json().details).toMatchObject([{ pointer: '/checkout_session_id' }])
    expect((await pay(own, token)).statusCode).toBe(201)
    expect((await pay(noOnes, token)).statusCode).toBe(201)
  })

  test('is not told the id of another buyer’s card', async () => {
    const others = await storedCard('owner', 'the-card')
    const own = await storedCard('buyer-c', 'own-card')
    const token = await page({ embed: { buyer_external_identifier: 'buyer-c' } })
    const keep = (reference: string) => ({
      store: true,
      payment_method: { ...CARD, external_identifier: reference },
    })

    const told = await pay(keep('the-card'), token)
    const toldOfOwn = await pay(keep('own-card'), token)
    const server = await service.send('POST /transactions', { ...PAYMENT, ...keep('the-card') })

    expect(told.statusCode).toBe(409)
    expect(told.json()).toMatchObject({ code: 'duplicate_record', resource_id: null })
    expect(toldOfOwn.json()).toMatchObject({ resource_id: own.id })
    expect(server.json()).toMatchObject({ resource_id: others.id })
  })
})
