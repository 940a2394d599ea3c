import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/schema.d.ts'
import { setUsableAccounts } from './account.ts'
import { ApiError, call, client, send } from './client.ts'

export type Me = Schemas['Me']

let known: string | undefined

/** Who has signed in, and what they may do. */
const ME = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Me> => {
    const answer = await call('GET /users/me', { signal })
    if (!answer.isGood) throw new ApiError(answer.error)
    // Nothing that one person has read or typed is left for another.
    if (known !== undefined && known !== answer.body.id) location.reload()
    known = answer.body.id
    setUsableAccounts(answer.body.merchant_accounts.map(({ id }) => id))
    return answer.body
  },
})

export function useMeQuery() {
  return useQuery(ME)
}

/** For what may be shown without a session, such as an error: what is known now, and nothing is asked. */
export function mayNow(permission: string): boolean {
  return client.getQueryData<Me>(ME.queryKey)?.permissions.includes(permission) ?? false
}

/** Inside the frame, which is shown only to a user who has signed in. */
export function useMe(): Me {
  return useSuspenseQuery(ME).data
}

/** Whether the user may do something, such as `transactions.write`. Only hides: the server decides. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useMe()
  return (permission) => permissions.includes(permission)
}

const MINUTE_MS = 60_000

/**
 * The end of the present minute, by the time of the service: the clock of a sandbox may be ahead of that of the browser. The same
 * until the page reads again, so that everything on it is about the same time. Undefined until it is known.
 */
export function useNow(): Date | undefined {
  const { environment } = useMe()
  const isMoved = useMay()('sandbox.read') && environment === 'sandbox'
  const { data } = useQuery({
    queryKey: ['now', isMoved],
    staleTime: MINUTE_MS,
    queryFn: async ({ signal }) => {
      if (!isMoved) return endOfMinute(Date.now())
      // Without an answer, the clock of the browser is near enough.
      const clock = await send('GET /sandbox/clock', { signal }).catch(() => undefined)
      return endOfMinute(clock ? Date.parse(clock.now) : Date.now())
    },
  })
  return data
}

function endOfMinute(ms: number): Date {
  return new Date((Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS)
}
