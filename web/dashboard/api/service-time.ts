import { useEffect, useState } from 'react'

/** Less is the way of the answer. */
const JUMP_MS = 2_000
const LOOK_MS = 30_000

let aheadMs = 0
const listeners = new Set<() => void>()

/** The clock of a sandbox can be moved. Its answers say what time it is there; others say nothing. */
export function noteServiceTime(text: string | null): void {
  const time = text === null ? Number.NaN : Date.parse(text)
  const ahead = Number.isNaN(time) ? 0 : time - Date.now()
  if (Math.abs(ahead - aheadMs) < JUMP_MS) return
  aheadMs = ahead
  for (const listener of listeners) listener()
}

/** What time it is for the service. */
export function serviceNow(): Date {
  return new Date(Date.now() + aheadMs)
}

/** The same for a page that is left open: it stays true, and follows a clock that is moved. */
export function useServiceNow(): number {
  const [now, setNow] = useState(() => serviceNow().getTime())
  useEffect(() => {
    const look = () => setNow(serviceNow().getTime())
    const timer = setInterval(look, LOOK_MS)
    listeners.add(look)
    return () => {
      clearInterval(timer)
      listeners.delete(look)
    }
  }, [])
  return now
}
