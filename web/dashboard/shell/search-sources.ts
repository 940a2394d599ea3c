import type { Search } from '../address.ts'
import { send } from '../api/client.ts'
import type { Area } from '../areas.ts'
import { findBuyers } from '../buyers/find.ts'
import type { IconName } from '../parts/icon.tsx'
import { moneyText, readAmount } from '../parts/money.tsx'
import type { Tone } from '../parts/status.tsx'
import { dayText } from '../parts/when.tsx'
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

/** Asks each list that can find such a text, at once. Lists answer with nothing where a single thing would be an error. */
export async function searchEverywhere(text: string, may: May, signal: AbortSignal): Promise<Hit[]> {
  const found = await Promise.all([
    may('transactions.read') ? findTransactions(text, signal) : [],
    may('buyers.read') ? findBuyerHits(text, signal) : [],
  ])
  return found.flat()
}

async function findTransactions(text: string, signal: AbortSignal): Promise<Hit[]> {
  const filter = filterFor(text)
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
    { icon: 'search', title: 'All of these transactions', note: text, to: '/transactions', search: filter },
  ]
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

/** An amount, last four digits, an e-mail address, or any id and number of the payment. */
function filterFor(text: string): Record<string, string> {
  const amount = amountIn(text)
  if (amount !== undefined) return { amount_eq: String(amount) }
  if (/^\d{4}$/.test(text)) return { payment_method_label: text }
  return text.includes('@') ? { buyer_email_address: text } : { search: text }
}

/** Minor units of `77.99`, with or without a sign of a currency. Most currencies have two such digits. */
function amountIn(text: string): number | undefined {
  const [, digits] = /^\p{Sc}?\s?(\d+[.,]\d\d)\s?\p{Sc}?$/u.exec(text) ?? []
  return digits === undefined ? undefined : readAmount(digits, 'EUR')
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
