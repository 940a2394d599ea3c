import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const read = (path: string, options = {}) => service.send(`GET ${path}`, undefined, options)
const list = (id: string, options = {}) => read(`/transactions/${id}/refunds`, options)

async function refunded(body: object = { amount: 400 }) {
  const { id } = await till.pay({ intent: 'capture' })
  const refund = (await till.act(id, 'refunds', body)).json()
  return { id, refund }
}

describe('the refunds of a transaction', () => {
  test('are listed, newest first', async () => {
    const { id, refund } = await refunded()
    const second = (await till.act(id, 'refunds', {})).json()

    const response = await list(id)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      items: [second, refund],
      limit: 100,
      next_cursor: null,
      previous_cursor: null,
    })
  })

  test('are an empty list at first', async () => {
    const { id } = await till.pay()

    expect((await list(id)).json().items).toEqual([])
  })

  test('that were refused say why', async () => {
    const { id } = await till.pay({ intent: 'capture', amount: 520001 })
    await till.act(id, 'refunds', {})

    expect((await list(id)).json().items).toMatchObject([
      { status: 'failed', error_code: 'disputed_transaction' },
    ])
  })

  test('are not shown for a missing transaction, or one of another account', async () => {
    const { id } = await refunded()

    expect((await list(MISSING)).statusCode).toBe(404)
    expect((await list(id, { account: 'other' })).statusCode).toBe(404)
    expect((await list('x')).statusCode).toBe(400)
  })
})

describe('one refund', () => {
  test('is shown below its transaction, and by its own id', async () => {
    const { id, refund } = await refunded()

    const below = await read(`/transactions/${id}/refunds/${refund.id}`)
    const alone = await read(`/refunds/${refund.id}`)

    expect(below.statusCode).toBe(200)
    expect(below.json()).toEqual(refund)
    expect(alone.statusCode).toBe(200)
    expect(alone.json()).toEqual(refund)
  })

  test('is not shown below another transaction, nor to another account', async () => {
    const { id, refund } = await refunded()
    const other = await refunded()
    const account = { account: 'other' }

    expect((await read(`/transactions/${other.id}/refunds/${refund.id}`)).statusCode).toBe(404)
    expect((await read(`/transactions/${MISSING}/refunds/${refund.id}`)).statusCode).toBe(404)
    expect((await read(`/transactions/${id}/refunds/${MISSING}`)).statusCode).toBe(404)
    expect((await read(`/transactions/${id}/refunds/${refund.id}`, account)).statusCode).toBe(404)
    expect((await read(`/refunds/${refund.id}`, account)).statusCode).toBe(404)
    expect((await read(`/refunds/${MISSING}`)).statusCode).toBe(404)
    expect((await read('/refunds/x')).statusCode).toBe(400)
  })

  test('shows its transaction’s current reference', async () => {
    const { id, refund } = await refunded()

    await service.send(`PUT /transactions/${id}`, { external_identifier: 'order-9' })

    expect((await read(`/refunds/${refund.id}`)).json().transaction_external_identifier).toBe('order-9')
  })
})

test.each([
  ['GET', ['transactions.read'], 200],
  ['GET', ['transactions.write'], 403],
  ['POST', ['transactions.write'], 201],
  ['POST', ['transactions.read', 'gift-cards.write'], 403],
])('%s with the scopes %j: %i', async (method, scopes, status) => {
  const { id } = await refunded()
  const token = await signToken(service.admin, { scopes })
  const body = method === 'POST' ? { amount: 1 } : undefined

  const response = await service.send(`${method} /transactions/${id}/refunds`, body, { token })

  expect(response.statusCode).toBe(status)
})
