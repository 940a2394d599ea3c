import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { useReportShop } from '#testing/reports.ts'
import { TRANSACTION_FIELD_NAMES } from './transaction-fields.ts'

const shop = useReportShop()
/** Payments of all kinds, oldest first. */
const payments: string[] = []

const BUYER = {
  external_identifier: '=cmd|calc',
  billing_details: {
    first_name: '@Ada',
    last_name: 'O"Hara, Jr.',
    email_address: 'ada@example.com',
    address: { city: 'London', country: 'GB', line1: '+1 Road', postal_code: 'N1' },
    tax_id: { value: 'GB123456789', kind: 'gb.vat' },
  },
}

beforeAll(async () => {
  await shop.service.send('POST /merchant-accounts', { id: 'another-shop', display_name: 'Another shop' })
  const captured = await shop.till.pay({
    amount: 5_000,
    intent: 'capture',
    external_identifier: 'order-1',
    buyer: BUYER,
  })
  await shop.till.act(captured.id, 'refunds', { amount: 1_200 })
  const authorized = await shop.till.pay({ amount: 700, metadata: { order: '4711', shop: 'north' } })
  const declined = await shop.till.pay({ amount: 200_001 })
  const euros = await shop.till.pay({ amount: 20, currency: 'EUR', country: 'NL' })
  const voided = await shop.till.pay({ amount: 300 })
  await shop.till.act(voided.id, 'void')
  payments.push(captured.id, authorized.id, declined.id, euros.id, voided.id)
})

const transactions = (params: object) => shop.reports.readOnce({ model: 'transactions', params })

async function idsWith(params: object): Promise<string[]> {
  const [, ...lines] = await transactions({ fields: ['id'], ...params })
  return lines
}

/** The numbers of the payments in a file, by their age. */
async function found(filters: object): Promise<number[]> {
  return (await idsWith({ filters })).map((id) => payments.indexOf(id))
}

test('has every field, as the API shows it', async () => {
  const [head = '', first = ''] = await transactions({ sort: [{ field: 'created_at' }] })

  const payment = await shop.till.get(payments[0] ?? '')
  expect(head.split(',')).toEqual(TRANSACTION_FIELD_NAMES)
  const [beforeName = '', afterName = ''] = first.split(`,'@Ada,"O""Hara, Jr.",`)
  const { payment_service: at } = payment
  expect(beforeName.split(',')).toEqual([
    payment.id,
    'order-1',
    'capture_succeeded',
    payment.created_at,
    payment.updated_at,
    payment.authorized_at,
    payment.captured_at,
    '',
    '5000',
    'USD',
    '5000',
    '5000',
    '1200',
    'card',
    'visa',
    payment.payment_service_transaction_id,
    at.id,
    at.payment_service_definition_id,
    at.display_name,
    payment.auth_response_code ?? '',
    payment.raw_response_code ?? '',
    payment.raw_response_description ?? '',
    '',
    'succeeded',
    '',
    'ecommerce',
    'false',
    'false',
    '',
    '',
    '',
    '',
    "'=cmd|calc",
  ])
  expect(afterName).toBe("ada@example.com,,,,'+1 Road,,N1,London,,,GB,GB123456789,gb.vat,0,0,false,,0")
})

test('shows the outcome of each payment as the API does', async () => {
  const [, ...lines] = await transactions({ fields: ['id', 'intent_outcome', 'status'] })

  for (const line of lines) {
    const [id = '', ...rest] = line.split(',')
    const { intent_outcome, status } = await shop.till.get(id)
    expect(rest).toEqual([intent_outcome, status])
  }
  expect(lines).toHaveLength(payments.length)
})

test('fields come in the order that was asked for', async () => {
  const [head, first] = await transactions({ fields: ['currency', 'id', 'amount'] })

  expect([head, first]).toEqual(['currency,id,amount', `USD,${payments[0]},5000`])
})

test('metadata is JSON in one field', async () => {
  const [, line] = await transactions({ fields: ['metadata'], filters: { metadata: { order: '4711' } } })

  expect(JSON.parse((line ?? '').slice(1, -1).replaceAll('""', '"'))).toEqual({
    order: '4711',
    shop: 'north',
  })
})

describe('filters', () => {
  test.each([
    ['by status', { status: ['authorization_declined', 'authorization_voided'] }, [2, 4]],
    ['by currency', { currency: ['EUR'] }, [3]],
    ['by method', { method: ['card'] }, [0, 1, 2, 3, 4]],
    ['by another method', { method: ['paypal'] }, []],
    ['by scheme', { scheme: ['mastercard'] }, []],
    ['by source', { payment_source: ['moto', 'ecommerce'] }, [0, 1, 2, 3, 4]],
    ['by who initiated', { merchant_initiated: true }, []],
    ['by whether they follow another', { is_subsequent_payment: false }, [0, 1, 2, 3, 4]],
    ['by metadata', { metadata: { order: '4711', shop: 'north' } }, [1]],
    ['by metadata in a list', { metadata: [{ order: '4711' }, { shop: 'north' }] }, [1]],
    ['by metadata that no payment has', { metadata: { order: '4711', shop: 'south' } }, []],
    ['by 3-D Secure', { three_d_secure_status: ['complete'] }, []],
    [
      'by its indicator',
      { three_d_secure_eci: ['05'], three_d_secure_auth_resp: ['Y'], three_d_secure_method: ['challenge'] },
      [],
    ],
    ['by capture', { captured_at: { start: 'day_start' } }, [0]],
    ['by void', { voided_at: { end: 'day_end' } }, [4]],
    ['by several', { status: ['authorization_succeeded'], currency: ['USD'] }, [1]],
  ])('%s', async (_name, filters, expected) => {
    expect(await found(filters)).toEqual(expected)
  })

  test('by times of creation and change, to the millisecond, with both ends', async () => {
    const second = await shop.till.get(payments[1] ?? '')
    const at = (text: string, ms: number) => new Date(Date.parse(text) + ms).toISOString()
    const { created_at, updated_at } = second

    expect(await found({ created_at: { start: created_at } })).toEqual([1, 2, 3, 4])
    expect(await found({ created_at: { start: at(created_at, 1) } })).toEqual([2, 3, 4])
    expect(await found({ created_at: { end: created_at } })).toEqual([0, 1])
    expect(await found({ created_at: { end: at(created_at, -1) } })).toEqual([0])
    expect(await found({ created_at: { start: created_at, end: created_at } })).toEqual([1])
    expect(await found({ updated_at: { start: updated_at, end: updated_at } })).toEqual([1])
    expect(
      await found({ authorized_at: { start: second.authorized_at, end: second.authorized_at } }),
    ).toEqual([1])
    expect(await found({ created_at: { start: '2020-01-01T00:00:00', end: '2020-12-31T23:59' } })).toEqual([])
  })
})

describe('sorts', () => {
  test.each([
    ['by age, newest first', [{ field: 'created_at', order: 'desc' }], [4, 3, 2, 1, 0]],
    ['by amount, as numbers', [{ field: 'amount', order: 'asc' }], [3, 4, 1, 0, 2]],
    ['by amount, largest first', [{ field: 'amount', order: 'desc' }], [2, 0, 1, 4, 3]],
    ['by two fields', [{ field: 'currency' }, { field: 'amount', order: 'desc' }], [3, 2, 0, 1, 4]],
    ['with missing values last', [{ field: 'captured_at', order: 'desc' }], [0, 1, 2, 3, 4]],
  ])('%s', async (_name, sort, expected) => {
    expect((await idsWith({ sort })).map((id) => payments.indexOf(id))).toEqual(expected)
  })
})

test('a merchant account sees its own payments alone', async () => {
  const elsewhere = { account: 'another-shop' }
  const report = await shop.reports.create({ schedule: 'once', schedule_enabled: false }, elsewhere)
  await shop.reports.write()
  const executions = (
    await shop.service.send(`GET /reports/${report.id}/executions`, undefined, elsewhere)
  ).json()
  const { id } = executions.items[0]
  const url = await shop.service.send(`POST /reports/${report.id}/executions/${id}/url`, undefined, elsewhere)

  expect((await shop.reports.download(url.json().url)).body).toBe('id,amount\r\n')
})

test('walks thousands of payments in both directions, and leaves out none', async () => {
  await sql`
    insert into transactions (merchant_account_id, id, intent, amount, currency, payment_source, merchant_initiated,
      is_subsequent_payment, status, updated_at)
    select 'another-shop', ('01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'authorize', number, 'USD',
      'ecommerce', false, false, 'processing', now()
    from generate_series(1, 4500) as number
  `.execute(shop.service.context.db)
  const amounts = async (params: object) => {
    const spec = { model: 'transactions', params: { fields: ['amount'], ...params } }
    const options = { account: 'another-shop' }
    const report = await shop.reports.create({ schedule: 'once', schedule_enabled: false, spec }, options)
    await shop.reports.write()
    const { items } = (
      await shop.service.send(`GET /reports/${report.id}/executions`, undefined, options)
    ).json()
    const path = `/reports/${report.id}/executions/${items[0].id}/url`
    const { url } = (await shop.service.send(`POST ${path}`, undefined, options)).json()
    return (await shop.reports.download(url)).body.trim().split('\r\n').slice(1).map(Number)
  }
  const all = Array.from({ length: 4_500 }, (_none, index) => index + 1)

  expect(await amounts({})).toEqual(all)
  expect(await amounts({ sort: [{ field: 'created_at', order: 'desc' }] })).toEqual(all.toReversed())
  expect(await amounts({ sort: [{ field: 'amount', order: 'desc' }] })).toEqual(all.toReversed())
})
