import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ACCOUNT_PARAMETER } from './api/account.ts'

/** What stands after `?`: text by name, or several texts. Nothing else, so that addresses can be read and typed. */
export type Search = Readonly<Record<string, string | readonly string[] | undefined>>

export function parseSearch(text: string): Search {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}

export function stringifySearch(search: object): string {
  const pairs = Object.entries(search as Search).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

/** The values of a parameter, however many. */
export function valuesOf(search: Search, name: string): readonly string[] {
  const value = search[name]
  if (value === undefined || value === '') return []
  return typeof value === 'string' ? [value] : value
}

/** The address of the page: what it shows is there, so that reloading and sharing keep it. */
export function useAddress() {
  const search = useSearch({ strict: false }) as Search
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  return {
    search,
    params,
    /** Changes parameters of the address. Undefined removes one. */
    change: (changes: Search) =>
      void navigate({
        to: '.',
        search: (old: object) => ({ ...old, ...changes }) as never,
        resetScroll: false,
      }),
    /** Leads to another page. The merchant account stays, unless another one is named. */
    go: (to: string, parameters: Search = {}) =>
      void navigate({ to, search: { ...kept(search), ...parameters } as never }),
  }
}

const lastSearches = new Map<string, Search>()

/** Keeps how a list was left, so that the way back to it leads to the same filters and the same rows. */
export function rememberSearch(path: string, search: Search): void {
  lastSearches.set(keyOf(path, search), search)
}

/** How the list at a path was last seen in this merchant account. */
export function lastSearchAt(path: string, now: Search): Search {
  return lastSearches.get(keyOf(path, now)) ?? {}
}

function keyOf(path: string, search: Search): string {
  return stringifySearch({ path, ...kept(search) })
}

/** Stays in the address from page to page. */
export function kept(search: Search): Search {
  const account = search[ACCOUNT_PARAMETER]
  return account === undefined ? {} : { [ACCOUNT_PARAMETER]: account }
}
