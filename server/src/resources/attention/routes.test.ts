import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import * as marks from '#payments/store/marks.ts'
import { inTransaction } from '#platform/database/db.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { tellOfDispute } from '#testing/disputes.ts'
import { REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { openMonitor } from '#testing/monitor.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { order } from '#testing/till.ts'
import { KINDS } from './find.ts'
import type { AttentionItem } from './schemas.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'quiet', display_name: 'Quiet' })
})
afterAll(() => service.close())

async function attention(account = 'default', token?: string): Promise<AttentionItem[]> {
  const options = { account, ...(token !== undefined && { token }) }
  const response = await service.send('GET /attention', undefined, options)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

async function find(kind: AttentionItem['kind'], account?: string): Promise<AttentionItem | undefined> {
  return (await attention(account)).find((item) => item.kind === kind)
}

/** The list that an item names. */
async function listed({ path, query }: Pick<AttentionItem, 'path' | 'query'>): Promise<string[]> {
  const response = await service.send(`GET ${path}?${new URLSearchParams(query)}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items.map(({ id }: { id: string }) => id)
}

/** Marks as the store writes them, for payments that need not exist. */
function mark(ids: readonly string[], name: string): Promise<void> {
  const scope = { ...service.context, merchantAccountId: 'default' }
  return inTransaction(scope, (tx) => marks.insertMany(tx, name, ids))
}

test('an account where all is well needs no person', async () => {
  expect(await attention('quiet')).toEqual([])
})

test('payments that wait for a review are counted up to a hundred, the oldest first', async () => {
  const first = Date.UTC(2026, 0, 1)
  const ids = Array.from({ length: 130 }, (_none, at) => newId(first + at * 1_000))
  await mark(ids, marks.markOf('pending-review'))

  const item = await find('pending_reviews')

  expect(item).toMatchObject({
    count: 100,
    has_more: true,
    path: '/transactions',
    query: { pending_review: 'true' },
    ids: ids.slice(0, 5),
  })
  expect(await find('pending_reviews', 'quiet')).toBeUndefined()
})

test('a payment without an outcome counts once it is five minutes old, and the list shows it', async () => {
  const paid = (await order(service)).json()
  await byHand(service.context.db, sql`update transactions set status = 'processing' where id = ${paid.id}`)
  await sql`update transaction_statuses set mark = ${marks.markOf('status', 'processing')}
    where id = ${paid.id}`.execute(service.context.db)

  const early = await find('stuck_payments')
  service.moveClock(6 * 60_000)
  const late = await find('stuck_payments')

  expect(early).toBeUndefined()
  expect(late).toMatchObject({ count: 1, has_more: false, ids: [paid.id] })
  expect(await listed(late as AttentionItem)).toContain(paid.id)
})

test('events that a subscription did not take have an item for each subscription', async () => {
  const made = await service.send('POST /webhook-subscriptions', { url: 'https://hooks.example.com/failing' })
  const { id } = made.json()
  await service.send('POST /buyers', { display_name: 'Ada' })
  await sql`update webhook_deliveries set status = 'parked', next_attempt_at = null, parked_because = 'schedule_ended'
    where subscription_id = ${id}`.execute(service.context.db)

  const item = await find('undelivered_events')

  expect(item).toMatchObject({ path: `/webhook-subscriptions/${id}/deliveries`, query: { status: 'parked' } })
  expect(item?.count).toBeGreaterThan(0)
  expect(await listed(item as AttentionItem)).toEqual(expect.arrayContaining(item?.ids ?? ['none']))
})

test('open incidents, and lines of settlement reports that fit no payment', async () => {
  const monitor = openMonitor(service)
  const metric = await monitor.add()
  const incident = await monitor.openIncident(metric.id)
  const desk = await ReportDesk.open(service)
  desk.publish({ lines: [{ reference: 'unheard-of', amount: 1 }] })
  await desk.ingest()

  const open = await find('open_incidents')
  const lines = await find('unmatched_report_lines')

  expect(open).toMatchObject({ count: 1, ids: [incident], path: '/monitoring/incidents' })
  expect(await listed(open as AttentionItem)).toContain(incident)
  expect(lines?.path).toMatch(/^[/]payment-service-reports[/][0-9a-f-]{36}[/]lines$/)
  expect(await listed(lines as AttentionItem)).toEqual(lines?.ids)
})

test('a chargeback counts until the bank returns the money, a person has answered, or no answer is in time any more', async () => {
  const desk = await ReportDesk.open(service)
  const paid = (await order(service, { amount: 1_000, intent: 'capture' })).json()
  const reference = paid.payment_service_transaction_id
  const late = (await order(service, { amount: 1_000, intent: 'capture' })).json()
  const postedAt = new Date(service.context.clock().getTime() - 46 * 86_400_000)
  desk.publish({
    lines: [
      { reference, amount: -1_000, kind: 'chargeback' },
      { reference: late.payment_service_transaction_id, amount: -1_000, kind: 'chargeback', postedAt },
    ],
  })
  await desk.ingest()
  expect((await service.send(`GET /transactions/${late.id}`)).json().disputed).toBe(true)

  const open = await find('open_chargebacks')
  const chargeback = (await service.send(`GET /chargebacks?transaction_id=${paid.id}`)).json().items[0].id
  expect(open).toMatchObject({ count: 1, ids: [chargeback], path: '/chargebacks' })
  expect(await listed(open as AttentionItem)).toEqual([chargeback])
  expect(await find('open_chargebacks', 'quiet')).toBeUndefined()

  await service.send(`PUT /chargebacks/${chargeback}/answer`, { note: 'Sent the receipt.' })
  expect(await find('open_chargebacks')).toBeUndefined()
  await service.send(`DELETE /chargebacks/${chargeback}/answer`)
  expect(await find('open_chargebacks')).toMatchObject({ count: 1 })

  desk.publish({ lines: [{ reference, amount: 1_000, kind: 'chargeback_reversal' }] })
  await desk.ingest()
  expect(await find('open_chargebacks')).toBeUndefined()
})

test('an API key counts once no program has used it for 90 days, for callers who can see it', async () => {
  const key = await service.addKey({ merchantAccountIds: ['quiet'] })
  const caller = await service.addKey({ merchantAccountIds: ['default'] })
  await sql`update api_key_pairs set created_at = created_at - interval '91 days' where id = ${key.id}`.execute(
    service.context.db,
  )

  expect(await find('unused_keys', 'quiet')).toMatchObject({
    count: 1,
    ids: [key.id],
    path: '/api-key-pairs',
  })
  expect(await find('unused_keys')).toBeUndefined()
  expect((await attention('default', await signToken(caller))).map(({ kind }) => kind)).not.toContain(
    'unused_keys',
  )
})

test('payment services that are disabled, and certificates that expire', async () => {
  const [simulator] = (await service.send('GET /payment-services', undefined, { account: 'default' })).json()
    .items
  await service.send(`PUT /payment-services/${simulator.id}`, { active: false })

  expect(await find('disabled_services')).toMatchObject({
    count: 1,
    ids: [simulator.id],
    path: '/payment-services',
  })

  await service.send(`PUT /payment-services/${simulator.id}`, { active: true })
  expect(await find('disabled_services')).toBeUndefined()
})

test('findings of the last page check are for callers of all accounts', async () => {
  const at = service.context.clock()
  await sql`insert into page_checks (id, url, findings, created_at)
    values (${newId(at.getTime())}, 'https://pay.example.com', '["a script differs"]', ${at})`.execute(
    service.context.db,
  )
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))

  const all = await attention()
  const confined = await attention('default', token)

  expect(all.map(({ kind }) => kind)).toContain('page_findings')
  expect(confined.map(({ kind }) => kind)).not.toContain('page_findings')
})

test('a caller sees only what its other scopes allow', async () => {
  await mark([newId(Date.UTC(2026, 1, 1))], marks.markOf('pending-review'))
  const narrow = await signToken(service.admin, { scopes: ['attention.read', 'monitoring.read'] })
  const reporting = await signToken(await service.addKey({ roleIds: [REPORTING] }))

  const kinds = new Set((await attention('default', narrow)).map(({ kind }) => kind))
  const read = new Set((await attention('default', reporting)).map(({ kind }) => kind))

  expect([...kinds].every((kind) => kind === 'open_incidents')).toBe(true)
  expect(read).toContain('pending_reviews')
  expect(read).not.toContain('disabled_services')
})

test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('%s is read from an index', async (name) => {
  const place = {
    ...service.context,
    merchantAccountId: 'default',
    caller: { merchantAccountIds: [] },
    silentServiceIds: [newId()],
  }
  const statement = KINDS[name].select(place)
  if (!statement) throw new Error('there is nothing to ask')

  const plan = await service.context.db.transaction().execute(async (tx) => {
    // Tables of a test are so small that PostgreSQL would read them whole, if it could.
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

  expect(plan).toContain('Index')
  expect(plan).not.toContain('Seq Scan')
})

test('what has to be answered is listed by its deadline, however old it is, and shows the nearest one', async () => {
  const day = (count: number) => new Date(service.context.clock().getTime() + count * 86_400_000)
  const scope = { ...service.context, merchantAccountId: 'default' }
  const paid = async () => (await order(service, { amount: 1_000, intent: 'capture' })).json()
  const inquiry = async (postedAt: Date, respondBy: Date) => {
    const payment = await paid()
    await tellOfDispute(service, payment, { stage: 'inquiry', postedAt, respondBy })
    return (await service.send(`GET /disputes?transaction_id=${payment.id}`)).json().items[0].id
  }
  const chargeback = async (postedAt: Date, respondBy: Date | null) => {
    const payment = await paid()
    const { payment_service_transaction_id: reference, payment_service } = payment
    const money = { amount: 1_000, currency: 'USD', code: '13.1', reason: 'Not received' }
    const told = {
      about: 'chargeback',
      id: `mv ${reference}`,
      reference,
      ...money,
      postedAt,
      respondBy,
    } as const
    await takeDispute(scope, service.engine, payment_service.id, told)
    return (await service.send(`GET /chargebacks?transaction_id=${payment.id}`)).json().items[0].id
  }
  const near = day(2)
  // The older ones have more time.
  const late = [await inquiry(day(-9), day(20)), await chargeback(day(-9), day(20))]
  const unknown = await chargeback(day(-5), null)
  const soon = [await inquiry(day(-1), near), await chargeback(day(-1), near)]

  const due_at = near.toISOString()
  expect(await find('disputes_to_answer')).toMatchObject({
    ...{ count: 2, due_at, ids: [soon[0], late[0]], path: `/disputes/${soon[0]}` },
    oldest_at: expect.not.stringMatching(due_at),
  })
  expect(await find('open_chargebacks')).toMatchObject({ count: 3, due_at, ids: [soon[1], late[1], unknown] })

  service.moveClock(3 * 86_400_000)
  expect(await find('open_chargebacks')).toMatchObject({ count: 2, ids: [late[1], unknown] })
  service.moveClock(60 * 86_400_000)
  expect([await find('open_chargebacks'), await find('disputes_to_answer')]).toEqual([undefined, undefined])
})
