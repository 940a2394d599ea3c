import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const update = (id: string, body: object, options = {}) =>
  service.send(`PUT /transactions/${id}`, body, options)
const details = (response: { json: () => { details: { pointer: string; type: string }[] } }) =>
  response.json().details.map(({ pointer, type }) => [pointer, type])

/** The job has asked after a minute, five minutes and an hour, and the outcome is still unknown. */
async function askInVain() {
  await service.context.db.updateTable('attempts').set({ checks: 3 }).execute()
}

async function correct(id: string, body: object) {
  const response = await update(id, body)
  expect(response.statusCode, response.body).toBe(200)
  expect(await till.get(id)).toEqual(response.json())
  return response.json()
}

describe('notes of the merchant', () => {
  test('metadata is replaced as a whole', async () => {
    const { id } = await till.pay({ metadata: { shelf: 'A1', gift: 'yes' } })

    const transaction = await correct(id, { metadata: { shelf: 'B12' } })

    const find = (metadata: object) =>
      service.send(`GET /transactions?metadata=${encodeURIComponent(JSON.stringify(metadata))}`)
    expect(transaction.metadata).toEqual({ shelf: 'B12' })
    expect((await find({ shelf: 'B12' })).json().items.map((item: { id: string }) => item.id)).toEqual([id])
    expect((await find({ gift: 'yes' })).json().items).toEqual([])
  })

  test.each([
    ['PUT /transactions/ID', {}],
    ['POST /transactions', { amount: 100, currency: 'USD', payment_method: CARD }],
    ['POST /checkout/sessions', {}],
    ['PUT /checkout/sessions/ID', {}],
    ['POST /payment-options', {}],
    ['POST /payment-links', { amount: 100, currency: 'USD', country: 'US' }],
    ['POST /merchant-accounts/default/three-ds-configurations', {}],
    ['PUT /merchant-accounts/default/three-ds-configurations/ID', {}],
  ])('%s refuses more metadata than notes need', async (route, body) => {
    const path = route.replace('ID', '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001')
    const many = Object.fromEntries(Array.from({ length: 101 }, (_none, index) => [`note ${index}`, 'x']))

    const long = await service.send(path, { ...body, metadata: { shelf: 'x'.repeat(2_001) } })
    const refused = await service.send(path, { ...body, metadata: many })

    expect(long.statusCode, long.body).toBe(400)
    expect(details(long)).toContainEqual(['/metadata/shelf', 'value_error.any_str.max_length'])
    expect(refused.statusCode, refused.body).toBe(400)
    expect(details(refused)).toContainEqual(['/metadata', 'value_error.list.max_items'])
  })

  test('metadata above the limits, which may come to be lowered, is shown', async () => {
    const { id } = await till.pay()
    const metadata = { shelf: 'x'.repeat(50_000) }
    await sql`
      update transaction_documents set document = jsonb_set(document, '{metadata}', ${JSON.stringify(metadata)})
      where id = ${id}
    `.execute(service.context.db)

    const shown = await till.get(id)
    const captured = await till.act(id, 'capture', {})

    expect(shown.metadata).toEqual(metadata)
    expect(captured.statusCode, captured.body).toBe(200)
  })

  test('of several updates at once the last counts, and lists find only its metadata', async () => {
    const { id } = await till.pay({ metadata: { shelf: 'C' } })
    const shelves = Array.from({ length: 12 }, (_, index) => `C${index}`)

    await Promise.all(shelves.map((shelf) => update(id, { metadata: { shelf } })))

    const { metadata } = await till.get(id)
    const isFound = async (shelf: string) => {
      const response = await service.send(
        `GET /transactions?metadata=${encodeURIComponent(`{"shelf":"${shelf}"}`)}`,
      )
      return response.json().items.length > 0
    }
    const found = []
    for (const shelf of ['C', ...shelves]) if (await isFound(shelf)) found.push(shelf)
    expect(found).toEqual([metadata.shelf])
  })

  test('null clears what can be empty', async () => {
    const { id } = await till.pay({ external_identifier: 'order-1', metadata: { shelf: 'A1' } })

    const cleared = await correct(id, {
      external_identifier: null,
      metadata: null,
      connection_options: null,
      payment_service_transaction_id: null,
    })

    expect(cleared).toMatchObject({
      external_identifier: null,
      metadata: null,
      payment_service_transaction_id: null,
    })
  })

  test('null leaves what cannot be empty, and absent fields stay', async () => {
    const before = await till.pay({ external_identifier: 'order-2', metadata: { shelf: 'A1' } })

    const { updated_at, ...after } = await correct(before.id, {
      status: null,
      amount: null,
      authorized_amount: null,
      captured_amount: null,
    })

    expect({ ...after, updated_at: before.updated_at }).toEqual(before)
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
  })

  test('the reference can be changed, and is found', async () => {
    const { id } = await till.pay({ external_identifier: 'order-3' })

    await correct(id, { external_identifier: 'order-3b' })

    const find = (name: string) => service.send(`GET /transactions?external_identifier=${name}`)
    expect((await find('order-3b')).json().items).toMatchObject([{ id }])
    expect((await find('order-3')).json().items).toEqual([])
  })

  test('options for the connector apply from then on', async () => {
    const { id } = await till.pay()
    await correct(id, {
      connection_options: { 'mock-card': { fault: { on: 'capture', kind: 'lose-answer' } } },
    })

    const response = await till.act(id, 'capture', {})
    service.moveClock(61_000)
    await service.resolveDue()

    expect(response.json()).toMatchObject({ status: 'capture_pending', captured_amount: 0 })
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  })
})

describe('status and amounts', () => {
  test('can be set for what was done outside of this service', async () => {
    const { id } = await till.pay({ amount: 200011 })

    const transaction = await correct(id, {
      status: 'capture_succeeded',
      amount: 1200,
      authorized_amount: 1100,
      captured_amount: 1000,
      payment_service_transaction_id: 'psp-1',
    })

    expect(transaction).toMatchObject({
      status: 'capture_succeeded',
      amount: 1200,
      authorized_amount: 1100,
      captured_amount: 1000,
      payment_service_transaction_id: 'psp-1',
    })
    const found = await service.send('GET /transactions?status=capture_succeeded&amount_eq=1200')
    expect(found.json().items).toMatchObject([{ id }])
  })

  test('no provider is asked', async () => {
    const { id } = await till.pay()

    await correct(id, { status: 'authorization_voided' })

    expect(await till.books(id)).toEqual({ authorized: 1000, captured: 0, refunded: 0, voided: 0 })
  })

  test('decide what can be done next', async () => {
    const { id } = await till.pay()
    await correct(id, { authorized_amount: 700 })

    const over = await till.act(id, 'capture', { amount: 701 })
    const just = await till.act(id, 'capture', {})

    expect(details(over)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(just.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 700 })
  })

  test('a captured amount can be refunded', async () => {
    const { id } = await till.pay()
    await till.act(id, 'capture', { amount: 600 })
    await correct(id, { captured_amount: 500 })

    const over = await till.act(id, 'refunds', { amount: 501 })
    const just = await till.act(id, 'refunds', {})

    expect(details(over)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(just.json()).toMatchObject({ amount: 500, status: 'succeeded' })
  })

  test('a status does not undo a final capture', async () => {
    const { id } = await till.pay()
    await till.act(id, 'capture', { amount: 600 })
    await correct(id, { status: 'authorization_succeeded', captured_amount: 0 })

    const response = await till.act(id, 'capture', {})

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('the final capture is done')
  })
})

describe('amounts that do not add up', () => {
  const uncaptured = async () => (await till.pay()).id
  const voided = async () => {
    const { id } = await till.pay()
    await till.act(id, 'void')
    return id
  }
  const refunded = async () => {
    const { id } = await till.pay()
    await till.act(id, 'capture', { amount: 900 })
    await till.act(id, 'refunds', { amount: 300 })
    return id
  }

  test.each([
    ['captured above authorized', uncaptured, { captured_amount: 1001 }, '/captured_amount'],
    ['authorized above the amount', uncaptured, { authorized_amount: 1001 }, '/authorized_amount'],
    ['an amount below authorized', uncaptured, { amount: 999 }, '/amount'],
    ['authorized below captured', refunded, { authorized_amount: 899 }, '/authorized_amount'],
    ['captured below refunded', refunded, { captured_amount: 299 }, '/captured_amount'],
    ['voided and captured', refunded, { status: 'authorization_voided' }, '/status'],
    ['being voided and captured', refunded, { status: 'authorization_void_pending' }, '/status'],
    ['captured and voided', voided, { captured_amount: 100 }, '/captured_amount'],
    ['an amount above the highest', uncaptured, { amount: 100_000_000 }, '/amount'],
    ['a negative amount', uncaptured, { captured_amount: -1 }, '/captured_amount'],
    ['an amount as text', uncaptured, { authorized_amount: '1' }, '/authorized_amount'],
    ['an unknown status', uncaptured, { status: 'settled' }, '/status'],
    ['a field that cannot be corrected', uncaptured, { refunded_amount: 1 }, '/refunded_amount'],
    ['an empty reference', uncaptured, { external_identifier: '' }, '/external_identifier'],
    ['metadata that is not text', uncaptured, { metadata: { a: 1 } }, '/metadata/a'],
    [
      'an unknown connector',
      uncaptured,
      { connection_options: { nobody: {} } },
      '/connection_options/nobody',
    ],
  ])('%s', async (_name, make, body, pointer) => {
    const id = await make()
    const before = await till.get(id)

    const response = await update(id, body)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toEqual([pointer])
    expect(await till.get(id)).toEqual(before)
  })

  test('may be corrected together', async () => {
    const id = await refunded()

    const transaction = await correct(id, { amount: 2000, authorized_amount: 2000, captured_amount: 1500 })

    expect(transaction).toMatchObject({ captured_amount: 1500, refunded_amount: 300 })
  })
})

test('a correction is told to subscribers, in the history and in the audit log', async () => {
  const { id } = await till.pay()

  await correct(id, { metadata: { shelf: 'B12' }, status: 'authorization_voided' })

  const history = (await service.send(`GET /transactions/${id}/events`)).json().items
  const log = (await service.send(`GET /audit-logs?action=updated`)).json().items
  expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.modified'])
  expect(history[0]).toMatchObject({
    type: 'transaction-event',
    name: 'transaction-modified-event',
    context: { fields: ['metadata', 'status'] },
  })
  expect(history[1]).toMatchObject({
    name: 'transaction-updated-status',
    context: { from: 'authorization_succeeded', status: 'authorization_voided' },
  })
  expect(log[0]).toMatchObject({ resource: { type: 'transaction', id, name: 'USD 1000' } })
})

test('a missing transaction, or one of another account, cannot be corrected', async () => {
  const { id } = await till.pay()

  expect((await update(MISSING, {})).statusCode).toBe(404)
  expect((await update(id, {}, { account: 'other' })).statusCode).toBe(404)
})

describe('a merchant decides a waiting payment', () => {
  const held = async () =>
    service.context.db.selectFrom('transaction_cards').select('transaction_id').execute()
  const pending = () => till.pay({ amount: 600002, store: true })

  test('not while the processor may work on it', async () => {
    const { id } = await pending()

    const response = await update(id, { status: 'authorization_failed' })

    expect(response.statusCode, response.body).toBe(425)
    expect(response.headers['retry-after']).toBe('1')
    await askInVain()
    await correct(id, { status: 'authorization_failed' })
  })

  test('by its status, not by its amount alone', async () => {
    const { id } = await pending()
    await askInVain()

    const response = await update(id, { amount: 600003 })
    await correct(id, { amount: 600003, status: 'authorization_failed' })

    expect(response.statusCode, response.body).toBe(425)
  })

  test('as failed: the card that was to be stored is forgotten', async () => {
    const { id } = await pending()
    const before = await held()
    await askInVain()

    const transaction = await correct(id, { status: 'authorization_failed' })

    expect(before).toEqual([{ transaction_id: id }])
    expect(await held()).toEqual([])
    expect(transaction.payment_method.id).toBeNull()
  })

  test('as authorized: the card is stored', async () => {
    const { id } = await pending()
    await askInVain()

    const transaction = await correct(id, { status: 'authorization_succeeded', authorized_amount: 600002 })

    const stored = await service.send(`GET /payment-methods/${transaction.payment_method.id}`)
    expect(stored.json()).toMatchObject({ label: '1111', status: 'succeeded' })
    expect(await held()).toEqual([])
  })

  test('as still waiting: the card stays held', async () => {
    const { id } = await pending()

    await correct(id, { metadata: { shelf: 'A1' } })

    expect(await held()).toEqual([{ transaction_id: id }])
  })
})

describe('a capture that is on its way', () => {
  async function capturing() {
    const later = await till.addService({ asynchronous: 'true' })
    const { id } = await till.pay({ amount: 1000, payment_service_id: later.id })
    await till.act(id, 'capture', { amount: 800 })
    return id
  }

  test('is waited for', async () => {
    const id = await capturing()

    const voided = await update(id, { status: 'authorization_voided' })
    const early = await update(id, { captured_amount: 200 })

    expect([voided.statusCode, early.statusCode]).toEqual([425, 425])
  })

  test('does not block other corrections', async () => {
    const id = await capturing()

    const transaction = await correct(id, { amount: 1200 })

    expect(transaction).toMatchObject({ amount: 1200, status: 'capture_pending' })
  })

  test('is decided by the merchant after three checks without an outcome', async () => {
    const id = await capturing()
    await askInVain()

    const over = await update(id, { captured_amount: 1001 })
    const transaction = await correct(id, { captured_amount: 1000 })

    const refund = await till.act(id, 'refunds', { amount: 1000 })
    const { items } = (await service.send(`GET /transactions/${id}/captures`)).json()
    expect(details(over)).toEqual([['/captured_amount', 'value_error.number.not_le']])
    expect(transaction).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect(items).toMatchObject([{ status: 'failed', error_code: 'corrected_by_merchant', amount: 800 }])
    expect(refund.statusCode, refund.body).toBe(201)
  })

  test('has happened if the merchant sets only the status', async () => {
    const id = await capturing()
    await askInVain()

    const nothing = await update(id, { status: 'capture_succeeded', captured_amount: 0 })
    const transaction = await correct(id, { status: 'capture_succeeded' })

    const { items } = (await service.send(`GET /transactions/${id}/captures`)).json()
    expect(details(nothing)).toEqual([['/captured_amount', 'value_error.conflict']])
    expect(transaction).toMatchObject({ status: 'capture_succeeded', captured_amount: 800 })
    expect(items).toMatchObject([{ status: 'succeeded', error_code: null, amount: 800 }])
    expect((await till.act(id, 'refunds', { amount: 800 })).statusCode).toBe(201)
  })

  test('is not decided by unchanged amounts', async () => {
    const id = await capturing()
    await askInVain()

    const same = await correct(id, { status: 'capture_pending', captured_amount: 0, metadata: { a: 'b' } })
    const raised = await correct(id, { status: 'capture_pending', captured_amount: 500 })

    expect(same).toMatchObject({ status: 'capture_pending', metadata: { a: 'b' } })
    expect(raised).toMatchObject({ status: 'capture_succeeded', captured_amount: 500 })
  })

  test('counts as final only if it captured something', async () => {
    const later = await till.addService({ asynchronous: 'true' })
    const final = async () => {
      const { id } = await till.pay({ amount: 1000, payment_service_id: later.id })
      await till.act(id, 'capture', { amount: 800, final: true })
      await askInVain()
      return id
    }
    const [taken, open] = [await final(), await final()]

    await correct(taken, { status: 'capture_succeeded' })
    await correct(open, { status: 'authorization_succeeded' })

    expect((await till.act(taken, 'capture', { amount: 100 })).statusCode).toBe(400)
    expect((await till.act(open, 'capture', { amount: 100 })).statusCode).toBe(200)
  })

  test('has not happened when the merchant says so', async () => {
    const id = await capturing()
    await askInVain()

    const voided = await correct(id, { status: 'authorization_voided' })

    expect(voided).toMatchObject({ status: 'authorization_voided', captured_amount: 0 })
  })
})

test('a refund that is on its way goes on despite corrections', async () => {
  const secret = 'a-secret-of-the-till'
  const later = await till.addService({ asynchronous: 'true', webhook_secret: secret })
  const { id, payment_service_transaction_id } = await till.pay({ payment_service_id: later.id })
  await till.act(id, 'capture', { amount: 1000 })
  await till.notify(later, { event: 'capture.succeeded', payment_service_transaction_id }, secret)
  const refund = (await till.act(id, 'refunds', { amount: 300 })).json()
  await askInVain()

  const tooLittle = await update(id, { captured_amount: 299 })
  await correct(id, { captured_amount: 900 })
  const { payment_service_refund_id } = (await service.send(`GET /refunds/${refund.id}`)).json()
  await till.notify(later, { event: 'refund.succeeded', payment_service_refund_id }, secret)

  expect(details(tooLittle)).toEqual([['/captured_amount', 'value_error.number.not_ge']])
  expect((await service.send(`GET /refunds/${refund.id}`)).json()).toMatchObject({ status: 'succeeded' })
  expect(await till.get(id)).toMatchObject({ refunded_amount: 300, captured_amount: 900 })
})
