import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { withoutNumbers } from './document.ts'

const NUMBER = '4111111111111111'
const CARD = { method: 'card', number: NUMBER, expiration_date: '12/40', security_code: '123' }

describe('whatever could be a card number is removed', () => {
  test.each<[string, unknown, unknown]>([
    ['a field', { a: NUMBER, b: 'kept' }, { b: 'kept' }],
    ['in groups', { a: '4111 1111 1111 1111', b: '4111-1111-1111-1111' }, {}],
    ['inside of a text', { a: `card ${NUMBER}, please` }, {}],
    ['written as a number', { a: Number(NUMBER), b: 1299 }, { b: 1299 }],
    ['deep inside', { a: { b: [{ c: NUMBER, d: 1 }] } }, { a: { b: [{ d: 1 }] } }],
    ['in a list', { a: [NUMBER, 'kept', Number(NUMBER)] }, { a: ['kept'] }],
    ['as a name', { [NUMBER]: true, b: true }, { b: true }],
    ['of twelve digits', { a: '411111111111', b: '41111111111' }, { b: '41111111111' }],
    ['of more than nineteen', { a: '41111111111111111111' }, {}],
  ])('%s', (_what, given, kept) => {
    expect(withoutNumbers(given)).toEqual(kept)
  })

  test('and nothing else', () => {
    const options = {
      text: 'order 4711',
      flag: false,
      none: null,
      amount: 99_999_999,
      when: '2026-11-15T09:30:00Z',
      list: [1, null, 'two', [], {}],
    }

    expect(withoutNumbers(options)).toEqual(options)
    expect(withoutNumbers(null)).toBeNull()
  })

  test('the given object does not change', () => {
    const given = { a: { number: NUMBER } }

    withoutNumbers(given)

    expect(given).toEqual({ a: { number: NUMBER } })
  })
})

describe('in a payment', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  const optionsOf = async (id: string) => {
    const { rows } = await service.database.pool.query(
      "select document -> 'connection_options' as options from transaction_documents where id = $1",
      [id],
    )
    return rows[0].options
  }
  const pay = (connection_options: object) =>
    service.send('POST /transactions', {
      amount: 200011,
      currency: 'USD',
      payment_method: CARD,
      connection_options,
    })

  test('the connector receives the numbers, and the document has none', async () => {
    const response = await pay({
      'mock-card': { merchant_advice_code: { account_number: NUMBER, result: '03' }, skip_retry: true },
      'account-updater': { response_code: 'updated', account_number: NUMBER },
      'braintree-card': { custom_fields: { note: `card ${NUMBER}`, shelf: 'B12' } },
    })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json().merchant_advice_code).toBe('03')
    expect(await optionsOf(response.json().id)).toEqual({
      'mock-card': { merchant_advice_code: { result: '03' }, skip_retry: true },
      'account-updater': { response_code: 'updated' },
      'braintree-card': { custom_fields: { shelf: 'B12' } },
    })
  })

  test('options without numbers are kept whole', async () => {
    const options = { 'mock-card': { fault: { on: 'capture', kind: 'lose-answer' } } }

    const { id } = (await pay(options)).json()

    expect(await optionsOf(id)).toEqual(options)
  })
})
