import { expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import type { ReportEntry, ReportLink } from '#connectors/contract/reports.ts'
import * as samples from '#connectors/contract/samples.ts'
import { reportLink } from '#processing/report-link.ts'
import { mollieConnectors } from './connectors.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { openShop, orderBy } from './testing/shop.ts'

const connectorFor = (method: string) =>
  mollieConnectors.find(({ manifest }) => manifest.method === method) as Required<Connector>
const reportsFor = (method: string) => connectorFor(method).reports

function open() {
  const shop = openShop()
  const { fetch, fields } = shop.link
  return { shop, link: reportLink({ fetch, timeoutMs: 10_000, environment: 'sandbox' }, fields) }
}

async function sell(shop: ReturnType<typeof openShop>, method: string, over: object = {}) {
  const row = METHODS.find((one) => one.method === method) as MethodRow
  const order = samples.authorizeOrder({ ...orderBy(row), intent: 'capture', ...over })
  const answer = await connectorFor(method).authorize(order, shop.link)
  const reference = 'reference' in answer ? String(answer.reference) : ''
  await shop.control(`payments/${reference}/approve`)
  return { order, reference }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

async function textOf(link: ReportLink): Promise<string> {
  const { list, read } = reportsFor('ideal')
  const listed = await list?.(new Date(0), link)
  const file = listed?.outcome === 'listed' ? listed.files.at(-1) : undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of read(file?.id ?? '', link)) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function entriesOf(method: string, text: string): Promise<ReportEntry[]> {
  const entries: ReportEntry[] = []
  for await (const entry of reportsFor(method).parse(bytesOf(text))) entries.push(entry)
  return entries
}

test('each method has its own lines of a settlement, with what they cost', async () => {
  const { shop, link } = open()
  const ideal = await sell(shop, 'ideal')
  const twint = await sell(shop, 'twint')
  const held = await sell(shop, 'klarna', { intent: 'authorize', currency: 'EUR' })
  const capture = samples.captureOrder(held, { amount: 900 })
  const captured = await connectorFor('klarna').capture(capture, shop.link)
  const refund = samples.refundOrder(ideal, { amount: 300 })
  const refunded = await connectorFor('ideal').refund(refund, shop.link)
  await shop.control('finish')
  await shop.control(`payments/${twint.reference}/chargeback`)
  await shop.control('settlements')
  const text = await textOf(link)

  const lines = async (method: string) =>
    (await entriesOf(method, text)).filter(({ type }) => type === 'line')
  expect(await lines('ideal')).toMatchObject([
    {
      kind: 'settlement',
      reference: ideal.reference,
      ourReference: ideal.order.attemptId,
      amount: 1299,
      original: null,
    },
    {
      kind: 'refund_settlement',
      reference: 'reference' in refunded && refunded.reference,
      ourReference: refund.attemptId,
      amount: -300,
    },
    { kind: 'other', reference: null, amount: 0, commission: 29, reason: 'ideal' },
  ])
  expect(await lines('twint')).toMatchObject([
    {
      kind: 'settlement',
      amount: 325,
      original: { amount: 1299, currency: 'CHF' },
      exchangeRate: expect.closeTo(0.25, 2),
    },
    {
      kind: 'chargeback',
      id: expect.stringMatching(/^chb_/),
      reference: twint.reference,
      amount: -325,
      code: 'AC01',
    },
    { commission: 29 },
  ])
  expect(await lines('klarna')).toMatchObject([
    {
      kind: 'settlement',
      reference: 'reference' in captured && captured.reference,
      ourReference: capture.attemptId,
      amount: 900,
    },
    { commission: 29 },
  ])
  expect(await lines('bancontact')).toEqual([])
  expect((await entriesOf('ideal', text)).at(-1)).toEqual({
    type: 'trailer',
    count: 3,
    gross: 999,
    fees: 29,
    net: 970,
  })
  expect(text).not.toContain('ada@')
})

test('what Mollie captured by itself is the payment', async () => {
  const { shop, link } = open()
  const sale = await sell(shop, 'klarna', { currency: 'EUR' })
  const payment = shop.standIn.books.find(sale.reference)
  Object.assign(payment.asked, { captureMode: 'manual' })
  payment.captures.push({
    id: 'cpt_byMollie',
    sum: payment.sum,
    asked: {},
    createdAt: new Date(),
    status: 'succeeded',
  })
  await shop.control('settlements')

  expect(await entriesOf('klarna', await textOf(link))).toMatchObject([
    {},
    { id: 'cpt_byMollie', reference: sale.reference, ourReference: null },
    {},
    {},
  ])
})

test('a settlement whose lines do not add up to what was paid out is refused', async () => {
  const { shop, link } = open()
  await sell(shop, 'ideal')
  await shop.control('settlements')
  const text = await textOf(link)

  await expect(entriesOf('ideal', text.replace('"amount":1270', '"amount":1271'))).rejects.toThrow(
    'do not add up',
  )
  await expect(entriesOf('ideal', text.replace('"count":2', '"count":3'))).rejects.toThrow('number of lines')
  await expect(entriesOf('ideal', text.replace('"line":"item"', '"line":"new"'))).rejects.toThrow('no line')
  await expect(entriesOf('ideal', text.replace('"kind":"payment"', '"kind":"gift"'))).rejects.toThrow(
    'the kind',
  )
  await expect(entriesOf('ideal', text.replace('"line":"settlement"', '"line":"x"'))).rejects.toThrow(
    'begin with',
  )
})

test('a payment that Mollie did not settle is none, and one that cannot be read ends the file', async () => {
  const { shop, link } = open()
  await sell(shop, 'ideal')
  await shop.control('settlements')
  const changing = (change: (text: string) => string): ReportLink => ({
    ...link,
    stream: async (url, init) => {
      const { status, headers, body } = await link.stream(url, init)
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, headers, body: bytesOf(change(Buffer.concat(chunks).toString())) }
    },
  })

  expect(await textOf(changing((text) => text.replace('"settlementAmount"', '"other"')))).not.toContain(
    '"item"',
  )
  await expect(
    textOf(changing((text) => text.replace(/("settlementAmount":.{0,40})"EUR"/, '$1"USD"'))),
  ).rejects.toThrow('cannot read')
  await expect(textOf(changing((text) => text.replace('"_embedded"', '"x"')))).rejects.toThrow(
    'did not deliver',
  )
})

test('a sandbox reads no settlements of real payments, and a token that may not is told', async () => {
  const { link } = open()
  const { list, read } = reportsFor('ideal')
  const { stand_in_url: _none, ...fields } = link.fields

  expect(await list?.(new Date(0), { ...link, fields })).toEqual({
    outcome: 'listed',
    files: [],
    hasMore: false,
  })
  expect(
    await list?.(new Date(0), { ...link, fields: { ...link.fields, access_token: 'wrong' } }),
  ).toMatchObject({
    outcome: 'unreachable',
    message: expect.stringContaining('access_token'),
  })
  await expect(read('../payments', link)[Symbol.asyncIterator]().next()).rejects.toThrow('no settlement')
})
