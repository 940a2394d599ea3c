import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { concludePayment } from '#payments/conclude/conclude.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let desk: ReportDesk
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  desk = await ReportDesk.open(service)
})
afterAll(() => service.close())

/** A payment that failed because its answer was lost. `approve` tells of its approval, which comes too late. */
async function payTooLate() {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  const fault = { on: 'authorize', kind: 'lose-answer' }
  const { id } = await till.pay({ intent: 'capture', connection_options: { 'mock-card': { fault } } })
  const [sale] = await attempts.openOf(scope, id)
  if (!sale) throw new Error('nothing is open')
  const say = (answer: SyncAnswer) =>
    inTransaction(scope, (tx) => concludePayment(tx, service.engine, { attempt: sale, answer }))
  await say({ outcome: 'not_found' })
  const reference = await referenceOf(sale.id)
  const approve = async () => {
    await say({ outcome: 'approved', reference, facts: {} })
    await service.resolveDue()
    const { rows } = await sql<{ id: string }>`
      select id from attempts where transaction_id = ${id} and kind = 'void' and state = 'approved'
    `.execute(service.context.db)
    return referenceOf(rows[0]?.id ?? '')
  }
  return { id, reference, attemptId: sale.id, approve }
}

async function referenceOf(attemptId: string): Promise<string> {
  const { rows } = await sql<{ reference: string }>`
    select reference from simulator.entries where attempt_id = ${attemptId}
  `.execute(service.context.db)
  return rows[0]?.reference ?? ''
}

/** The lines of the newest report, the first one first, and how many of them miss a payment. */
async function lastReport() {
  const { items } = (await service.send('GET /payment-service-reports?limit=1')).json()
  const { id, files } = items[0]
  const lines = (await service.send(`GET /payment-service-reports/${id}/lines`)).json().items
  return {
    unmatched: files[0].unmatched_line_count,
    why: lines.map((line: { unmatched_because: string }) => line.unmatched_because).toReversed(),
  }
}

test('the lines of a late sale and of its refund are kept and explained, and settle nothing', async () => {
  const { id, reference, approve } = await payTooLate()
  const refund = await approve()

  desk.publish({
    lines: [
      { id: 'late 1', reference, amount: 1_000, commission: 34 },
      { id: 'late 2', reference: refund, amount: -1_000, kind: 'refund_settlement' },
    ],
  })
  await desk.ingest()
  // A corrected file repeats them.
  desk.publish({ lines: [{ id: 'late 1', reference, amount: 1_000, commission: 34 }] })
  await desk.ingest()

  expect(await lastReport()).toEqual({ unmatched: 0, why: ['duplicate'] })
  const [, before] = (await service.send('GET /payment-service-reports?limit=2')).json().items
  expect(before.files[0]).toMatchObject({ unmatched_line_count: 0, flagged_line_count: 0, gross_amount: 0 })
  const lines = (await service.send(`GET /payment-service-reports/${before.id}/lines?matched=false`)).json()
  expect(lines.items).toMatchObject([
    { kind: 'refund_settlement', amount: -1_000, unmatched_because: 'late_sale' },
    { kind: 'settlement', amount: 1_000, unmatched_because: 'late_sale' },
  ])
  expect(await till.get(id)).toMatchObject({ status: 'authorization_failed', settled: false })
  expect(await till.told(id)).not.toContain('transaction.settled')
})

test('a file that tells of the late sale before the provider does is explained afterwards', async () => {
  const { id, reference, attemptId, approve } = await payTooLate()
  desk.publish({ lines: [{ id: 'early', reference, ourReference: attemptId, amount: 1_000 }] })
  await desk.ingest()
  expect(await lastReport()).toEqual({ unmatched: 1, why: ['not_succeeded'] })

  await approve()
  await desk.matchAgain()

  expect(await lastReport()).toEqual({ unmatched: 0, why: ['late_sale'] })
  expect(await till.get(id)).toMatchObject({ settled: false })
})

test('a chargeback of a late sale still disputes the payment', async () => {
  const { id, reference, attemptId, approve } = await payTooLate()
  await approve()
  desk.publish({
    lines: [{ id: 'disputed', kind: 'chargeback', reference, ourReference: attemptId, amount: -1_000 }],
  })

  await desk.ingest()

  expect(await lastReport()).toEqual({ unmatched: 0, why: [null] })
  expect(await till.get(id)).toMatchObject({ disputed: true, settled: false })
  expect(await till.told(id)).toContain('transaction.charged-back')
})
