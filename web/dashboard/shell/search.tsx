import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Search, useAddress } from '../address.ts'
import { selectedAccount } from '../api/account.ts'
import { ApiError, send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Area } from '../areas.ts'
import { findBuyers } from '../buyers/names.tsx'
import { Icon, type IconName } from '../parts/controls.tsx'
import { Problem } from '../parts/page.tsx'
import { useListbox, useSettled } from '../parts/use-listbox.ts'
import { dayText, type Mark, Marked, moneyText, readAmount } from '../parts/values.tsx'
import { VIEWS } from '../transactions/filters.ts'
import { buyerName, markOf } from '../transactions/words.ts'
import { useAreas } from './navigation.tsx'

/** Ctrl K, or ⌘ K. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [open])
}

/** Finds things by what people have at hand: an id, the last four digits, an e-mail address, a number of their own. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const place = useRef<HTMLDialogElement>(null)
  const { go } = useAddress()
  const [text, setText] = useState('')
  const { hits, query } = useHits(text)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const box = useListbox('search-hits', hits, (hit: Hit) => {
    onClose()
    go(hit.to, hit.search)
  })
  return (
    <dialog ref={place} className="palette" aria-label="Search" onCancel={onClose} closedby="any">
      <div className="palette-box">
        <Icon name="search" />
        <input
          {...box.input}
          aria-label="Search"
          placeholder="Order number, amount, last four digits, e-mail address, request id or page"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            box.restart()
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <Hits hits={hits} box={box} />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      <p className="palette-state" role="status">
        {query.isFetching
          ? 'Searching…'
          : text.trim().length > 1 && hits.length === 0 && !query.isError
            ? 'Nothing found. Try an order number (or part of a recent one), an amount, the last four digits, an e-mail address or a request id.'
            : ''}
      </p>
    </dialog>
  )
}

type HitsProps = {
  readonly hits: readonly Hit[]
  readonly box: ReturnType<typeof useListbox<Hit>>
}

function Hits({ hits, box }: HitsProps) {
  return (
    <div id={box.listId} role="listbox" aria-label="Found" className="hits">
      {hits.map((hit, index) => (
        <div key={`${hit.to} ${hit.title}`} {...box.option(index, hit)}>
          <Icon name={hit.icon} />
          <span className="hit-title">{hit.title}</span>
          {hit.standing && <Marked of={hit.standing} />}
          <span className="hit-note">{hit.note}</span>
          {hit.standing && <span className="hit-note number">{hit.standing.day}</span>}
        </div>
      ))}
    </div>
  )
}

/** Pages by their name at once; things of the merchant account from the server, a moment after the last letter. */
function useHits(text: string) {
  const areas = useAreas()
  const may = useMay()
  const sought = useSettled(text.trim())
  const query = useQuery({
    queryKey: ['search', selectedAccount(), sought],
    enabled: sought.length > 1,
    queryFn: ({ signal }) => searchEverywhere(sought, may, signal),
  })
  const pages = findPages(text, areas)
  return { hits: [...(sought.length > 1 ? (query.data ?? []) : []), ...pages].slice(0, 12), query }
}

type Hit = {
  readonly icon: IconName
  readonly title: string
  readonly note: string
  readonly to: string
  readonly search?: Search
  /** How the thing stands, and since when it is there. */
  readonly standing?: Mark & { readonly day: string }
}

type May = (permission: string) => boolean

const FEW = 5

/** References are searched in the payments of the last month: no index has a part of one. */
const PART_DAYS = 30

/** Asks each list that can find such a text, at once. Lists answer with nothing where a single thing would be an error. */
async function searchEverywhere(text: string, may: May, signal: AbortSignal): Promise<Hit[]> {
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
function findPages(text: string, areas: readonly Area[]): Hit[] {
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

/** Other words that people type for a page, by its path. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  '/transactions': 'payments orders charges',
  '/refunds': 'money back returns',
  '/chargebacks': 'disputes',
  '/disputes': 'inquiries retrievals fraud warnings arbitration',
  '/payment-service-reports': 'reports files bank statements',
  '/payment-links': 'pay by link invoice',
  '/buyers': 'customers shoppers',
  '/payment-methods': 'cards stored vault tokens',
  '/insights': 'charts statistics analytics approval rate',
  '/payment-services': 'providers processors psp connectors adyen stripe paypal',
  '/routing': 'rules flows decline retries',
  '/developers/keys': 'api tokens credentials',
  '/developers/requests': 'logs api calls errors',
  '/developers/sandbox': 'test cards fill clock',
  '/settings/users': 'people team invite members',
  '/settings/roles': 'permissions rights access',
  '/settings/branding': 'logo colours colors',
  '/me': 'password passkey profile sign out sessions',
}
