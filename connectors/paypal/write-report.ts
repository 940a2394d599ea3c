import type { ReportLineKind } from '#connectors/contract/reports.ts'
import { fromWire } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { type Asking, headersOf, isTooMuch, type Range, searchAddress } from './transaction-search.ts'
import { isObject, type Json, listIn, objectIn, textIn } from './wire.ts'

const HOUR = 3_600_000
const SECOND = 1_000
/** A day is read in parts, because PayPal finds at most 10,000 movements at once. A part that has more is halved. */
const PART_HOURS = 3
const PAGE_SIZE = 500

type Day = { readonly date: string; readonly currency: string; readonly start: number }

/**
 * The file of a day: a header, one line of JSON for each movement that belongs to a payment, and a trailer with their sums. It
 * has nothing in it that changes from one reading to the next.
 */
export async function* writeReport(day: Day, asking: Asking): AsyncGenerator<Uint8Array> {
  let account: string | null = null
  let count = 0
  let gross = 0
  let fees = 0
  for (let hour = 0; hour < 24; hour += PART_HOURS) {
    const start = day.start + hour * HOUR
    const range = { start, end: start + PART_HOURS * HOUR - SECOND, currency: day.currency }
    for await (const page of pagesOf(range, asking)) {
      if (account === null) {
        account = textIn(page, 'account_number') ?? 'unknown'
        const { date, currency } = day
        yield line({ type: 'header', report: `${date}.${currency}`, date, account, currency })
      }
      for (const detail of listIn(page, 'transaction_details')) {
        const movement = toMovement(objectIn(detail, 'transaction_info'), day.currency)
        if (!movement) continue
        count++
        gross += movement.amount
        fees += movement.commission
        yield line({ type: 'line', ...movement })
      }
    }
  }
  yield line({ type: 'trailer', count, gross, fees, net: gross - fees })
}

async function* pagesOf(range: Range, asking: Asking): AsyncGenerator<Json> {
  let pages = 1
  for (let number = 1; number <= pages; number++) {
    const url = searchAddress(asking.link, range, { size: PAGE_SIZE, number })
    const body = await readPage(url, asking)
    if (body === 'too much') {
      for (const half of halvesOf(range)) yield* pagesOf(half, asking)
      return
    }
    const total = body['total_pages']
    if (typeof total !== 'number' || body['page'] !== number)
      throw new Error('PayPal answered with another page')
    pages = total
    yield body
  }
}

/** Ranges include both of their ends, in whole seconds. */
function halvesOf(range: Range): readonly Range[] {
  const { start, end } = range
  const middle = start + Math.floor((end - start) / (2 * SECOND)) * SECOND
  // PayPal takes no range of one second.
  if (middle - start < SECOND || end - middle < 2 * SECOND) {
    throw new Error('PayPal lists more movements of some seconds than it shows')
  }
  return [
    { ...range, end: middle },
    { ...range, start: middle + SECOND },
  ]
}

/** The error of a failed request may repeat what was sent, so it is not passed on. */
async function readPage(url: string, asking: Asking): Promise<Json | 'too much'> {
  const response = await asking.link.stream(url, { headers: headersOf(asking) }).catch(() => null)
  if (response?.status !== 200 && response?.status !== 400)
    throw new Error(`PayPal did not deliver the page (${response?.status ?? 'no answer'})`)
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
  if (isTooMuch(response.status, body)) return 'too much'
  if (response.status !== 200) throw new Error(`PayPal did not deliver the page (${response.status})`)
  if (!isObject(body)) throw new Error('PayPal answered with something else than a page')
  return body
}

export type Movement = {
  readonly kind: ReportLineKind
  readonly reference: string
  readonly ourReference: string | null
  readonly amount: number
  readonly commission: number
  readonly at: string
  readonly code: string
}

/** `S` is done; `V` was done, and taken back later by a movement of its own. */
const DONE = ['S', 'V']

/** Null for what is no payment: fees, withdrawals, conversions, holds, and payments that the merchant made. */
function toMovement(info: Json, currency: string): Movement | null {
  const code = textIn(info, 'transaction_event_code') ?? ''
  const kind = MAPPING.reportCodes[code] ?? MAPPING.reportCodes[code.slice(0, 3)]
  if (!kind || !DONE.includes(textIn(info, 'transaction_status') ?? '')) return null
  const money = fromWire(info['transaction_amount'])
  const fee = info['fee_amount'] === undefined ? { amount: 0, currency } : fromWire(info['fee_amount'])
  const at = textIn(info, 'transaction_initiation_date')
  const isOfPayment = kind === 'settlement' || kind === 'refund_settlement'
  const reference = textIn(info, isOfPayment ? 'transaction_id' : 'paypal_reference_id')
  if (!money || !fee || at === null || reference === null || Number.isNaN(Date.parse(at))) {
    throw new Error('PayPal lists a movement that we cannot read')
  }
  if (money.currency !== currency || fee.currency !== currency) {
    throw new Error('PayPal lists a movement of another currency')
  }
  const isIncoming = kind === 'settlement' || kind === 'chargeback_reversal'
  if (isIncoming ? money.amount <= 0 : money.amount >= 0) return null
  const ourReference = textIn(
    info,
    isOfPayment && kind === 'refund_settlement' ? 'custom_field' : 'invoice_id',
  )
  // PayPal's fees are below zero.
  return {
    kind,
    reference,
    ourReference,
    amount: money.amount,
    commission: fee.amount === 0 ? 0 : -fee.amount,
    at,
    code,
  }
}

function line(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
