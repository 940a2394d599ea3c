import type { Settled } from './state.ts'

/** https://docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report */
const COLUMNS = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Payment Method Variant',
  'Modification Merchant Reference',
  'Batch Number',
  'Merchant Order Reference',
] as const

type Row = Partial<Record<(typeof COLUMNS)[number], string>>
type Batch = { readonly merchantAccount: string; readonly number: number; readonly at: Date }

/** A transaction fee of one month, as Adyen takes it per batch. */
const PROCESSING_FEE = 15
const CHARGEBACK_FEE = 750

/** The rows of one batch: what was settled, the fees, and the payout that balances them. */
export function writeReport(lines: readonly Settled[], currency: string, batch: Batch): string {
  const rows = lines.map((line) => toRow(line, batch))
  const sum = lines.reduce((total, line) => total + netOf(line), 0) - PROCESSING_FEE
  const end = {
    ...common(batch, batch.at),
    'Gross Currency': '',
    'Net Currency': currency,
  }
  const fee = {
    ...end,
    Type: 'Fee',
    'Modification Reference': 'Transaction Fees',
    'Net Debit (NC)': major(PROCESSING_FEE, currency),
  }
  // A batch whose sum is below zero is balanced from the next one.
  const payout =
    sum >= 0
      ? {
          ...end,
          Type: 'MerchantPayout',
          'Modification Reference': `TX${batch.number}`,
          'Net Debit (NC)': major(sum, currency),
        }
      : {
          ...end,
          Type: 'Balancetransfer',
          'Modification Reference': 'to batch',
          'Net Credit (NC)': major(-sum, currency),
        }
  return [COLUMNS.join(','), ...[...rows, fee, payout].map(toLine)].map((line) => `${line}\n`).join('')
}

function toRow(line: Settled, batch: Batch): Row {
  const { type, payment, modification, amount } = line
  const { value, currency } = amount
  const isCredit = isCreditOf(type)
  const { markup, schemeFee, interchange, commission } = feesOf(line)
  const isOwn = modification.pspReference !== payment.pspReference
  return {
    ...common(batch, line.at),
    'Psp Reference': payment.pspReference,
    'Merchant Reference': payment.reference,
    'Payment Method': payment.method,
    Type: type,
    'Modification Reference': isOwn ? modification.pspReference : `${payment.pspReference.slice(0, -1)}C`,
    'Gross Currency': currency,
    [isCredit ? 'Gross Credit (GC)' : 'Gross Debit (GC)']: major(value, currency),
    'Exchange Rate': '1',
    'Net Currency': currency,
    [isCredit ? 'Net Credit (NC)' : 'Net Debit (NC)']: major(Math.abs(netOf(line)), currency),
    ...(commission > 0 && { 'Commission (NC)': major(commission, currency) }),
    ...(markup > 0 && {
      'Markup (NC)': major(markup, currency),
      'Scheme Fees (NC)': major(schemeFee, currency),
      'Interchange (NC)': major(interchange, currency),
    }),
    'Payment Method Variant': payment.method,
    'Modification Merchant Reference': isOwn ? modification.reference : '',
    'Merchant Order Reference': payment.orderReference ?? '',
  }
}

function common({ merchantAccount, number }: Batch, at: Date): Row {
  return {
    'Company Account': 'StandInCompany',
    'Merchant Account': merchantAccount,
    'Creation Date': at.toISOString().slice(0, 19).replace('T', ' '),
    TimeZone: 'UTC',
    'Batch Number': String(number),
  }
}

function isCreditOf(type: Settled['type']): boolean {
  return type === 'Settled' || type === 'RefundedReversed' || type === 'ChargebackReversed'
}

/** A scheme's fees for a settlement; a fixed one for a chargeback. */
function feesOf({ type, amount }: Settled) {
  const none = { markup: 0, schemeFee: 0, interchange: 0, commission: 0 }
  if (type === 'Chargeback' || type === 'SecondChargeback') return { ...none, commission: CHARGEBACK_FEE }
  if (type !== 'Settled') return none
  return {
    markup: Math.ceil(amount.value * 0.006),
    schemeFee: Math.ceil(amount.value * 0.001),
    interchange: Math.ceil(amount.value * 0.002),
    commission: 0,
  }
}

function netOf(line: Settled): number {
  const { markup, schemeFee, interchange, commission } = feesOf(line)
  const gross = isCreditOf(line.type) ? line.amount.value : -line.amount.value
  return gross - markup - schemeFee - interchange - commission
}

function toLine(row: Row): string {
  return COLUMNS.map((name) => quoted(row[name] ?? '')).join(',')
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** https://docs.adyen.com/development-resources/currency-codes */
const WITHOUT_DECIMALS = 'CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

function major(minor: number, currency: string): string {
  const decimals = WITHOUT_DECIMALS.includes(currency) ? 0 : WITH_THREE.includes(currency) ? 3 : 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
