import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dispute } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { forgetSecrets } from '#testing/forget-secrets.ts'
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

  test('without an id is one of its own for each time, though payment and amount are the same', async () => {
    const paid = await capture()
    const at = service.context.clock().getTime()
    const tell = (hours: number) => {
      const change = { id: null, amount: 400, postedAt: new Date(at + hours * 3_600_000) }
      return takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference, change))
    }
    for (const hours of [0, 0, 1]) expect(await tell(hours)).toBe(true)
    expect(await chargebacksOf(paid.id)).toHaveLength(2)
    const line = { kind: 'chargeback', id: null, reference: paid.reference, amount: -400 } as const

    desk.publish({ lines: [line, line, line] })
    await desk.ingest()

    // Two of the lines are those of the notifications. The third is new, and a later notification is about it.
    expect(await chargebacksOf(paid.id)).toHaveLength(3)
    expect(await tell(2)).toBe(true)
    expect(await tell(2)).toBe(true)
    expect(await chargebacksOf(paid.id)).toHaveLength(3)
    expect(await tell(3)).toBe(true)
    expect(await chargebacksOf(paid.id)).toHaveLength(4)
  })

  test.each([
    ['a currency that is none', { currency: 'dollars' }],
    ['a fraction', { amount: 10.5 }],
    ['an amount below zero', { amount: -5 }],
    ['a reason that no text can hold', { reason: 'nul \u0000' }],
  ])('with %s is refused, and nothing is kept', async (_name, change) => {
    const paid = await capture()

    const taking = takeDispute(scope, service.engine, paid.serviceId, dispute(paid.reference, change))

    await expect(taking).rejects.toThrow('cannot be kept')
    expect(await chargebacksOf(paid.id)).toEqual([])
  })

  test('of an unknown payment leaves no report behind', async () => {
    const { serviceId } = await capture()
    const count = async () => (await service.send('GET /payment-service-reports')).json().items.length
    await sql`delete from payment_service_report_lines where file_id is null`.execute(service.context.db)
    await sql`delete from payment_service_reports where external_identifier is null`.execute(
      service.context.db,
    )
    const before = await count()

    expect(await takeDispute(scope, service.engine, serviceId, dispute('unheard-of'))).toBe(false)

    expect(await count()).toBe(before)
  })

  test('reaches a service that was deleted, while its payments can be disputed', async () => {
    const fields = { merchant_id: 'retired', webhook_secret: 'secret-75' }
    const retired = await till.addService(fields)
    const unused = await till.addService(fields)
    const paid = await till.pay({ intent: 'capture', payment_service_id: retired.id })
    const made = await service.send(`POST /sandbox/payment-services/${retired.id}/chargebacks`, {
      transaction_id: paid.id,
    })
    for (const { id } of [retired, unused]) await service.send(`DELETE /payment-services/${id}`)
    service.moveClock(20 * 60_000)
    await forgetSecrets(service)
    const message = { event: 'chargeback', payment_service_event_id: made.json().id }
    const notify = (to: { webhook_url: string }) => till.notify(to, message, fields.webhook_secret)

    expect((await notify(retired)).statusCode).toBe(204)
    expect((await notify(unused)).statusCode).toBe(404)

    expect((await till.get(paid.id)).disputed).toBe(true)
    expect(await chargebacksOf(paid.id)).toHaveLength(1)
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
