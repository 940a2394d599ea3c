import { serviceNow } from '../api/service-time.ts'
import { Status } from '../parts/values.tsx'
import { methodName, schemeName } from '../transactions/words.ts'

/** What is known of a card, an account or another way to pay, wherever it is shown. */
type Known = { readonly method: string; readonly scheme: string | null; readonly label: string | null }

/** The mark of the card scheme and the last digits, or the name of another method. */
export function Instrument({ of: one }: { readonly of: Known }) {
  if (one.scheme === null) return <>{instrumentText(one)}</>
  return (
    <span className="paid-with">
      <img
        src={`/assets/card-schemes/${one.scheme}.svg`}
        alt={schemeName(one.scheme)}
        width="27"
        height="18"
      />
      {one.label && <span className="number">•••• {one.label}</span>}
    </span>
  )
}

export function instrumentText({ method, scheme, label }: Known): string {
  if (scheme !== null) return label ? `${schemeName(scheme)} •••• ${label}` : schemeName(scheme)
  return label ? `${methodName(method)} ${label}` : methodName(method)
}

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
