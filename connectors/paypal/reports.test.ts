import { beforeEach, expect, test } from 'vitest'
import type { Connector, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import type { ReportEntry, ReportLink } from '#connectors/contract/reports.ts'
import * as samples from '#connectors/contract/samples.ts'
import { payPal } from './connectors.ts'
import { reports } from './reports.ts'
import { AMEX, type Desk, newOrder, openStandIn, streamOver } from './testing/bench.ts'

const { authorize, capture, refund } = payPal as Required<Connector>
const list = reports.list as Required<typeof reports>['list']
const DAY = 24 * 3_600_000

let desk: Desk
let link: Link
let reportLink: ReportLink
beforeEach(() => {
  desk = openStandIn()
  link = desk.link
  reportLink = { ...link, stream: streamOver(link.fetch) }
})

async function paid(over: Partial<AuthorizeOrder> = {}) {
  const order = samples.authorizeOrder(newOrder({ instrument: AMEX, intent: 'capture', ...over }))
  const { reference } = (await authorize(order, link)) as { reference: string }
  return { order, reference, captureReference: reference }
}

async function files(since = new Date(0)) {
  const answer = await list(since, reportLink)
  if (answer.outcome !== 'listed') throw new Error(answer.message)
  return answer.files
}

async function linesOf(id: string) {
  const entries: ReportEntry[] = []
  for await (const entry of reports.parse(reports.read(id, reportLink))) entries.push(entry)
  return entries
}

test('a day has its payments, refunds and disputes, by the ids that the server knows', async () => {
  const sale = await paid()
  const held = await paid({ intent: 'authorize', amount: 2000 })
  const captured = (await capture(samples.captureOrder(held), link)) as { reference: string }
  const order = samples.refundOrder(sale, { amount: 299 })
  const refunded = (await refund(order, link)) as { reference: string }
  await desk.standIn.fetch(`${desk.standIn.url()}/_stand-in/disputes`, {
    method: 'POST',
    body: JSON.stringify({ capture_id: captured.reference }),
  })
  desk.clock.move(2 * DAY)

  const entries = await linesOf('2026-03-02.USD')

  expect(entries).toMatchObject([
    {
      type: 'header',
      reportId: '2026-03-02.USD',
      date: '2026-03-02',
      currency: 'USD',
      account: 'STANDNMERCHNT',
    },
    {
      kind: 'settlement',
      reference: sale.reference,
      ourReference: sale.order.reconciliationId,
      amount: 1299,
      commission: 69,
    },
    {
      kind: 'settlement',
      reference: captured.reference,
      ourReference: held.order.reconciliationId,
      amount: 2000,
    },
    { kind: 'refund_settlement', reference: refunded.reference, ourReference: order.attemptId, amount: -299 },
    { kind: 'chargeback', id: null, reference: captured.reference, amount: -2000, code: 'T1201' },
    { type: 'trailer', count: 4, gross: 1000, fees: 159, net: 841 },
  ])
})

test('a busy day is read whole, though PayPal does not show as much at once', async () => {
  desk = openStandIn({ searchedMost: 2 })
  link = desk.link
  reportLink = { ...link, stream: streamOver(link.fetch) }
  const references: string[] = []
  for (let sale = 0; sale < 7; sale += 1) {
    references.push((await paid()).reference)
    desk.clock.move(2_000)
  }
  desk.clock.move(2 * DAY)

  const [file] = await files()
  const entries = await linesOf(file?.id ?? '')

  expect(file?.id).toBe('2026-03-02.USD')
  const lines = entries.filter((entry) => entry.type === 'line')
  expect(lines.map(({ reference }) => reference)).toEqual(references)
  expect(entries.at(-1)).toMatchObject({ type: 'trailer', count: 7 })
})

test('more movements of one second than PayPal shows are no file that is cut', async () => {
  desk = openStandIn({ searchedMost: 2 })
  link = desk.link
  reportLink = { ...link, stream: streamOver(link.fetch) }
  for (let sale = 0; sale < 3; sale += 1) await paid()
  desk.clock.move(2 * DAY)

  await expect(linesOf('2026-03-02.USD')).rejects.toThrow('more movements of some seconds than it shows')
})

test('each currency has its own file, without decimals where there are none', async () => {
  await paid({ currency: 'JPY', amount: 1299 })
  await paid({ currency: 'HUF', amount: 129_900 })
  desk.clock.move(2 * DAY)

  expect((await files()).map(({ id }) => id)).toEqual(['2026-03-02.HUF', '2026-03-02.JPY'])
  expect((await linesOf('2026-03-02.JPY'))[1]).toMatchObject({ amount: 1299, currency: 'JPY' })
  expect((await linesOf('2026-03-02.HUF'))[1]).toMatchObject({ amount: 129_900, currency: 'HUF' })
})

test('a day that PayPal has not finished is not listed', async () => {
  await paid()
  desk.clock.move(DAY - 10 * 3_600_000)
  expect(await files()).toEqual([])
  desk.clock.move(2 * 3_600_000)
  expect(await files()).toHaveLength(0)

  desk.clock.move(DAY)

  expect(await files()).toMatchObject([
    { id: '2026-03-02.USD', publishedAt: new Date('2026-03-03T00:00:00Z') },
  ])
})

test('a long list comes in parts', async () => {
  for (let day = 0; day < 100; day++) {
    await paid()
    desk.clock.move(DAY)
  }
  desk.clock.move(DAY)

  const ids = new Set<string>()
  let since = new Date(0)
  let parts = 0
  for (let hasMore = true; hasMore; parts++) {
    const answer = await list(since, reportLink)
    if (answer.outcome !== 'listed') throw new Error(answer.message)
    for (const { id } of answer.files) ids.add(id)
    since = answer.files.at(-1)?.publishedAt ?? since
    hasMore = answer.hasMore
  }

  expect([ids.size, parts]).toEqual([100, 2])
})

test.each([
  ['client_secret', 'another', 'client_id and client_secret'],
  ['client_id', 'unknown', 'client_id and client_secret'],
])('a wrong %s is named', async (field, value, message) => {
  const wrong = { ...reportLink, fields: { ...reportLink.fields, [field]: value } }

  expect(await list(new Date(0), wrong)).toEqual({
    outcome: 'unreachable',
    message: expect.stringContaining(message),
  })
})

test('an app without Transaction Search is told so', async () => {
  const forbidding: ReportLink = {
    ...reportLink,
    fetch: async (url, init) =>
      url.includes('/reporting/')
        ? Response.json({ name: 'NOT_AUTHORIZED' }, { status: 403 })
        : link.fetch(url, init),
  }

  expect(await list(new Date(0), forbidding)).toEqual({
    outcome: 'unreachable',
    message: expect.stringContaining('Transaction Search'),
  })
})

test.each(['', 'nonsense', '2026-03-02', '2026-03-02.ZZZ', '2026-03-02.USD.1', '../secrets.USD'])(
  'there is no file %o',
  async (id) => {
    await expect(linesOf(id)).rejects.toThrow('this is no file of PayPal')
  },
)

const MOVEMENT = {
  transaction_id: 'T1',
  transaction_event_code: 'T0006',
  transaction_initiation_date: '2026-03-02T10:00:00+0000',
  transaction_amount: { currency_code: 'USD', value: '10.00' },
  fee_amount: { currency_code: 'USD', value: '-0.59' },
  transaction_status: 'S',
  invoice_id: 'I1',
}

/** Transaction Search with one movement, in the first part of the day. */
function listing(info: object): ReportLink {
  let calls = 0
  const stream: ReportLink['stream'] = async () => {
    const details = calls++ === 0 ? { transaction_details: [{ transaction_info: info }] } : {}
    const body = { account_number: 'M', page: 1, total_pages: 1, ...details }
    return {
      status: 200,
      headers: new Headers(),
      body: (async function* () {
        yield Buffer.from(JSON.stringify(body))
      })(),
    }
  }
  return { ...reportLink, stream }
}

async function linesFrom(info: object) {
  const entries: ReportEntry[] = []
  for await (const entry of reports.parse(reports.read('2026-03-02.USD', listing(info)))) entries.push(entry)
  return entries.filter(({ type }) => type === 'line')
}

test.each([
  ['a withdrawal', { transaction_event_code: 'T0403' }],
  ['a fee', { transaction_event_code: 'T0106' }],
  ['a hold', { transaction_event_code: 'T1110' }],
  ['a conversion', { transaction_event_code: 'T0200' }],
  ['a payment that the merchant made', { transaction_amount: { currency_code: 'USD', value: '-10.00' } }],
  ['a payment that was denied', { transaction_status: 'D' }],
  ['a payment that is pending', { transaction_status: 'P' }],
])('a file leaves out %s', async (_what, over) => {
  expect(await linesFrom(MOVEMENT)).toMatchObject([{ amount: 1000, commission: 59 }])
  expect(await linesFrom({ ...MOVEMENT, ...over })).toEqual([])
})

test.each([
  ['an amount', { transaction_amount: { currency_code: 'USD', value: 'ten' } }],
  ['a fee', { fee_amount: { currency_code: 'USD', value: '' } }],
  ['a currency', { transaction_amount: { currency_code: 'EUR', value: '10.00' } }],
  ['a time', { transaction_initiation_date: 'yesterday' }],
  ['an id', { transaction_id: '' }],
])('a payment with %s that cannot be read is not skipped', async (_what, over) => {
  await expect(linesFrom({ ...MOVEMENT, ...over })).rejects.toThrow('PayPal lists a movement')
})
