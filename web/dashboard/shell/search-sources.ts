import type { Search } from '../address.ts'
import { ApiError, send } from '../api/client.ts'
import type { Area } from '../areas.ts'
import { findBuyers } from '../buyers/find.ts'
import type { IconName } from '../parts/controls.tsx'
import { dayText, moneyText, readAmount, type Tone } from '../parts/values.tsx'
import { VIEWS } from '../transactions/filters.ts'
import { buyerName } from '../transactions/who.ts'
import { markOf } from '../transactions/words.ts'
import { OTHER_WORDS } from './search-words.ts'

export type Hit = {
  readonly icon: IconName
  readonly title: string
  readonly note: string
  readonly to: string
  readonly search?: Search
  /** How the thing stands, and since when it is there. */
  readonly standing?: { readonly tone: Tone; readonly label: string; readonly day: string }
}

type May = (permission: string) => boolean

const FEW = 5

/** References are searched in the payments of the last month: no index has a part of one. */
const PART_DAYS = 30

/** Asks each list that can find such a text, at once. Lists answer with nothing where a single thing would be an error. */
export async function searchEverywhere(text: string, may: May, signal: AbortSignal): Promise<Hit[]> {
  const found = await Promise.all([
    may('transactions.read') ? findTransactions(text, signal) : [],
    may('buyers.read') ? findBuyerHits(text, signal) : [],
    may('api-logs.read') ? findRequests(text, signal) : [],
  ])
  return found.flat()
}

async function findTransactions(text: string, signal: AbortSignal): Promise<Hit[]> {
  const filter = filterFor(text)
  const hits = await listTransactions({ text, filter, search: filter }, signal)
  if (hits.length > 0 || !('search' in filter) || !/^[^\s@]{4,}$/.test(text)) return hits
  const since = new Date(Date.now() - PART_DAYS * 24 * 3_600_000).toISOString()
  try {
    const part = { external_identifier_contains: text }
    const search = { ...part, created_at: `${PART_DAYS}d` }
    return await listTransactions({ text, filter: { ...part, created_at_gte: since }, search }, signal)
  } catch (error) {
    // Too many payments to look through. Whole references are found all the same.
    if (error instanceof ApiError && error.wantsDates) return []
    throw error
  }
}

type Sought = {
  readonly text: string
  readonly filter: Readonly<Record<string, string>>
  /** The same in the address of the list. */
  readonly search: Search
}

async function listTransactions({ text, filter, search }: Sought, signal: AbortSignal): Promise<Hit[]> {
  const { items } = await send('GET /transactions', { query: { ...filter, limit: FEW }, signal })
  const hits = items.map(
    (one): Hit => ({
      icon: 'transactions',
      title: `${moneyText(one.amount, one.currency)} ${buyerName(one) ?? ''}`,
      note: one.external_identifier ?? `${one.id.slice(0, 8)}…`,
      to: `/transactions/${one.id}`,
      standing: { ...markOf(one), day: dayText(one.created_at) },
    }),
  )
  // The list wants the currency of an amount.
  if (items.length < FEW || 'amount_eq' in filter) return hits
  return [
    ...hits,
    { icon: 'search', title: 'All of these transactions', note: text, to: '/transactions', search },
  ]
}

/** A request to the API, by the id that its answer carried. */
async function findRequests(text: string, signal: AbortSignal): Promise<Hit[]> {
  if (!/^\S{8,}$/.test(text) || text.includes('@')) return []
  const { items } = await send('GET /api-logs', { query: { request_id: text, limit: FEW }, signal })
  return items.map(({ id, method, path, status, created_at }) => ({
    icon: 'log',
    title: `${method} ${path}`,
    note: `Status ${status}`,
    to: `/developers/requests/${id}`,
    standing: { tone: status < 400 ? 'good' : 'bad', label: 'API request', day: dayText(created_at) },
  }))
}

/** Pages, and views of the payments, that a word names. */
export function findPages(text: string, areas: readonly Area[]): Hit[] {
  const sought = text.trim().toLowerCase()
  const views = VIEWS.filter(
    ({ label }) => sought.length > 2 && label !== 'All' && label.toLowerCase().startsWith(sought),
  )
  const isNamed = ({ name, path }: Area) =>
    name.toLowerCase().includes(sought) ||
    (sought.length > 2 && (OTHER_WORDS[path] ?? '').split(' ').some((word) => word.startsWith(sought)))
  return [
    ...(areas.some(({ path }) => path === '/transactions') ? views : []).map(
      ({ label, search }): Hit => ({
        icon: 'transactions',
        title: `${label} transactions`,
        note: 'Payments',
        to: '/transactions',
        search,
      }),
    ),
    ...areas
      .filter(isNamed)
      .map(({ name, path, icon, group }): Hit => ({ icon, title: name, note: group ?? '', to: path })),
  ]
}

/** An amount, last four digits, an e-mail address, any id or number of the payment; an amount also beside one of the others. */
function filterFor(text: string): Record<string, string> {
  const words = text.split(/\s+/)
  if (words.length > 1)
    for (const word of [words.at(-1) ?? '', words[0] ?? '']) {
      const amount = amountIn(word) ?? wholeAmountIn(word)
      const rest = words.filter((one) => one !== word).join(' ')
      if (amount !== undefined && rest !== '') return { ...personOrCard(rest), amount_eq: String(amount) }
    }
  const amount = amountIn(text)
  if (amount !== undefined) return { amount_eq: String(amount) }
  if (/^\d{4}$/.test(text) || text.includes('@')) return personOrCard(text)
  return { search: text }
}

function personOrCard(text: string): Record<string, string> {
  if (/^\d{4}$/.test(text)) return { payment_method_label: text }
  return text.includes('@') ? { buyer_email_address: text } : { buyer_search: text }
}

/** Minor units of `77.99`, with or without a sign of a currency. Most currencies have two such digits. */
function amountIn(text: string): number | undefined {
  const [, digits] = /^\p{Sc}?\s?(\d+[.,]\d\d)\s?\p{Sc}?$/u.exec(text) ?? []
  return digits === undefined ? undefined : readAmount(digits, 'EUR')
}

/** Of `129` as well. Four digits are those of a card. */
function wholeAmountIn(text: string): number | undefined {
  return /^\d{1,3}$|^\d{5,6}$/.test(text) ? readAmount(text, 'EUR') : undefined
}

async function findBuyerHits(text: string, signal: AbortSignal): Promise<Hit[]> {
  const found = await findBuyers(text, signal)
  return found.map(({ value, label, note }) => ({
    icon: 'buyers',
    title: label,
    note,
    to: `/buyers/${value}`,
  }))
}
