import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '../../../testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }
const PAYMENT = { amount: 1299, currency: 'USD', payment_method: CARD }
const PROOF = {
  cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
  eci: '05',
  version: '2.2.0',
  directory_response: 'Y',
  directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
}

describe('a browser’s token', () => {
  test.each([
    [
      '/merchant_initiated',
      { merchant_initiated: true, payment_source: 'card_on_file', is_subsequent_payment: true },
    ],
    ['/payment_source', { payment_source: 'moto' }],
    ['/three_d_secure_data', { three_d_secure_data: PROOF }],
    ['/three_d_secure/amount', { three_d_secure: { amount: 1 } }],
    ['/payment_service_id', { payment_service_id: '01900000-0000-7000-8000-0000000000ff' }],
  ])('cannot say %s', async (pointer, said) => {
    const token = await signToken(service.admin, { scopes: ['embed'] })

    const response = await service.send('POST /transactions', { ...PAYMENT, ...said }, { token })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer, type: 'value_error.conflict' }])
  })

  test('pays what its checkout session says, and nothing else', async () => {
    const session = (await service.send('POST /checkout/sessions', { amount: 1299, currency: 'USD' })).json()
    const token = await signToken(service.admin, { scopes: ['embed'], checkout_session_id: session.id })

    const less = await service.send('POST /transactions', { ...PAYMENT, amount: 1 }, { token })
    const other = await service.send('POST /transactions', { ...PAYMENT, currency: 'JPY' }, { token })
    const right = await service.send('POST /transactions', PAYMENT, { token })

    expect(less.json().details).toMatchObject([{ pointer: '/amount' }])
    expect(other.json().details).toMatchObject([{ pointer: '/currency' }])
    expect(right.statusCode, right.body).toBe(201)
  })
})
