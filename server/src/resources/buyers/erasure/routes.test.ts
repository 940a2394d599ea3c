import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { verifyChain } from '#resources/audit-logs/verify.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { giftCardWith } from '#testing/gift-card-counter.ts'
import { PROCESSING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type Receiver, startDelivering, startReceiver, until } from '#testing/receiver.ts'
import { openReports } from '#testing/reports.ts'
import { searchTables } from '#testing/search-tables.ts'
import { signIn } from '#testing/sign-in.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { eraseDue } from './erase.ts'

/** Each value of a buyer is another one, so that a failure says which was left behind. */
const said = {
  display_name: 'Canary Displayname',
  external_identifier: 'canary-customer-reference',
  account_number: 'canary-account-number',
  billing_details: {
    first_name: 'Canaryfirst',
    last_name: 'Canarylast',
    email_address: 'canary.billing@canary.example',
    phone_number: '+14155550177',
    tax_id: { value: '99-8877665', kind: 'us.ein' },
    address: {
      city: 'Canarycity',
      country: 'US',
      postal_code: 'CANARY-95113',
      state: 'Canarystate',
      house_number_or_name: 'Canaryhouse',
      line1: 'Canaryline1',
      line2: 'Canaryline2',
      organization: 'Canaryorganization',
    },
  },
}
const shipping = {
  first_name: 'Canaryshipfirst',
  last_name: 'Canaryshiplast',
  email_address: 'canary.shipping@canary.example',
  phone_number: '+14155550188',
  address: { line1: 'Canaryshipline1', city: 'Canaryshipcity', country: 'US' },
}
const order = {
  metadata: { 'canary-metadata-key': 'canary-metadata-value' },
  description: 'Canarydescription',
  purchase_order_number: 'canary-purchase-order',
  customer_reference_number: 'canary-customer-number',
  cart_items: [{ name: 'Canaryitem', quantity: 1, unit_amount: 1000 }],
  airline: { passengers: [{ first_name: 'Canarypassenger', passport_number: 'CANARYPASS1' }] },
  recipient: {
    first_name: 'Canaryrecipient',
    last_name: 'Canaryrecipientlast',
    account_number: 'canary-recipient',
  },
  browser_info: {
    javascript_enabled: true,
    java_enabled: false,
    language: 'en-GB',
    color_depth: 24,
    screen_height: 1080,
    screen_width: 1920,
    time_zone_offset: 60,
    user_agent: 'Canarybrowser/1.0',
    user_device: 'desktop',
  },
  anti_fraud_fingerprint: 'canary-device-fingerprint',
}
const REASON = 'Canaryreason'
const ADDRESS = '203.0.113.77'
const CANARIES = [...textsIn([said, shipping, order]), 'Canaryformerlast', REASON, ADDRESS].filter((text) =>
  /canary|77|88/i.test(text),
)

let service: TestService
let till: Till
let receiver: Receiver
let reports: ReturnType<typeof openReports>

beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  reports = openReports(service)
  receiver = await startReceiver()
  // Subscribers may repeat in their answers what they were sent.
  receiver.answer((response, { body }) => void response.end(body))
  await service.send('POST /webhook-subscriptions', { url: receiver.url })
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)]
}

function erasing() {
  return { ...service, sealer: new Sealer(service.secrets, null) }
}

async function runJob(): Promise<void> {
  await eraseDue(erasing(), new AbortController().signal)
}

async function erase(id: string) {
  return service.send(`POST /buyers/${id}/erasure`)
}

async function createBuyer(body: object = {}): Promise<string> {
  return (await service.send('POST /buyers', body)).json().id
}

async function answerChargeback(paid: Record<string, string>): Promise<void> {
  const { payment_service_transaction_id: reference = '' } = paid
  const { id } = paid['payment_service'] as unknown as { readonly id: string }
  await takeDispute({ ...service.context, merchantAccountId: 'default' }, service.engine, id, {
    about: 'chargeback',
    id: 'of an erased buyer',
    reference,
    amount: 100,
    currency: 'USD',
    code: null,
    reason: null,
    postedAt: service.context.clock(),
  })
  const [{ id: chargeback }] = (await service.send(`GET /chargebacks?transaction_id=${paid['id']}`)).json()
    .items
  await service.send(`PUT /chargebacks/${chargeback}/answer`, { note: REASON })
}

/** Entries of the audit log that follow are in other links than those before. */
async function seal(): Promise<void> {
  await new Sealer(service.secrets, null).seal(service.context)
}

/** Everything that can hold something of a buyer. */
async function useEverything() {
  const buyer_id = await createBuyer(said)
  await seal()
  await service.send(`PUT /buyers/${buyer_id}`, { account_number: said.account_number })
  await seal()
  const own = `/buyers/${buyer_id}/shipping-details`
  const former = (await service.send(`POST ${own}`, { ...shipping, last_name: 'Canaryformerlast' })).json()
  await service.send(`DELETE ${own}/${former.id}`)
  await seal()
  const shipped = (await service.send(`POST ${own}`, shipping)).json()
  await seal()
  const stored = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json()
  await seal()
  const giftCard = (await service.send('POST /gift-cards', { ...giftCardWith(5000), buyer_id })).json()
  await seal()
  const whole = { ...order, buyer_id, shipping_details_id: shipped.id, country: 'US' }
  const captured = await till.pay({ ...whole, intent: 'capture' })
  await till.act(captured.id, 'refunds', { amount: 100, reason: REASON })
  await answerChargeback(captured)
  const declined = await till.pay({ ...whole, amount: 200_011, cart_items: null })
  const withStored = await till.pay({
    buyer_id,
    payment_method: { method: 'id', id: stored.id },
    intent: 'capture',
  })
  const session = (
    await service.send('POST /checkout/sessions', { buyer: said, metadata: order.metadata })
  ).json()
  const inSession = await till.pay({
    buyer_id,
    intent: 'capture',
    payment_method: { method: 'checkout-session', id: await enter(session.id) },
  })
  const token = await signToken(service.admin, { scopes: ['embed'], embed: { buyer_id } })
  const fromBrowser = await till.pay(
    { intent: 'capture' },
    { token, address: ADDRESS, headers: { 'user-agent': 'Canarybrowser/1.0' } },
  )
  await service.send('POST /payment-links', {
    amount: 100,
    currency: 'USD',
    country: 'US',
    buyer: said,
    metadata: order.metadata,
  })
  const payout = await till.payOut({ buyer_id })
  const report = await reports.create({
    schedule: 'once',
    schedule_enabled: false,
    spec: { model: 'transactions', params: {} },
  })
  await reports.write()
  const delivering = startDelivering(service)
  await receiver.waitFor(8)
  await delivering.stop()
  await service.engine.exchanges.flush()
  const ids = [captured, declined, withStored, inSession, fromBrowser].map(({ id }) => id as string)
  return { buyer_id, ids, stored, giftCard, payout, report }
}

async function enter(sessionId: string): Promise<string> {
  await service.send(`PUT /checkout/sessions/${sessionId}/fields`, { payment_method: CARD }, { token: null })
  return sessionId
}

test('leaves nothing personal anywhere, and the books and the audit chain whole', async () => {
  const { buyer_id, ids, stored, giftCard, payout, report } = await useEverything()
  const before = await searchTables(service.context.db, CANARIES)
  const unsaid = CANARIES.filter((text) => !before.found.some((place) => place.startsWith(`${text} in `)))
  expect(unsaid).toEqual([])
  const books = await Promise.all(ids.map((id) => till.books(id)))
  const facts = await Promise.all(ids.map((id) => till.get(id)))
  const [execution] = await reports.executionsOf(report.id)
  const { url } = await reports.urlOf(report.id, execution.id)

  const asked = await erase(buyer_id)
  await runJob()

  expect(asked.statusCode, asked.body).toBe(202)
  const done = (await service.send(`GET /buyers/${buyer_id}/erasure`)).json()
  expect(done).toMatchObject({ status: 'succeeded', payments: 5, payment_methods: 1, gift_cards: 1 })
  // The link was made for a guest: nothing says that it is the same person.
  await sql`delete from payment_links`.execute(service.context.db)
  await sql`delete from events where target_type = 'payment-link'`.execute(service.context.db)
  expect((await searchTables(service.context.db, CANARIES)).found).toEqual([])
  expect(await Promise.all(ids.map((id) => till.books(id)))).toEqual(books)
  for (const { id, status, amount, captured_amount, refunded_amount } of facts) {
    const after = await till.get(id)
    expect(after).toMatchObject({ status, amount, captured_amount, refunded_amount })
    expect(after).toMatchObject({ buyer: null, shipping_details: null, metadata: null })
  }
  expect((await service.send(`GET /buyers/${buyer_id}`)).statusCode).toBe(404)
  expect((await service.send(`GET /payment-methods/${stored.id}`)).statusCode).toBe(404)
  expect((await service.send(`GET /gift-cards/${giftCard.id}`)).statusCode).toBe(404)
  expect((await service.send(`GET /payouts/${payout.id}`)).json().buyer).toBeNull()
  expect((await reports.download(url)).statusCode).toBe(404)
  const { rows: named } = await sql<{ name: string }>`
    select distinct resource_name as name from audit_logs where resource_id in (${buyer_id}, ${stored.id}, ${giftCard.id})
  `.execute(service.context.db)
  expect(named).toEqual([{ name: 'erased' }])
  const verdict = await verifyChain(service.context, service.secrets)
  expect(verdict).toMatchObject({ isConsistent: true, problem: null })
  const { rows } = await sql<{ count: string }>`select count(*) from vault.items`.execute(service.context.db)
  expect(rows[0]?.count).toBe(String(await countSecrets()))
})

/** What the vault keeps for services and subscriptions, which are not the buyer's. */
async function countSecrets(): Promise<number> {
  const { rows } = await sql<{ secrets: object }>`
    select secrets from payment_services union all select secrets from gift_card_services
    union all select secrets from webhook_subscriptions
  `.execute(service.context.db)
  return rows.flatMap(({ secrets }) => Object.values(secrets)).length
}

test('keeps no answer to an event that was under way', async () => {
  const buyer_id = await createBuyer({ display_name: 'Underway Buyer' })
  const erased = Promise.withResolvers<void>()
  let hasArrived = false
  receiver.answer((response, { body }) => {
    if (!body.includes('Underway Buyer')) return void response.end(body)
    hasArrived = true
    void erased.promise.then(() => response.end(body))
  })
  const delivering = startDelivering(service)
  await until(() => hasArrived)

  await erase(buyer_id)
  await runJob()
  erased.resolve()
  await delivering.stop()

  const { items } = (await service.send(`GET /events?name=buyer.created&target_id=${buyer_id}`)).json()
  const { rows } = await sql<{ outcome: string; response_body: string | null }>`
    select outcome, response_body from webhook_attempts where delivery_id = ${items[0].id}
  `.execute(service.context.db)
  expect(rows).toEqual([{ outcome: 'delivered', response_body: null }])
  expect((await searchTables(service.context.db, ['Underway Buyer'])).found).toEqual([])
})

test('finds no payment by what the buyer was called', async () => {
  const buyer_id = await createBuyer({ external_identifier: 'searched', display_name: 'Searched' })
  const { id } = await till.pay({ buyer_id, intent: 'capture', metadata: { searched: 'yes' } })
  await erase(buyer_id)
  await runJob()

  for (const filter of [
    `buyer_id=${buyer_id}`,
    'buyer_external_identifier=searched',
    'buyer_search=searched',
    `metadata=${encodeURIComponent('{"searched":"yes"}')}`,
  ]) {
    const { items } = (await service.send(`GET /transactions?${filter}`)).json()
    expect(items, filter).toEqual([])
  }
  expect((await till.get(id)).status).toBe('capture_succeeded')
  expect((await service.send('GET /buyers?search=searched')).json().items).toEqual([])
})

test('refuses a buyer with an open payment, and changes nothing', async () => {
  const buyer_id = await createBuyer({ display_name: 'Waiting' })
  const { id } = await till.pay({ buyer_id })

  const refused = await erase(buyer_id)

  expect(refused.statusCode).toBe(400)
  expect(refused.json().details[0]).toMatchObject({ location: 'path', pointer: '/buyer_id' })
  expect(refused.json().details[0].message).toContain(
    `payment ${id} of this buyer is open: capture, void or cancel`,
  )
  expect((await service.send(`GET /buyers/${buyer_id}`)).json().display_name).toBe('Waiting')
  expect((await service.send(`GET /buyers/${buyer_id}/erasure`)).statusCode).toBe(404)
  await till.act(id, 'void')
  expect((await erase(buyer_id)).statusCode).toBe(202)
})

test('erases a buyer once, however often it is asked for, and one that was deleted before', async () => {
  const buyer_id = await createBuyer(said)
  const { id } = await till.pay({ buyer_id, intent: 'capture' })
  await service.send(`DELETE /buyers/${buyer_id}`)

  const first = (await erase(buyer_id)).json()
  await runJob()
  await runJob()
  const second = (await erase(buyer_id)).json()

  expect(second).toMatchObject({ id: first.id, status: 'succeeded', payments: 1 })
  expect((await till.get(id)).buyer).toBeNull()
  const { items } = (await service.send(`GET /events?name=buyer.erased&target_id=${first.id}`)).json()
  expect(items).toHaveLength(1)
  expect(items[0].target).toMatchObject({ type: 'buyer-erasure', buyer_id, status: 'succeeded' })
  const entries = (await service.send('GET /audit-logs?resource_type=buyer-erasure')).json().items
  expect(entries[0]).toMatchObject({ action: 'created', resource: { id: first.id, name: buyer_id } })
})

test('goes on where a process has died', async () => {
  const buyer_id = await createBuyer(said)
  const paid = [
    await till.pay({ buyer_id, intent: 'capture' }),
    await till.pay({ buyer_id, intent: 'capture' }),
  ]
  const stored = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json()
  await erase(buyer_id)
  const dying = {
    ...erasing(),
    vault: { remove: () => Promise.reject(new Error('the process dies here')) } as never,
  }

  await expect(eraseDue(dying, new AbortController().signal)).rejects.toThrow('the process dies here')

  const half = (await service.send(`GET /buyers/${buyer_id}/erasure`)).json()
  expect(half).toMatchObject({ status: 'pending', payments: 2 })
  await runJob()
  const done = (await service.send(`GET /buyers/${buyer_id}/erasure`)).json()
  expect(done).toMatchObject({ status: 'succeeded', payments: 2, payment_methods: 1 })
  expect((await till.get(paid[0].id)).buyer).toBeNull()
  expect((await service.send(`GET /payment-methods/${stored.id}`)).statusCode).toBe(404)
})

test('refunds a payment whose buyer was erased', async () => {
  const buyer_id = await createBuyer(said)
  const { id } = await till.pay({ buyer_id, intent: 'capture', ...order })
  await erase(buyer_id)
  await runJob()

  const refund = await till.act(id, 'refunds', { amount: 500 })

  expect(refund.statusCode, refund.body).toBe(201)
  expect((await till.get(id)).refunded_amount).toBe(500)
})

test('hides buyers of other accounts, and needs a scope of its own and a fresh proof', async () => {
  await service.send('POST /merchant-accounts', { id: 'other-erasure', display_name: 'Other' })
  const buyer_id = await createBuyer({ display_name: 'Own' })
  const route = `POST /buyers/${buyer_id}/erasure`
  const shop = await service.addKey({ roleIds: [PROCESSING] })
  const user = await signIn(service)

  const elsewhere = await service.send(route, undefined, { account: 'other-erasure' })
  const asShop = await service.send(route, undefined, { token: await signToken(shop) })
  service.moveClock(11 * 60_000)
  const asUser = await service.send(route, undefined, { token: null, headers: user.headers })

  expect([elsewhere.statusCode, asShop.statusCode, asUser.json().code]).toEqual([
    404,
    403,
    'step_up_required',
  ])
  expect((await service.send(`GET /buyers/${buyer_id}`)).statusCode).toBe(200)
})

test('looks once more a day later, for what was under way', async () => {
  const buyer_id = await createBuyer(said)
  const { id } = await till.pay({ intent: 'capture', buyer: said })
  const shipped = (await service.send(`POST /buyers/${buyer_id}/shipping-details`, shipping)).json()
  await erase(buyer_id)
  await runJob()
  // Requests that had read the buyer before commit a payment and an entry of the audit log after.
  await sql`update transactions set buyer_id = ${buyer_id} where id = ${id}`.execute(service.context.db)
  await inTransaction(service.context, (tx) =>
    auditLogs.record({ ...tx, merchantAccountId: 'default' }, 'updated', {
      type: auditLogs.OF_BUYERS.shippingDetails,
      id: shipped.id,
      name: 'Canaryshipfirst',
    }),
  )

  service.moveClock(26 * 3_600_000)
  await runJob()

  expect((await till.get(id)).buyer).toBeNull()
  expect((await searchTables(service.context.db, ['Canaryshipfirst'])).found).toEqual([])
  const { rows } = await sql<{ due_at: Date | null }>`
    select due_at from buyer_erasures where buyer_id = ${buyer_id}
  `.execute(service.context.db)
  expect(rows).toEqual([{ due_at: null }])
})

test('a change of an entry still shows after names were taken out of its link', async () => {
  await new Sealer(service.secrets, null).seal(service.context)
  const { rows } = await sql<{ id: string; resource_name: string }>`
    update audit_logs set resource_name = 'forged' where id in (
      select id from audit_logs where resource_name = 'erased' limit 1)
    returning id, resource_name
  `.execute(service.context.db)
  expect(rows).toHaveLength(1)

  const verdict = await verifyChain(service.context, service.secrets)

  expect(verdict.problem).toMatch(/^link \d+ does not fit its entries/)
})
