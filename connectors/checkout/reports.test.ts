import { describe, expect, test } from 'vitest'
import { type ReportEntry, type ReportLink, UnreadableReport } from '#connectors/contract/reports.ts'
import * as samples from '#connectors/contract/samples.ts'
import { reportLink } from '#processing/report-link.ts'
import { authorize } from './authorize.ts'
import { parseReport } from './parse-report.ts'
import { reports } from './reports.ts'
import { CARD_ORDER, FIELDS, openShop } from './testing/shop.ts'

const NAMES = [
  'Reference',
  'Payment ID',
  'Action ID',
  'Processed On',
  'Processing Currency',
  'Processing Currency Amount',
  'FX Rate Applied',
  'Holding Currency',
  'Holding Currency Amount',
  'Payout ID',
  'Breakdown Type',
] as const

type Cells = Readonly<Record<string, string>>

const PAYMENT = 'pay_mbabizu24mvu3mela5njyhpit4'
const CAPTURE = 'act_mbabizu24mvu3mela5njyhpit4'

/** A row of an action, in Checkout.com's columns. */
function row(type: string, amount: string, over: Cells = {}): Cells {
  return {
    Reference: 'ref-1',
    'Payment ID': PAYMENT,
    'Action ID': CAPTURE,
    'Processed On': '2026-07-09T18:07:06.844',
    'Processing Currency': 'GBP',
    'Processing Currency Amount': amount,
    'FX Rate Applied': '1',
    'Holding Currency': 'GBP',
    'Holding Currency Amount': amount,
    'Payout ID': '000G7HDD96SH',
    'Breakdown Type': type,
    ...over,
  }
}

const ABOUT = {
  payout: '000G7HDD96SH',
  account: 'ent_1',
  date: '2026-07-10',
  zone: 'Europe/London',
  channel: null,
}

function parsed(rows: readonly Cells[], about: object = {}): Promise<ReportEntry[]> {
  const names = [...new Set([...NAMES, ...rows.flatMap((one) => Object.keys(one))])]
  const lines = [names, ...rows.map((one) => names.map((name) => one[name] ?? ''))]
  const csv = lines.map((cells) => cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(','))
  return parsedText([JSON.stringify({ ...ABOUT, ...about }), '{"file":"a.csv"}', ...csv, '{"end":true}'])
}

async function parsedText(lines: readonly string[]): Promise<ReportEntry[]> {
  const bytes = async function* () {
    yield Buffer.from(lines.map((line) => `${line}\n`).join(''))
  }
  const entries: ReportEntry[] = []
  for await (const entry of parseReport(bytes())) entries.push(entry)
  return entries
}

const linesIn = (entries: readonly ReportEntry[]) => entries.filter((entry) => entry.type === 'line')
const lineOf = async (...given: Parameters<typeof parsed>) => linesIn(await parsed(...given))[0]

describe('a line', () => {
  test('is an action, with its fees rounded once and by whom they are', async () => {
    const entries = await parsed([
      row('Authorization Fixed Fee', '-0.01', { 'Action ID': 'act_a' }),
      row('Capture', '50.00'),
      row('Interchange Variable Fee', '-0.10300000'),
      row('Scheme Fixed Fee', '-0.00362977'),
      row('Scheme Variable Fee', '-0.00400000'),
      row('Premium Variable Fee', '-0.02900000'),
      row('Premium Variable Fee Tax', '-0.00600000'),
      row('Rolling Reserve', '-5.00', { 'Action ID': 'act_b' }),
      row('Payout', '-44.84', { 'Action ID': 'act_c', 'Payment ID': '' }),
    ])

    expect(entries).toEqual([
      {
        type: 'header',
        reportId: '000G7HDD96SH',
        date: '2026-07-10',
        account: 'ent_1',
        currency: 'GBP',
      },
      {
        type: 'line',
        number: 5,
        kind: 'settlement',
        id: CAPTURE,
        reference: CAPTURE,
        ourReference: 'ref-1',
        amount: 5_000,
        currency: 'GBP',
        commission: 15,
        interchange: 10,
        schemeFee: 1,
        markup: 4,
        original: null,
        exchangeRate: null,
        postedAt: new Date('2026-07-09T17:07:06Z'),
        code: null,
        reason: null,
      },
      { type: 'trailer', count: 1, gross: 5_000, fees: 15, net: 4_985 },
    ])
  })

  test.each<[string, string, object]>([
    ['Partial Capture', '50.00', { kind: 'settlement', amount: 5_000 }],
    ['Refund', '-5.00', { kind: 'refund_settlement', amount: -500 }],
    ['Partial Refund', '-5.00', { kind: 'refund_settlement', amount: -500 }],
    ['Clearing Failed', '-50.00', { kind: 'settlement', amount: -5_000 }],
    ['Clearing Failed', '5.00', { kind: 'refund_settlement', amount: 500 }],
    ['Chargeback (ADJM)', '-5.00', { kind: 'chargeback', amount: -500, code: 'ADJM', reference: PAYMENT }],
    ['Chargeback (RPDW)', '5.00', { kind: 'chargeback_reversal', amount: 500, id: null, code: 'RPDW' }],
    ['Chargeback (AUTO)', '5.00', { kind: 'chargeback_reversal' }],
  ])('for %s of %s is what it is to the merchant', async (type, amount, expected) => {
    expect(await lineOf([row(type, amount)])).toMatchObject(expected)
  })

  test('has what the buyer paid in another currency, at the rate between whole units', async () => {
    const abroad = { 'Processing Currency': 'JPY', 'FX Rate Applied': '0.0052' }
    const line = await lineOf([
      row('Capture', '52.00', { ...abroad, 'Processing Currency Amount': '10000' }),
      row('Premium Fixed Fee', '-0.10', { ...abroad, 'Processing Currency Amount': '-19.23' }),
    ])

    expect(line).toMatchObject({
      amount: 5_200,
      commission: 10,
      original: { amount: 10_000, currency: 'JPY' },
      exchangeRate: 0.0052,
    })
  })

  test.each([
    ['halves go away from zero', '0.005', 1],
    ['less than a half is nothing', '-0.00499999', 0],
    ['no minor unit is lost', '999999999999.99', 99_999_999_999_999],
  ])('is exact: %s', async (_what, amount, expected) => {
    expect((await lineOf([row('Capture', amount)]))?.amount).toBe(expected)
  })

  test('of another channel of the account is not ours', async () => {
    const channel = { 'Processing Channel ID': 'pc_other' }

    expect(await lineOf([row('Capture', '50.00', channel)], { channel: 'pc_own' })).toBeUndefined()
    expect(await lineOf([row('Capture', '50.00', channel)])).toMatchObject({ amount: 5_000 })
  })
})

test.each([
  ['summer in London', {}, 'Europe/London', '2026-07-09T17:07:06.000Z'],
  ['the same in New York', {}, 'America/New_York', '2026-07-09T22:07:06.000Z'],
  [
    'the hour after the clocks go back',
    T('2026-11-01T01:30:00'),
    'America/New_York',
    '2026-11-01T05:30:00.000Z',
  ],
  [
    'the hour after the clocks go forward',
    T('2026-03-29T02:30:00'),
    'Europe/London',
    '2026-03-29T01:30:00.000Z',
  ],
  [
    'the column in UTC',
    { 'Processed On UTC': '2026-07-09T17:07:06.844' },
    'Asia/Tokyo',
    '2026-07-09T17:07:06.000Z',
  ],
  ['a zone of its own', { Timezone: 'Asia/Tokyo' }, 'Europe/London', '2026-07-09T09:07:06.000Z'],
  ['an offset', T('2026-07-09T18:07:06+02:00'), 'Asia/Tokyo', '2026-07-09T16:07:06.000Z'],
])('the time is a moment: %s', async (_what, cells, zone, moment) => {
  const line = await lineOf([row('Capture', '50.00', cells)], { zone })

  expect(line?.postedAt.toISOString()).toBe(moment)
})

function T(time: string): Cells {
  return { 'Processed On': time }
}

describe('what cannot be read', () => {
  test.each<[string, Cells]>([
    ['the breakdown type is unknown', row('Tip', '7.00', { 'Action ID': 'act_x' })],
    ['the breakdown type is unknown', row('Chargeback (NEW1)', '7.00', { 'Action ID': 'act_x' })],
    ['the time zone is unknown', row('Capture', '7.00', { 'Action ID': 'act_x', Timezone: 'Mars/Base' })],
    ['a date is not one of the form', row('Capture', '7.00', { 'Action ID': 'act_x', ...T('9 July') })],
    [
      'the currency of the payment is unknown',
      row('Capture', '7.00', { 'Action ID': 'act_x', 'Processing Currency': 'ZZZ' }),
    ],
  ])('is set aside with its reason, and the rest is booked: %s', async (reason, strange) => {
    const entries = await parsed([
      row('Capture', '50.00'),
      strange,
      row('Refund', '-1.00', { 'Action ID': 'act_y' }),
    ])

    expect(linesIn(entries)).toMatchObject([
      { kind: 'settlement', amount: 5_000 },
      {
        kind: 'other',
        code: 'unreadable',
        amount: 700,
        reference: PAYMENT,
        reason: expect.stringContaining(`line 5: ${reason}`),
      },
      { kind: 'refund_settlement', amount: -100 },
    ])
    expect(entries.at(-1)).toMatchObject({ count: 3, gross: 5_600, net: 5_600 })
  })

  test('beside what can be read is a line of its own', async () => {
    const entries = await parsed([
      row('Capture', '50.00'),
      row('Tip', '7.00'),
      row('Scheme Fixed Fee', '-0.10'),
    ])

    expect(linesIn(entries)).toMatchObject([
      { number: 4, kind: 'settlement', amount: 5_000, commission: 10 },
      { number: 5, kind: 'other', amount: 700, commission: 0 },
    ])
  })

  test('a new kind of row without a payment is a cost, and no line', async () => {
    expect(linesIn(await parsed([row('Newest Charge', '-7.00', { 'Payment ID': '' })]))).toEqual([])
  })

  test.each<[string, readonly Cells[], string]>([
    ['no amount', [row('Capture', '')], 'line 4: an amount is not a number'],
    ['an amount with a comma', [row('Capture', '1,000.00')], 'line 4: an amount is not a number'],
    [
      'two currencies',
      [row('Capture', '1'), row('Capture', '1', { 'Holding Currency': 'EUR' })],
      'line 5: the payout has lines in several currencies',
    ],
    [
      'another payout',
      [row('Capture', '1', { 'Payout ID': 'OTHER' })],
      'line 4: the line is of another payout',
    ],
    ['nothing', [], 'line 5: the report has no financial action'],
  ])('refuses the file, because its sums would be wrong: %s', async (_what, rows, message) => {
    await expect(parsed(rows)).rejects.toThrow(message)
  })

  test.each<[string, string]>([
    ['a column less', 'a,b'],
    ['a cell less', [...NAMES].join(',').concat('\nx,y')],
    ['a quote that does not end', [...NAMES].join(',').concat('\n"x,y')],
  ])('refuses a file with %s', async (_what, text) => {
    const lines = [JSON.stringify(ABOUT), '{"file":"a.csv"}', ...text.split('\n'), '{"end":true}']

    await expect(parsedText(lines)).rejects.toThrow(UnreadableReport)
  })

  test('the columns may come in another order, with others, and with a mark before them', async () => {
    const names = ['\uFEFFNew One', ...NAMES.toReversed().map((name) => name.toUpperCase())]
    const cells: Cells = row('Capture', '50.00')
    const values = ['"a, ""b"""', ...NAMES.toReversed().map((name) => cells[name] ?? '')]
    const lines = [
      JSON.stringify(ABOUT),
      '{"file":"a.csv"}',
      names.join(','),
      values.join(','),
      '{"end":true}',
    ]

    expect(linesIn(await parsedText(lines))).toMatchObject([{ kind: 'settlement', amount: 5_000 }])
  })
})

describe('the list', () => {
  const link = (answer: (url: URL) => Response): ReportLink =>
    reportLink(
      { fetch: async (url) => answer(new URL(url)), timeoutMs: 1_000, environment: 'sandbox' },
      FIELDS,
    )
  const report = (over: object = {}) => ({
    id: 'rpt_1',
    created_on: '2026-07-10T02:00:00Z',
    tags: ['payout_id:000G7HDD96SH'],
    files: [{ id: 'file_1', filename: 'financial-actions_ent_1_20260710_000G7HDD96SH_1.csv', format: 'CSV' }],
    ...over,
  })

  test('has the reports of payouts alone', async () => {
    const data = [
      report(),
      report({ id: 'rpt_2', tags: [] }),
      report({ id: 'rpt_3', files: [{ id: 'file_3', filename: 'disputes_ent_1.csv' }] }),
      report({ id: '../payments' }),
      report({ id: 'rpt_4', created_on: 'yesterday' }),
      'rpt_5',
    ]
    const answer = await reports.list?.(
      new Date(0),
      link(() => Response.json({ count: data.length, data })),
    )

    expect(answer).toMatchObject({ outcome: 'listed', files: [{ id: 'rpt_1' }], hasMore: false })
  })

  test('is read in pages, and goes to no other address', async () => {
    const asked: string[] = []
    const answer = await reports.list?.(
      new Date('2026-07-01'),
      link((url) => {
        asked.push(`${url.host}?${url.searchParams}`)
        const isFirst = !url.searchParams.has('pagination_token')
        const next = { href: 'https://elsewhere.invalid/reports?pagination_token=abc' }
        return Response.json({
          count: 1,
          data: [
            report({
              id: isFirst ? 'rpt_new' : 'rpt_old',
              created_on: isFirst ? '2026-07-11' : '2026-07-10',
            }),
          ],
          _links: isFirst ? { next } : {},
        })
      }),
    )

    expect(answer).toMatchObject({ files: [{ id: 'rpt_old' }, { id: 'rpt_new' }] })
    expect(asked).toEqual([
      'api.sandbox.checkout.com?created_after=2026-07-01T00%3A00%3A00.000Z&limit=100',
      'api.sandbox.checkout.com?created_after=2026-07-01T00%3A00%3A00.000Z&limit=100&pagination_token=abc',
    ])
  })

  test.each([
    [401, 'does not accept secret_key'],
    [403, 'give it the scope for reports'],
  ])('says what to do after %i', async (status, message) => {
    const answer = await reports.list?.(
      new Date(0),
      link(() => new Response(null, { status })),
    )

    expect(answer).toEqual({ outcome: 'unreachable', message: expect.stringContaining(message) })
  })
})

test('a report in several files is one, and each file has its columns', async () => {
  const shop = openShop()
  const fetch: ReportLink['fetch'] = async (url, init) => {
    const response = await shop.standIn.fetch(url, init)
    if (!/\/reports\/rpt_\w+$/.test(url)) return response
    const { to: _to, ...body } = (await response.json()) as { files: object[]; to: string }
    return Response.json({ ...body, files: [...body.files, ...body.files] })
  }
  const link = reportLink({ fetch, timeoutMs: 1_000, environment: 'sandbox' }, FIELDS)
  await authorize(samples.authorizeOrder({ ...CARD_ORDER, intent: 'capture' }), shop.link)
  await shop.control('finish')
  await shop.control('settle')
  const listed = await reports.list?.(new Date(0), link)
  const [file] = listed?.outcome === 'listed' ? listed.files : []
  const entries: ReportEntry[] = []
  for await (const entry of reports.parse(reports.read(file?.id ?? '', link))) entries.push(entry)

  expect(entries.map(({ type }) => type)).toEqual(['header', 'line', 'line', 'trailer'])
  // Without a last day of the report, it is of the day on which it was made.
  expect(entries[0]).toMatchObject({ date: new Date().toISOString().slice(0, 10) })
  expect(shop.standIn.violations).toEqual([])
})
