import type { Books } from './books.ts'
import { checkParams, integerAt, type Params, type Shape, textAt, valueAt } from './params.ts'

type Item = { readonly id: string; readonly created: number }

const TIMES = { gt: 'integer', gte: 'integer', lt: 'integer', lte: 'integer' } as const
const PAGE = {
  limit: 'integer',
  starting_after: 'text',
  ending_before: 'text',
  created: TIMES,
  expand: 'texts',
} as const satisfies Readonly<Record<string, Shape>>

type Listing<One> = {
  readonly url: string
  /** Parameters that take one value. */
  readonly filters?: Readonly<Record<string, (item: One) => string | null | undefined>>
  /** Parameters that take several, one of which has to fit. */
  readonly lists?: Readonly<Record<string, (item: One) => string>>
}

/** Newest first, ten to a page unless asked otherwise. Source: https://docs.stripe.com/api/pagination */
export function listItems<One extends Item>(
  all: Iterable<One>,
  params: Params,
  { url, filters = {}, lists = {} }: Listing<One>,
): object {
  const names = Object.fromEntries(Object.keys(filters).map((name) => [name, 'text'] as const))
  const listed = Object.fromEntries(Object.keys(lists).map((name) => [name, 'texts'] as const))
  checkParams(params, { ...PAGE, arrival_date: TIMES, ...names, ...listed })
  const fitting = [...all]
    .reverse()
    .filter((item) => isWithin(item.created, params, 'created'))
    .filter((item) =>
      Object.entries(filters).every(([name, of]) => {
        const wanted = textAt(params, name)
        return wanted === null || of(item) === wanted
      }),
    )
    .filter((item) =>
      Object.entries(lists).every(([name, of]) => {
        const wanted = valueAt(params, name)
        return !Array.isArray(wanted) || wanted.includes(of(item))
      }),
    )
  const after = textAt(params, 'starting_after')
  const start = after === null ? 0 : fitting.findIndex(({ id }) => id === after) + 1
  const limit = Math.min(100, Math.max(1, integerAt(params, 'limit') ?? 10))
  const data = fitting.slice(start, start + limit)
  return { object: 'list', url, has_more: fitting.length > start + limit, data }
}

/** Only for metadata: `metadata["name"]:"value"`, several with AND. Source: https://docs.stripe.com/search */
export function searchIntents(books: Books, params: Params): object {
  checkParams(params, { query: 'text', limit: 'integer', page: 'text', expand: 'texts' })
  const wanted = [...(textAt(params, 'query') ?? '').matchAll(/metadata\["([^"]+)"\]:"([^"]+)"/g)]
  const data = [...books.intents.values()].filter(({ metadata }) =>
    wanted.every(([, name = '', value]) => metadata[name] === value),
  )
  return {
    object: 'search_result',
    url: '/v1/payment_intents/search',
    has_more: false,
    next_page: null,
    data,
  }
}

function isWithin(time: number, params: Params, name: string): boolean {
  const limit = (relation: string) => integerAt(params, name, relation)
  const [gt, gte, lt, lte] = [limit('gt'), limit('gte'), limit('lt'), limit('lte')]
  if (gt !== null && time <= gt) return false
  if (gte !== null && time < gte) return false
  if (lt !== null && time >= lt) return false
  return lte === null || time <= lte
}

/** Replaces ids by objects, as `expand[]` asks. Source: https://docs.stripe.com/api/expanding_objects */
export function expanded(books: Books, object: object, params: Params): object {
  const paths = valueAt(params, 'expand')
  if (!Array.isArray(paths)) return object
  const copy = structuredClone(object) as Record<string, unknown>
  for (const path of paths) expand(books, copy, String(path).split('.'))
  return copy
}

function expand(books: Books, place: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  const value = place[name]
  if (Array.isArray(value)) {
    for (const item of value) if (isObject(item)) expand(books, item, rest)
    return
  }
  const found = typeof value === 'string' ? structuredClone(lookUp(books, value)) : value
  if (!isObject(found)) return
  place[name] = found
  if (rest.length > 0) expand(books, found, rest)
}

function lookUp(books: Books, id: string): object | null {
  const stores = [
    books.charges,
    books.intents,
    books.methods,
    books.refunds,
    books.disputes,
    books.transactions,
  ]
  for (const store of [...stores, books.payouts]) {
    const found = store.get(id)
    if (found) return found
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
