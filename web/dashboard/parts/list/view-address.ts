import type { Schemas } from '../../../api/schema.d.ts'
import { type Search, valuesOf } from '../../address.ts'
import { decimalText } from '../money.tsx'
import { type Filter, queryFrom } from './filters.ts'

type Kept = Pick<Schemas['SavedView'], 'query' | 'periods'>

/** What stands in the address, as the API keeps it: parameters of the list, and periods that stay as they were said. */
export function viewFrom(filters: readonly Filter[], search: Search): Kept {
  const isPeriod = ({ kind }: Filter) => kind === 'period'
  const bounds = queryFrom(
    filters.filter((filter) => !isPeriod(filter)),
    search,
    new Date(),
  )
  const query = Object.entries(bounds).map(([name, value]) => [
    name,
    typeof value === 'object' ? [...value] : String(value),
  ])
  const periods = filters.filter(isPeriod).flatMap(({ id }) => {
    const [text] = valuesOf(search, id)
    return text === undefined ? [] : [[id, text]]
  })
  return { query: Object.fromEntries(query), periods: Object.fromEntries(periods) }
}

/** The way back. A filter that the page does not have is left out. */
export function searchFrom(filters: readonly Filter[], { query, periods }: Kept): Search {
  const found = filters.flatMap((filter): [string, string | readonly string[]][] => {
    const value = filter.kind === 'period' ? periods[filter.id] : textOf(filter, query)
    return value === undefined || value.length === 0 ? [] : [[filter.id, value]]
  })
  return Object.fromEntries(found)
}

function textOf(filter: Filter, query: Kept['query']): string | readonly string[] | undefined {
  if (filter.kind !== 'amount') return query[filter.id]
  const [currency = ''] = [query['currency'] ?? []].flat()
  const major = (bound: string) => {
    const amount = query[`${filter.id}_${bound}`]
    return amount === undefined ? '' : decimalText(Number(amount), currency)
  }
  const exact = major('eq')
  if (exact !== '') return exact
  const [from, to] = [major('gte'), major('lte')]
  return from === '' && to === '' ? undefined : `${from}..${to}`
}
