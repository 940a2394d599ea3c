import { type Books, isPayout, type Json, newId, Refusal, type Reply } from './books.ts'

/** https://www.checkout.com/docs/funds-management/retrieve-financial-reports: those that we know of, in an order of ours. */
const COLUMNS = [
  'Client Entity ID',
  'Processing Channel ID',
  'Reference',
  'Payment ID',
  'Action Type',
  'Action ID',
  'Requested On',
  'Processed On',
  'Processing Currency',
  'Processing Currency Amount',
  'FX Rate Applied',
  'Holding Currency',
  'Holding Currency Amount',
  'Payout ID',
  'Breakdown Type',
] as const
type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>

type Report = {
  readonly id: string
  readonly fileId: string
  readonly name: string
  readonly payout: string
  readonly createdOn: Date
  readonly text: string
}

const ENTITY = 'ent_tnu3ld65mm4e3bgxmx7oj62t2y'
const CHANNEL = 'pc_hpswyyx23geezflc2ocz3exn4y'
/** What each action costs, as a share of its amount, in millionths. */
const FEES = [
  ['Interchange Variable Fee', 2_000],
  ['Scheme Variable Fee', 333],
  ['Premium Variable Fee', 4_567],
] as const
const PAGE_MAX = 100

/** Reports of financial actions, one for each payout to the merchant. */
export class Reports {
  readonly #made: Report[] = []
  readonly #settled = new Set<string>()
  readonly #books: Books

  constructor(books: Books) {
    this.#books = books
  }

  /** Pays out what is captured, refunded and disputed, by currency. */
  settle(): object {
    const currencies = [...new Set([...this.#books.payments.values()].map(({ currency }) => currency))]
    for (const currency of currencies) this.#payOut(currency)
    this.#books.disputeMoves.length = 0
    return { reports: this.#made.map(({ id }) => id) }
  }

  /** GET /reports, /reports/{id} and /reports/{id}/files/{id}. */
  serve(pathname: string, query: URLSearchParams, origin: string): Reply {
    const [, , id = '', , fileId = ''] = pathname.split('/')
    if (id === '') return { status: 200, body: this.#list(query, origin) }
    const report = this.#made.find((one) => one.id === id)
    if (!report || (fileId !== '' && fileId !== report.fileId)) throw new Refusal(404)
    return { status: 200, body: fileId === '' ? shown(report, origin) : report.text }
  }

  /** The newest first, in pages. */
  #list(query: URLSearchParams, origin: string): Json {
    const after = Date.parse(query.get('created_after') ?? '') || 0
    const limit = Math.min(Number(query.get('limit') ?? PAGE_MAX), PAGE_MAX)
    const skip = Number(query.get('pagination_token') ?? 0)
    const found = this.#made.filter(({ createdOn }) => createdOn.getTime() >= after).toReversed()
    const self = `${origin}/reports`
    const next = { href: `${self}?limit=${limit}&pagination_token=${skip + limit}` }
    const data = found.slice(skip, skip + limit)
    return {
      count: data.length,
      limit,
      data: data.map((report) => shown(report, origin)),
      _links: { self: { href: self }, ...(skip + limit < found.length && { next }) },
    }
  }

  #payOut(currency: string): void {
    const payout = `000G${String(this.#made.length + 1).padStart(8, '0')}`
    const rows = [...this.#actionRows(currency), ...this.#disputeRows(currency)]
    if (rows.length === 0) return
    const createdOn = this.#books.now()
    const day = createdOn.toISOString().slice(0, 10).replaceAll('-', '')
    const lines = rows.map((row) => COLUMNS.map((name) => row[name] ?? '').join(','))
    this.#made.push({
      id: newId('rpt'),
      fileId: newId('file'),
      name: `financial-actions_${ENTITY}_${day}_${payout}_1.csv`,
      payout,
      createdOn,
      text: [COLUMNS.join(','), ...lines.map((line) => line.replace(PAYOUT, payout))].join('\n'),
    })
  }

  /** An authorization costs a fee; a capture and a refund move money, and cost some of it. */
  #actionRows(currency: string): Row[] {
    return [...this.#books.payments.values()].flatMap((payment) => {
      if (payment.currency !== currency || isPayout(payment)) return []
      const known = { 'Payment ID': payment.id, Reference: String(payment.request['reference'] ?? '') }
      return payment.actions.flatMap((action) => {
        if (action.approved !== true || this.#settled.has(action.id)) return []
        this.#settled.add(action.id)
        const row = rowsFor(currency, {
          ...known,
          'Action Type': action.type,
          'Action ID': action.id,
          'Processed On': action.processed_on.replace('Z', ''),
          'Requested On': action.processed_on,
        })
        if (action.type === 'Authorization') return [row('Authorization Fixed Fee', -0.0123)]
        if (action.type !== 'Capture' && action.type !== 'Refund') return []
        const amount = majorOf(action.amount, currency)
        const costs = FEES.map(([name, share]) => row(name, (-amount * share) / 1_000_000))
        return [row(action.type, action.type === 'Refund' ? -amount : amount), ...costs]
      })
    })
  }

  #disputeRows(currency: string): Row[] {
    return this.#books.disputeMoves.flatMap(({ id, payment, amount, code }) => {
      const { currency: own, request } = this.#books.find(payment)
      if (own !== currency) return []
      const row = rowsFor(currency, {
        'Payment ID': payment,
        Reference: String(request['reference'] ?? ''),
        'Action Type': 'Chargeback',
        'Action ID': id,
        'Processed On': this.#books.now().toISOString().replace('Z', ''),
      })
      const moved = row(`Chargeback (${code})`, majorOf(amount, currency))
      return amount < 0 ? [moved, row('Chargeback Fixed Fee', -15)] : [moved]
    })
  }
}

const PAYOUT = 'PAYOUT'

function rowsFor(currency: string, known: Row) {
  return (type: string, amount: number): Row => ({
    'Client Entity ID': ENTITY,
    'Processing Channel ID': CHANNEL,
    'Payout ID': PAYOUT,
    'FX Rate Applied': '1',
    'Processing Currency': currency,
    'Processing Currency Amount': amount.toFixed(8),
    'Holding Currency': currency,
    'Holding Currency Amount': amount.toFixed(8),
    ...known,
    'Breakdown Type': type,
  })
}

function majorOf(amount: number, currency: string): number {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return amount / 10 ** digits
}

function shown({ id, fileId, name, payout, createdOn }: Report, origin: string): Json {
  const href = `${origin}/reports/${id}`
  const at = createdOn.toISOString()
  return {
    id,
    created_on: at,
    last_modified_on: at,
    type: 'FinancialActions',
    description: 'Financial actions by payout ID',
    account: { client_id: 'cli_bvaelhppmfiufdnatam37wrfc4', entity_id: ENTITY },
    tags: [`payout_id:${payout}`],
    from: at,
    to: at,
    files: [
      { id: fileId, filename: name, format: 'CSV', _links: { self: { href: `${href}/files/${fileId}` } } },
    ],
    _links: { self: { href } },
  }
}
