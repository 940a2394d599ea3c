import type { ListAnswer, ReportFile, ReportLink, Reports } from '#connectors/contract/reports.ts'
import { askForToken } from './access-token.ts'
import { apiOf } from './address.ts'
import { CURRENCIES } from './currency.ts'
import { parseReport } from './parse-report.ts'
import { type Asking, get, type Range, searchAddress } from './transaction-search.ts'
import { listIn, textIn } from './wire.ts'
import { writeReport } from './write-report.ts'

/**
 * PayPal has no files here, but a search. We make a file of each day and currency that has movements of the balance. A day
 * is there once PayPal's data are newer than its end.
 */
export const reports: Reports = { list, read, parse: parseReport }

const DAY = 24 * 3_600_000
const SECOND = 1_000
/** PayPal searches at most 31 days at once, and three years back. */
const SEARCHED_DAYS = 31
const BACK_DAYS = 3 * 365 - SEARCHED_DAYS
const FILES_MAX = 50

async function list(since: Date, link: ReportLink): Promise<ListAnswer> {
  const answer = await askForToken(link)
  if (answer.outcome === 'refused') return unreachable('PayPal does not accept client_id and client_secret')
  if (answer.outcome === 'lost') return unreachable('PayPal gave no readable answer')
  const asking = { link, token: answer.token }
  const account = await heldBy(asking)
  if (typeof account === 'string') return unreachable(account)
  const until = startOf(account.refreshedAt)
  const files: ReportFile[] = []
  let start = Math.max(startOf(since.getTime() - DAY), until - BACK_DAYS * DAY)
  while (start < until && files.length < FILES_MAX) {
    const end = Math.min(start + SEARCHED_DAYS * DAY, until)
    const total = await count({ start, end: end - SECOND }, asking)
    if (typeof total === 'string') return unreachable(total)
    const found = total === 0 ? [] : await filesBetween(start, end, { ...account, asking, since })
    if (typeof found === 'string') return unreachable(found)
    files.push(...found)
    start = end
  }
  return { outcome: 'listed', files, hasMore: start < until }
}

type Account = { readonly currencies: readonly string[]; readonly refreshedAt: number }

/** The currencies in which the account holds money, and how new PayPal's data are. */
async function heldBy(asking: Asking): Promise<Account | string> {
  const body = await get(`${apiOf(asking.link)}/v1/reporting/balances?currency_code=ALL`, asking)
  if (typeof body === 'string') return body
  const refreshedAt = Date.parse(textIn(body, 'last_refresh_time') ?? '')
  if (!Array.isArray(body['balances']) || Number.isNaN(refreshedAt)) return 'PayPal gave no readable answer'
  const currencies = listIn(body, 'balances').flatMap((balance) => textIn(balance, 'currency') ?? [])
  // The search lags behind the balance by up to three hours.
  return {
    currencies: currencies.filter((one) => CURRENCIES.includes(one)),
    refreshedAt: refreshedAt - LAG_MS,
  }
}

const LAG_MS = 3 * 3_600_000

async function filesBetween(
  start: number,
  end: number,
  { currencies, asking, since }: Account & { readonly asking: Asking; readonly since: Date },
): Promise<readonly ReportFile[] | string> {
  const files: ReportFile[] = []
  for (let day = start; day < end; day += DAY) {
    const publishedAt = new Date(day + DAY)
    if (publishedAt < since) continue
    for (const currency of currencies.toSorted()) {
      const total = await count({ start: day, end: day + DAY - SECOND, currency }, asking)
      if (typeof total === 'string') return total
      const id = `${new Date(day).toISOString().slice(0, 10)}.${currency}`
      if (total > 0) files.push({ id, name: `paypal-${id}`, publishedAt })
    }
  }
  return files
}

async function count(range: Range, asking: Asking): Promise<number | string> {
  const body = await get(searchAddress(asking.link, range, { size: 1, number: 1 }), asking)
  if (typeof body === 'string') return body
  const total = body['total_items']
  return typeof total === 'number' && Number.isInteger(total) ? total : 'PayPal gave no readable answer'
}

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  const [date = '', currency = '', ...rest] = fileId.split('.')
  const start = Date.parse(`${date}T00:00:00Z`)
  if (rest.length > 0 || Number.isNaN(start) || !CURRENCIES.includes(currency)) {
    throw new Error('this is no file of PayPal')
  }
  const answer = await askForToken(link)
  if (answer.outcome !== 'given') throw new Error('PayPal gave no access token')
  yield* writeReport({ date, currency, start }, { link, token: answer.token })
}

function startOf(time: number): number {
  return Math.floor(time / DAY) * DAY
}

function unreachable(message: string): ListAnswer {
  return { outcome: 'unreachable', message }
}
