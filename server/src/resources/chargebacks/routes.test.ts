import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Dispute } from '#connectors/contract/connector.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { openTill, type Till } from '#testing/till.ts'

const DAY_MS = 86_400_000
const NOTE = 'Sent the delivery receipt. Case 4711 at the provider.'

let service: TestService
let till: Till
let mara: SignedInUser
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  mara = await signIn(service, { name: 'Mara Lind' })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const days = (count: number) => new Date(service.context.clock().getTime() + count * DAY_MS)

async function tell(paid: Record<string, unknown>, change: Partial<Dispute> = {}): Promise<void> {
  const { id } = paid['payment_service'] as { readonly id: string }
  const reference = paid['payment_service_transaction_id'] as string
  const told: Dispute = {
    about: 'chargeback',
    id: `${change.about ?? 'chargeback'} of ${reference}`,
    reference,
    amount: 1_000,
    currency: 'USD',
    code: '13.1',
    reason: 'Not received',
    postedAt: days(-1),
    ...change,
  }
  const scope = { ...service.context, merchantAccountId: 'default' }
  expect(await takeDispute(scope, service.engine, id, told)).toBe(true)
}

async function chargeBack(change: Partial<Dispute> = {}) {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  await tell(paid, change)
  return { paid, ...(await find(paid.id)) }
}

async function find(transactionId: string) {
  const { items } = (await service.send(`GET /chargebacks?transaction_id=${transactionId}`)).json()
  expect(items).toHaveLength(1)
  return items[0]
}

async function idsOf(status: string): Promise<string[]> {
  const { items } = (await service.send(`GET /chargebacks?status=${status}&limit=100`)).json()
  return items.map(({ id }: { readonly id: string }) => id)
}

const asMara = (route: string, body?: object) =>
  service.send(route, body, { token: null, headers: mara.headers })

test('a chargeback is open until its deadline, and a bank that returns the money ends it', async () => {
  const told = await chargeBack({ respondBy: days(10) })
  const silent = await chargeBack()
  const late = await chargeBack({ respondBy: days(-0.5) })
  const old = await chargeBack({ postedAt: days(-46) })
  const returned = await chargeBack()
  await tell(returned.paid, { about: 'chargeback_reversal', postedAt: days(0) })

  expect(told).toMatchObject({
    type: 'chargeback-case',
    merchant_account_id: 'default',
    transaction_id: told.paid.id,
    transaction_external_identifier: null,
    status: 'open',
    amount: -1_000,
    currency: 'USD',
    reason_code: '13.1',
    reason_description: 'Not received',
    answer: null,
    returned_at: null,
  })
  expect(Date.parse(told.respond_by) - Date.parse(told.posted_at)).toBeGreaterThan(10 * DAY_MS)
  expect(silent.respond_by).toBeNull()
  const open = await idsOf('open')
  expect(open.filter((id) => [told.id, silent.id, late.id, old.id, returned.id].includes(id))).toEqual([
    silent.id,
    told.id,
  ])
  expect(await idsOf('expired')).toEqual([old.id, late.id])
  expect(await idsOf('returned')).toEqual([returned.id])
  expect((await service.send(`GET /chargebacks/${returned.id}`)).json().returned_at).not.toBeNull()
  const since = `posted_at_gte=${days(-2).toISOString()}&posted_at_lte=${days(0).toISOString()}`
  const { items } = (await service.send(`GET /chargebacks?limit=100&${since}`)).json()
  expect(items.map(({ id }: { readonly id: string }) => id)).not.toContain(old.id)
  const list = (await service.send(`GET /transactions/${told.paid.id}/chargebacks`)).json()
  expect(list.items[0].id).toBe(told.id)
})

test('a leap second is a time like any other', async () => {
  const { paid, id } = await chargeBack()
  const until = async (time: string) => {
    const { items } = (
      await service.send(`GET /chargebacks?transaction_id=${paid.id}&posted_at_lte=${time}`)
    ).json()
    return items.map((one: { readonly id: string }) => one.id)
  }

  expect(await until('2099-12-31T23:59:60Z')).toEqual([id])
  expect(await until('2016-12-31T23:59:60Z')).toEqual([])
})

test('a deadline that is told later, or changed, is taken', async () => {
  const named = await chargeBack()
  await tell(named.paid, { respondBy: days(5) })
  const nameless = await chargeBack({ id: null, postedAt: new Date('2026-11-10T00:00:00Z') })
  await tell(nameless.paid, { id: null, postedAt: new Date('2026-11-10T00:00:00Z'), respondBy: days(6) })

  expect((await find(named.paid.id)).respond_by).not.toBeNull()
  expect((await find(nameless.paid.id)).respond_by).not.toBeNull()
})

describe('an answer', () => {
  test('is noted by a user, replaced, taken back, and all of it is in the audit log', async () => {
    const { id } = await chargeBack()

    const noted = await asMara(`PUT /chargebacks/${id}/answer`, { note: NOTE })

    expect(noted.statusCode).toBe(200)
    expect(noted.json()).toMatchObject({
      status: 'answered',
      answer: { note: NOTE, author: { id: mara.userId, name: 'Mara Lind' } },
    })
    expect(await idsOf('answered')).toContain(id)
    expect(await idsOf('open')).not.toContain(id)
    const again = await service.send(`PUT /chargebacks/${id}/answer`, { note: 'And the mails.' })
    expect(again.json().answer).toMatchObject({ note: 'And the mails.', author: { id: service.admin.id } })
    expect((await asMara(`DELETE /chargebacks/${id}/answer`)).statusCode).toBe(204)
    expect((await service.send(`GET /chargebacks/${id}`)).json()).toMatchObject({
      status: 'open',
      answer: null,
    })
    expect((await asMara(`DELETE /chargebacks/${id}/answer`)).statusCode).toBe(404)
    const { items } = (await service.send('GET /audit-logs?resource_type=chargeback-answer')).json()
    expect(
      items.map(({ action, resource }: { action: string; resource: { id: string } }) => [
        action,
        resource.id,
      ]),
    ).toEqual([
      ['deleted', id],
      ['created', id],
      ['created', id],
    ])
    expect(items[0].user.id).toBe(mara.userId)
  })

  test('is not needed once the bank has returned the money', async () => {
    const { paid, id } = await chargeBack()
    await tell(paid, { about: 'chargeback_reversal' })

    const refused = await service.send(`PUT /chargebacks/${id}/answer`, { note: NOTE })

    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain('returned the money')
  })

  test.each([
    [{}, '/note'],
    [{ note: '' }, '/note'],
    [{ note: '  ' }, '/note'],
    [{ note: 'x'.repeat(1_001) }, '/note'],
    [{ note: NOTE, status: 'won' }, '/status'],
  ])('%j is refused', async (body, pointer) => {
    const { id } = await chargeBack()

    const refused = await service.send(`PUT /chargebacks/${id}/answer`, body)

    expect(refused.statusCode).toBe(400)
    expect(refused.json().details[0].pointer).toBe(pointer)
    expect((await service.send(`GET /chargebacks/${id}`)).json().answer).toBeNull()
  })

  test('belongs to one merchant account, and to people who may change payments', async () => {
    const { id } = await chargeBack()
    const reader = await signIn(service, { roles: ['analyst'] })

    const elsewhere = await service.send(
      `PUT /chargebacks/${id}/answer`,
      { note: NOTE },
      { account: 'other' },
    )
    const looked = await service.send(`GET /chargebacks/${id}`, undefined, { account: 'other' })
    const refused = await service.send(
      `PUT /chargebacks/${id}/answer`,
      { note: NOTE },
      { token: null, headers: reader.headers },
    )

    expect([elsewhere.statusCode, looked.statusCode, refused.statusCode]).toEqual([404, 404, 403])
    expect((await service.send('GET /chargebacks', undefined, { account: 'other' })).json().items).toEqual([])
  })

  test('is refused by the database for what is no chargeback, and without its author', async () => {
    const { id } = await chargeBack()
    const change = (set: string) =>
      sql`update payment_service_report_lines set ${sql.raw(set)} where id = ${id}`.execute(
        service.context.db,
      )

    await expect(change("answer_note = 'x'")).rejects.toThrow('payment_service_report_lines_answer')
    await expect(change('answered_at = now()')).rejects.toThrow('payment_service_report_lines_answer')
    await expect(change("kind = 'chargeback_reversal', amount = 0, respond_by = now()")).rejects.toThrow(
      'payment_service_report_lines_deadline',
    )
  })
})
