import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Route } from '../../api/client.ts'
import { selectedAccount } from './account.ts'
import { type AnswerOf, ApiError, type Request, send } from './client.ts'

type Reading<Name extends Route> = Omit<Request<Name>, 'signal' | 'idempotencyKey' | 'prefer'> & {
  /** Reads again after this time, while the page is open. */
  readonly everyMs?: number | false
  /** A provider is asked, or a secret opened: it is read when the page opens and after acts, not whenever a tab is looked at. */
  readonly isCostly?: boolean
  /** False: not yet. */
  readonly isWanted?: boolean
}

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a network, a request fails and the page says so. The library would wait in silence.
      networkMode: 'always',
      // Only what may be better the next time. A refusal stays one.
      retry: (count, error) => error instanceof ApiError && error.isOpen && count < 2,
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
})

/** Reads an operation, and keeps its answer for other parts of the page. */
export function useRead<Name extends Route>(
  route: Name,
  { everyMs, isCostly, isWanted, ...request }: Reading<Name>,
) {
  return useQuery({
    ...reading(route, request as Request<Name>),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(isCostly && { refetchOnMount: 'always', staleTime: Number.POSITIVE_INFINITY }),
    ...(isWanted !== undefined && { enabled: isWanted }),
  })
}

/** As `useRead`, but the old answer stays until the new one is there. For lists whose filters change. */
export function useReadSmoothly<Name extends Route>(route: Name, request: Request<Name>, key: unknown) {
  return useQuery({
    queryKey: [route, selectedAccount(), key],
    queryFn: ({ signal }) => {
      forgetOldPages(route)
      return readToKeep(route, { ...request, signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** The last pages of a list stay for a while, so that going back is quick. All of a long walk would fill the memory. */
const PAGES_KEPT = 5

function forgetOldPages(route: Route): void {
  const cache = client.getQueryCache()
  const left = cache.findAll({ queryKey: [route], type: 'inactive' })
  const newestFirst = left.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const query of newestFirst.slice(PAGES_KEPT)) cache.remove(query)
}

type Collection = { readonly items: readonly unknown[]; readonly next_cursor?: string | null }
type ItemOf<Name extends Route> = AnswerOf<Name> extends { items: (infer Item)[] } ? Item : never

/** Every row of a list, page after page. Only for lists that people keep short, such as those of services. */
export function useReadAll<Name extends Route>(route: Name, { isWanted = true, query = {} }: WholeList = {}) {
  return useQuery({
    queryKey: [route, selectedAccount(), query, 'all'],
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<readonly ItemOf<Name>[]> => {
      const rows: ItemOf<Name>[] = []
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
        const asked = { query: { ...query, limit: 100, ...(cursor && { cursor }) }, signal }
        const page = (await send(route, asked as unknown as Request<Name>)) as Collection
        rows.push(...(page.items as ItemOf<Name>[]))
        cursor = page.next_cursor
      }
      return rows
    },
  })
}

type WholeList = { readonly isWanted?: boolean; readonly query?: object }

function reading<Name extends Route>(route: Name, request: Request<Name>) {
  return queryOptions({
    queryKey: [route, selectedAccount(), request],
    queryFn: ({ signal }) => readToKeep(route, { ...request, signal }),
  })
}

/** Some answers have a secret, such as the one that signs webhooks. What is kept has none: to show it, a page calls `send`. */
async function readToKeep<Name extends Route>(route: Name, request: Request<Name>): Promise<AnswerOf<Name>> {
  const answer = (await send(route, request)) as { readonly items?: readonly object[] }
  const { items } = answer
  return (items ? { ...answer, items: items.map(withoutSecret) } : withoutSecret(answer)) as AnswerOf<Name>
}

function withoutSecret<Thing extends object>(thing: Thing): Thing {
  return 'secret' in thing ? { ...thing, secret: null } : thing
}

/** Reads now, whatever is kept, and keeps the answer. */
export function readNow<Name extends Route>(route: Name, request: Request<Name>): Promise<AnswerOf<Name>> {
  return client.fetchQuery({ ...reading(route, request), staleTime: 0 })
}

/**
 * After an act: what was read may have changed. Reads again what is on the page, except what was about a thing that is
 * deleted: its page is about to close.
 */
export async function readAgain(deletedId?: string): Promise<void> {
  const isGone = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    deletedId !== undefined && JSON.stringify(queryKey).includes(deletedId)
  await client.invalidateQueries({ predicate: isGone, refetchType: 'none' })
  await client.invalidateQueries({ predicate: (query) => !isGone(query) })
}
