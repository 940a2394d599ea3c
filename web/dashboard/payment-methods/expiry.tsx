import { serviceNow } from '../api/service-time.ts'
import { Status } from '../parts/values.tsx'

/** Until when a card can be used. One that is past says so. */
export function Expiry({ of: date }: { readonly of: string | null }) {
  if (date === null) return null
  if (!isPast(date, serviceNow())) return <span className="number">{date}</span>
  return <Status tone="mute">Expired {date}</Status>
}

/** `MM/YY`: a card can be used until the end of its month. */
function isPast(date: string, now: Date): boolean {
  const [month = 1, year = 99] = date.split('/').map(Number)
  return new Date(2000 + year, month, 1).getTime() <= now.getTime()
}
