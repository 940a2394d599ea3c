import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LateFailure } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'
import { takeLateFailure } from './take-late-failure.ts'

let service: TestService
let till: Till
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())

type Paid = Awaited<ReturnType<Till['pay']>>

function fail(paid: Paid, of: LateFailure['of'], reference: string): Promise<boolean> {
  return takeLateFailure(scope, service.engine, paid.payment_service.id, {
    outcome: 'read',
    about: 'late_failure',
    of,
    reference,
    code: 'refused_transaction',
    failedAt: service.context.clock(),
    facts: { rawCode: 'R01', rawDescription: 'returned' },
  })
}

async function capturesOf(id: string) {
  return (await service.send(`GET /transactions/${id}/captures`)).json().items
}

async function refundOf(paid: Paid, amount: number) {
  const response = await till.act(paid.id, 'refunds', { amount })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

describe('a capture that fails after it succeeded', () => {
  test('fails a payment that was captured in one step, and tells why', async () => {
    const paid = await till.pay({ intent: 'capture' })

    expect(await fail(paid, 'authorization', paid.payment_service_transaction_id)).toBe(true)

    const after = await till.get(paid.id)
    expect(after).toMatchObject({
      status: 'authorization_failed',
      captured_amount: 0,
      error_code: 'refused_transaction',
    })
    expect(await capturesOf(paid.id)).toMatchObject([
      { status: 'failed', error_code: 'refused_transaction', raw_response_code: 'R01' },
    ])
    expect(await till.told(paid.id)).toEqual(
      expect.arrayContaining(['capture.failed', 'transaction.capture-failed', 'transaction.failed']),
    )
    const history = (await service.send(`GET /transactions/${paid.id}/events`)).json().items
    expect(history).toContainEqual(
      expect.objectContaining({
        name: 'payment-connector-response-transaction-capture-failed',
        context: expect.objectContaining({
          amount: 1_000,
          code: 'refused_transaction',
          uncollected_amount: 0,
        }),
      }),
    )
  })

  test('changes nothing when it is told again', async () => {
    const paid = await till.pay({ intent: 'capture' })
    await fail(paid, 'authorization', paid.payment_service_transaction_id)
    const before = await till.get(paid.id)
    const told = await till.told(paid.id)

    expect(await fail(paid, 'authorization', paid.payment_service_transaction_id)).toBe(true)

    expect(await till.get(paid.id)).toEqual(before)
    expect(await till.told(paid.id)).toEqual(told)
  })

  test('leaves the other captures, and can be captured again', async () => {
    const paid = await till.pay()
    await till.act(paid.id, 'capture', { amount: 400, final: false })
    await till.act(paid.id, 'capture', { amount: 600 })
    const [last] = await capturesOf(paid.id)

    await fail(paid, 'capture', last.xid)

    expect(await till.get(paid.id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 400 })
    expect((await till.told(paid.id)).at(-1)).toBe('transaction.capture-failed')
  })

  test('brings a payment that was only to be authorized back to that', async () => {
    const paid = await till.pay()
    await till.act(paid.id, 'capture', {})
    const [only] = await capturesOf(paid.id)

    await fail(paid, 'capture', only.xid)

    expect(await till.get(paid.id)).toMatchObject({ status: 'authorization_succeeded', captured_amount: 0 })
    expect((await till.told(paid.id)).filter((name) => name === 'transaction.authorized')).toHaveLength(1)
  })

  test('keeps what was refunded before: refunds never exceed captures', async () => {
    const paid = await till.pay({ intent: 'capture' })
    await refundOf(paid, 300)

    await fail(paid, 'authorization', paid.payment_service_transaction_id)

    expect(await till.get(paid.id)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 300,
      refunded_amount: 300,
    })
    const refused = await till.act(paid.id, 'refunds', { amount: 1 })
    expect(refused.statusCode).toBe(400)
    const { rows } = await sql`select uncollected_amount from transactions where id = ${paid.id}`.execute(
      service.context.db,
    )
    expect(rows).toEqual([{ uncollected_amount: 300 }])
  })

  test('is undone with the refund that kept a part of it, when that fails later, too', async () => {
    const paid = await till.pay({ intent: 'capture' })
    const refund = await refundOf(paid, 300)
    await fail(paid, 'authorization', paid.payment_service_transaction_id)

    await fail(paid, 'refund', refund.payment_service_refund_id)

    expect(await till.get(paid.id)).toMatchObject({
      status: 'authorization_failed',
      captured_amount: 0,
      refunded_amount: 0,
    })
  })

  test('no longer counts as not settled once its settlement is taken back', async () => {
    const desk = await ReportDesk.open(service)
    const paid = await till.pay({ intent: 'capture' })
    const reference = paid.payment_service_transaction_id
    desk.publish({ lines: [{ reference, amount: 1_000 }] })
    await desk.ingest()
    await fail(paid, 'authorization', reference)
    expect(await flagsOf(paid.id)).toEqual(['above_expected'])

    desk.publish({ lines: [{ reference, amount: -1_000 }] })
    await desk.ingest()

    const after = await till.get(paid.id)
    expect([after.settled, after.settled_amount]).toEqual([true, 0])
    expect(await flagsOf(paid.id)).toEqual([])
  })
})

describe('a refund that fails after it succeeded', () => {
  test('can be refunded again', async () => {
    const paid = await till.pay({ intent: 'capture' })
    const refund = await refundOf(paid, 1_000)

    expect(await fail(paid, 'refund', refund.payment_service_refund_id)).toBe(true)

    expect(await till.get(paid.id)).toMatchObject({ captured_amount: 1_000, refunded_amount: 0 })
    expect((await service.send(`GET /refunds/${refund.id}`)).json()).toMatchObject({
      status: 'failed',
      error_code: 'refused_transaction',
    })
    expect((await till.told(paid.id)).at(-1)).toBe('refund.failed')
    // The payment service is asked again.
    expect((await refundOf(paid, 1_000)).id).not.toBe(refund.id)
  })

  test('fails once', async () => {
    const paid = await till.pay({ intent: 'capture' })
    const refund = await refundOf(paid, 400)
    await fail(paid, 'refund', refund.payment_service_refund_id)
    await fail(paid, 'refund', refund.payment_service_refund_id)

    expect(await till.get(paid.id)).toMatchObject({ captured_amount: 1_000, refunded_amount: 0 })
    expect((await till.told(paid.id)).filter((name) => name === 'refund.failed')).toHaveLength(1)
  })
})

test('a failure of something that we do not know is not taken, so that the provider sends it again', async () => {
  const paid = await till.pay()

  expect(await fail(paid, 'capture', 'unheard-of')).toBe(false)
})

async function flagsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ flag: string }>`
    select flag from payment_service_report_lines where transaction_id = ${id} and flag is not null
  `.execute(service.context.db)
  return rows.map(({ flag }) => flag)
}
