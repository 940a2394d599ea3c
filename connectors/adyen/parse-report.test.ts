import { expect, test } from 'vitest'
import type { ReportEntry } from '#connectors/contract/reports.ts'
import { parseReport } from './parse-report.ts'

const COLUMNS =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,' +
  'Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),' +
  'Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,' +
  'Modification Merchant Reference,Batch Number'

type Cells = {
  readonly type: string
  readonly gross?: string
  readonly net: string
  readonly over?: Readonly<Record<string, string>>
}

/** A line in Adyen's columns. Amounts are signed: below zero is a debit. */
function line({ type, gross = '', net, over = {} }: Cells): string {
  const side = (amount: string, name: string) => ({
    [`${name} ${amount.startsWith('-') ? 'Debit' : 'Credit'} (${name[0]}C)`]: amount.replace('-', ''),
  })
  const cells: Record<string, string> = {
    'Company Account': 'Company',
    'Merchant Account': 'Shop',
    'Creation Date': '2026-06-03 11:26:49',
    TimeZone: 'CEST',
    Type: type,
    'Net Currency': 'EUR',
    'Batch Number': '4',
    ...(gross && {
      'Psp Reference': '1813702551707653',
      'Merchant Reference': 'attempt-1',
      'Modification Reference': '1713702551795048',
      'Gross Currency': 'EUR',
      'Exchange Rate': '1',
      ...side(gross, 'Gross'),
    }),
    ...side(net, 'Net'),
    ...over,
  }
  return COLUMNS.split(',')
    .map((name) => cells[name] ?? '')
    .join(',')
}

function parsed(...lines: string[]): Promise<ReportEntry[]> {
  return parsedText([COLUMNS, ...lines].map((one) => `${one}\n`).join(''))
}

async function parsedText(text: string, method = 'card'): Promise<ReportEntry[]> {
  const bytes = async function* () {
    yield Buffer.from(text)
  }
  const entries: ReportEntry[] = []
  for await (const entry of parseReport(bytes(), method)) entries.push(entry)
  return entries
}

const PAYOUT = (net: string) => line({ type: 'MerchantPayout', net })
/** The sale of Adyen's own example: 5.00, of which 0.12 are fees. */
const SALE = line({
  type: 'Settled',
  gross: '5.00',
  net: '4.88',
  over: { 'Markup (NC)': '0.04', 'Scheme Fees (NC)': '0.01', 'Interchange (NC)': '0.07' },
})

test('reads the example of Adyen', async () => {
  const dispute = line({
    type: 'Chargeback',
    gross: '-349.99',
    net: '-357.49',
    over: { 'Commission (NC)': '7.5' },
  })
  const fee = line({ type: 'Fee', net: '-0.30' })

  const entries = await parsed(SALE, dispute, fee, line({ type: 'Balancetransfer', net: '352.91' }))

  const posted = new Date('2026-06-03T09:26:49Z')
  expect(entries).toMatchObject([
    { type: 'header', reportId: 'Shop/4', date: '2026-06-03', account: 'Shop', currency: 'EUR' },
    {
      kind: 'settlement',
      amount: 500,
      commission: 12,
      interchange: 7,
      markup: 4,
      schemeFee: 1,
      postedAt: posted,
    },
    { kind: 'chargeback', amount: -34999, commission: 750, interchange: null, id: '1713702551795048' },
    { type: 'trailer', count: 2, gross: -34499, fees: 762, net: -35261 },
  ])
})

test.each([
  ['a payment in one step', {}, '1813702551707653', 'attempt-1'],
  ['a capture of ours', { 'Modification Merchant Reference': 'attempt-2' }, '1713702551795048', 'attempt-2'],
])('names %s', async (_name, over, reference, ourReference) => {
  const sale = line({ type: 'Settled', gross: '5.00', net: '5.00', over })

  const [, entry] = await parsed(sale, PAYOUT('-5.00'))

  expect(entry).toMatchObject({ reference, ourReference, id: '1713702551795048' })
})

test.each([
  ['SettledReversed', '-5.00', 'settlement', '1713702551795048-reversed'],
  ['Refunded', '-5.00', 'refund_settlement', '1713702551795048'],
  ['RefundedReversed', '5.00', 'refund_settlement', '1713702551795048-reversed'],
  ['SecondChargeback', '-5.00', 'chargeback', '1713702551795048-second'],
  ['ChargebackReversed', '5.00', 'chargeback_reversal', '1713702551795048'],
])('gives %s a name of its own', async (type, amount, kind, id) => {
  const rest = amount.startsWith('-') ? '5.00' : '-5.00'

  const [, entry] = await parsed(line({ type, gross: amount, net: amount }), PAYOUT(rest))

  expect(entry).toMatchObject({ kind, id, amount: Math.round(100 * Number(amount)) })
})

test('reads an exchange, and currencies without decimals', async () => {
  const over = { 'Gross Currency': 'JPY', 'Exchange Rate': '0.0061', 'Commission (NC)': '0.10' }
  const sale = line({ type: 'Settled', gross: '1000', net: '6.00', over })

  const [, entry] = await parsed(sale, PAYOUT('-6.00'))

  expect(entry).toMatchObject({
    amount: 610,
    commission: 10,
    original: { amount: 1000, currency: 'JPY' },
    exchangeRate: 0.0061,
  })
})

test('passes on the lines of its own method, and counts all of them', async () => {
  const other = line({ type: 'Settled', gross: '2.00', net: '2.00', over: { 'Payment Method': 'ideal' } })

  const entries = await parsed(SALE, other, PAYOUT('-6.88'))

  expect(entries).toMatchObject([
    { type: 'header' },
    { amount: 500 },
    { type: 'trailer', count: 1, net: 488 },
  ])
})

test.each([
  ['a fee of a scheme for an authorization', { type: 'AuthorisationSchemeFee', gross: '-0.02' }],
  ['a type that is new, of no payment', { type: 'Levitated' }],
])('counts %s in the sum of the batch alone', async (_name, cells) => {
  const entries = await parsed(SALE, line({ net: '-0.02', ...cells }), PAYOUT('-4.86'))

  expect(entries).toMatchObject([
    { type: 'header' },
    { amount: 500 },
    { type: 'trailer', count: 1, net: 488 },
  ])
  await expect(parsed(SALE, line({ net: '-0.02', ...cells }), PAYOUT('-4.88'))).rejects.toThrow('add up')
})

test.each([
  ['bcmc', 'card', 1],
  ['bcmc', 'bancontact', 1],
  ['bcmc_mobile', 'card', 0],
  ['bcmc_mobile', 'bancontact', 1],
  ['bcmc', 'ideal', 0],
])('a line of %s, read for %s', async (name, method, count) => {
  const sale = line({ type: 'Settled', gross: '5.00', net: '5.00', over: { 'Payment Method': name } })
  const text = [COLUMNS, sale, PAYOUT('-5.00')].map((one) => `${one}\n`).join('')

  expect((await parsedText(text, method)).at(-1)).toMatchObject({ type: 'trailer', count })
})

test('reads quoted cells', async () => {
  const sale = line({
    type: 'Settled',
    gross: '5.00',
    net: '5.00',
    over: { 'Company Account': '"A, ""B"" Ltd"' },
  })

  expect(await parsed(sale, PAYOUT('-5.00'))).toHaveLength(3)
})

test.each([
  ['a line is missing', [SALE], 'line 3: the lines do not add up to the payout: some are missing'],
  ['the payout is another', [SALE, PAYOUT('-4.87')], 'add up'],
  ['no lines', [], 'the file ends without lines'],
  ['an amount is no number', [line({ type: 'Fee', net: '1,5' })], 'line 2: '],
  ['an amount is too exact', [line({ type: 'Fee', net: '1.001' })], 'more decimals than its currency'],
  [
    'a currency changes',
    [SALE, line({ type: 'Fee', net: '1.00', over: { 'Net Currency': 'USD' } })],
    'several currencies',
  ],
  [
    'a date is none',
    [line({ type: 'Fee', net: '1', over: { 'Creation Date': 'today' } })],
    'a date is not one',
  ],
  [
    'the batch has no number',
    [line({ type: 'Fee', net: '1', over: { 'Batch Number': '' } })],
    'number of the batch',
  ],
  ['a quote does not end', [SALE.replace('Company,', '"Company,')], 'quote'],
  ['a line has more cells', [`${SALE},x`], 'cells'],
])('refuses a file if %s', async (_name, lines, words) => {
  await expect(parsed(...lines)).rejects.toThrow(words)
})

test.each([
  ['of an unknown type', { type: 'Levitated' }, 'the type of the line is unknown'],
  ['in an unknown time zone', { over: { TimeZone: 'XYZ' } }, 'the time zone is unknown'],
  ['with a fee that is too exact', { over: { 'Markup (NC)': '0.004' } }, 'more decimals than its currency'],
])('keeps a line %s with its money, and reads the others', async (_name, over, words) => {
  const strange = line({ type: 'Settled', gross: '5.00', net: '4.88', ...over })
  const entries = await parsed(SALE, strange, PAYOUT('-9.76'))

  expect(entries).toMatchObject([
    { type: 'header' },
    { kind: 'settlement', amount: 500, commission: 12 },
    {
      kind: 'other',
      code: 'unreadable',
      reason: expect.stringContaining(words),
      reference: '1813702551707653',
      amount: 488,
      commission: 0,
    },
    { type: 'trailer', count: 2, gross: 988, fees: 12, net: 976 },
  ])
})

test('names the column that the merchant has left out of the report', async () => {
  const columns = COLUMNS.replace(',Batch Number', '')

  await expect(parsedText(`${columns}\n`)).rejects.toThrow('the column Batch Number is missing')
})
