import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dispute } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'
import { takeDispute } from './take-dispute.ts'

let service: TestService
let till: Till
let desk: ReportDesk
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())
beforeEach(async () => {
  desk = await ReportDesk.open(service)
})

async function capture() {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  return {
    id: paid.id as string,
    reference: paid.payment_service_transaction_id as string,
    serviceId: paid.payment_service.id as string,
  }
}

function dispute(reference: string, change: Partial<Dispute> = {}): Dispute {
  return {
    about: 'chargeback',
    id: `dispute of ${reference}`,
    reference,
    amount: 1_000,
    currency: 'USD',
    code: '10.4',
    reason: 'fraud',
    postedAt: service.context.clock(),
    ...change,
  }
}

async function chargebacksOf(id: string, list = 'chargebacks') {
  return (await service.send(`GET /transactions/${id}/${list}`)).json().items
}

describe('a chargeback by notification', () => {
  test('disputes the payment once, however often it is told', async () => {
    const paid = await capture()

    const taken = await takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference))
    const again = await takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference))

    expect([taken, again]).toEqual([true, true])
    expect((await till.get(paid.id)).disputed).toBe(true)
    expect(await chargebacksOf(paid.id)).toMatchObject([
      { amount: -1_000, currency: 'USD', payment_service_report_file_ids: [] },
    ])
    const told = await till.told(paid.id)
    expect(told.filter((name) => name === 'transaction.charged-back')).toHaveLength(1)
  })

  test('has the line of a file that fitted nothing looked at again', async () => {
    const paid = await capture()
    const line = { id: 'file-first', reference: 'mistyped', amount: -1_000, kind: 'chargeback' } as const
    desk.publish({ lines: [line] })
    await desk.ingest()
    await sql`update payment_service_report_lines set due_at = null, provider_reference = ${paid.reference}
      where external_identifier = 'file-first'`.execute(service.context.db)

    const told = dispute(paid.reference, { id: 'file-first' })
    expect(await takeDispute(scope, service.engine, paid.serviceId, told)).toBe(true)
    await desk.matchAgain()

    expect((await till.get(paid.id)).disputed).toBe(true)
    expect(await chargebacksOf(paid.id)).toHaveLength(1)
  })

  test.each([
    ['with the provider’s id', 'of-both'],
    ['without an id', null],
  ])('is the record of the file that tells of it later, %s', async (_name, id) => {
    const paid = await capture()
    const named = id && `${id} ${paid.reference}`
    await takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference, { id: named }))
    const [before] = await chargebacksOf(paid.id)
    desk.publish({
      lines: [
        { kind: 'chargeback', id: named, reference: paid.reference, amount: -1_000, commission: 1_500 },
      ],
    })

    await desk.ingest()

    const [after, ...others] = await chargebacksOf(paid.id)
    expect(others).toEqual([])
    expect(after).toMatchObject({ id: before.id, commission: 1_500 })
    expect(after.payment_service_report_file_ids).toHaveLength(1)
    expect(after.payment_service_report_id).not.toBe(before.payment_service_report_id)
  })

  test('adds nothing to what a file has told', async () => {
    const paid = await capture()
    const id = `first in a file ${paid.reference}`
    desk.publish({ lines: [{ kind: 'chargeback', id, reference: paid.reference, amount: -1_000 }] })
    await desk.ingest()

    const taken = await takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference, { id }))

    expect(taken).toBe(true)
    expect(await chargebacksOf(paid.id)).toHaveLength(1)
  })

  test('of an unknown payment is not taken, so that the provider sends it again', async () => {
    const { serviceId } = await capture()

    expect(await takeDispute(scope, service.engine, serviceId, dispute('unheard-of'))).toBe(false)
  })

  test('and its reversal are two records, and the payment stays disputed', async () => {
    const paid = await capture()
    await takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference))

    const reversal = dispute(paid.reference, { about: 'chargeback_reversal' })
    await takeDispute(scope, service.engine, paid.serviceId, reversal)

    expect((await till.get(paid.id)).disputed).toBe(true)
    expect(await chargebacksOf(paid.id)).toMatchObject([{ amount: -1_000 }])
    expect(await chargebacksOf(paid.id, 'chargeback-reversals')).toMatchObject([{ amount: 1_000 }])
  })
})
