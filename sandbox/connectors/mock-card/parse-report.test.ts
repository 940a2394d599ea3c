import { expect, test } from 'vitest'
import { UnreadableReport } from '#connectors/contract/reports.ts'
import { parseReport } from './parse-report.ts'

const HEADER = 'header,b1,2026-11-16,M%C3%BCller%20%26%20S%C3%B6hne,USD'
const COLUMNS =
  'columns,kind,id,reference,our_reference,posted_on,amount,currency,commission,interchange,scheme_fee,markup,' +
  'original_amount,original_currency,exchange_rate,code,reason'
const LINE = 'line,settlement,c1,c1,a1,2026-11-18,1299,USD,38,20,3,15,,,,,'
const TRAILER = 'trailer,1,1299,38,1261'

async function parse(...rows: string[]) {
  async function* bytes() {
    yield Buffer.from(rows.map((row) => `${row}\n`).join(''))
  }
  const entries: unknown[] = []
  for await (const entry of parseReport(bytes())) entries.push(entry)
  return entries
}

test('reads each kind of row', async () => {
  const exchanged =
    'line,chargeback,d1,p1,,2026-11-18,-1080,USD,1500,0,0,1500,-1000,EUR,1.080000,610001,fraudulent'

  const entries = await parse(HEADER, COLUMNS, LINE, exchanged, 'trailer,2,219,1538,-1319')

  expect(entries).toEqual([
    { type: 'header', reportId: 'b1', date: '2026-11-16', account: 'Müller & Söhne', currency: 'USD' },
    {
      type: 'line',
      number: 3,
      kind: 'settlement',
      id: 'c1',
      reference: 'c1',
      ourReference: 'a1',
      amount: 1299,
      currency: 'USD',
      commission: 38,
      interchange: 20,
      schemeFee: 3,
      markup: 15,
      original: null,
      exchangeRate: null,
      postedAt: new Date('2026-11-18T00:00:00Z'),
      code: null,
      reason: null,
    },
    expect.objectContaining({
      number: 4,
      kind: 'chargeback',
      ourReference: null,
      amount: -1080,
      original: { amount: -1000, currency: 'EUR' },
      exchangeRate: 1.08,
      code: '610001',
      reason: 'fraudulent',
    }),
    { type: 'trailer', count: 2, gross: 219, fees: 1538, net: -1319 },
  ])
})

test.each([
  ['another first row', [COLUMNS, LINE, TRAILER], 1, 'header'],
  ['a header with too few cells', ['header,b1', COLUMNS, LINE, TRAILER], 1, 'has 2 cells'],
  ['a header with a day that does not exist', [HEADER.replace('11-16', '11-31'), COLUMNS], 1, 'date'],
  ['an account that is not encoded', [HEADER.replace('%26', '%2'), COLUMNS], 1, 'percent-encoded'],
  ['other columns', [HEADER, COLUMNS.replace('id,', 'ids,'), LINE, TRAILER], 2, 'columns'],
  ['a row of another kind', [HEADER, COLUMNS, 'note,hello', TRAILER], 3, 'line'],
  ['a kind that is unknown', [HEADER, COLUMNS, LINE.replace('settlement', 'gift'), TRAILER], 3, 'kind'],
  ['a line without a reference', [HEADER, COLUMNS, LINE.replace('c1,c1', 'c1,'), TRAILER], 3, 'reference'],
  ['an amount with decimals', [HEADER, COLUMNS, LINE.replace('1299', '12.99'), TRAILER], 3, 'integer'],
  ['an amount that is missing', [HEADER, COLUMNS, LINE.replace('1299', ''), TRAILER], 3, 'integer'],
  ['an amount beyond all', [HEADER, COLUMNS, LINE.replace('1299', '9'.repeat(17)), TRAILER], 3, 'integer'],
  ['a currency in small letters', [HEADER, COLUMNS, LINE.replace('USD', 'usd'), TRAILER], 3, 'currency'],
  ['an empty row', [HEADER, COLUMNS, '', TRAILER], 3, 'line'],
  [
    'a rate that is no number',
    [HEADER, COLUMNS, `${LINE.slice(0, -5)},1,EUR,x,,`, TRAILER],
    3,
    'exchange rate',
  ],
  ['no trailer', [HEADER, COLUMNS, LINE], 4, 'without a trailer'],
  ['a trailer with too few cells', [HEADER, COLUMNS, LINE, 'trailer,1'], 4, 'has 2 cells'],
  ['rows after the trailer', [HEADER, COLUMNS, LINE, TRAILER, LINE], 5, 'after the trailer'],
])('refuses %s, and names the line', async (_name, rows, line, words) => {
  const error = await parse(...rows).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(UnreadableReport)
  expect(error).toMatchObject({ line, message: expect.stringContaining(words) })
})
