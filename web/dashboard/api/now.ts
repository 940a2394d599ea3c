import { useQuery } from '@tanstack/react-query'
import { send } from './client.ts'
import { useMay, useMe } from './me.ts'

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
