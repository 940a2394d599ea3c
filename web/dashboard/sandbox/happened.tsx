import { useAddress, valuesOf } from '../address.ts'
import { useRead } from '../api/client.ts'
import { EventName } from '../events/list.tsx'
import { Link } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { exactText, When } from '../parts/values.tsx'

const MOST = 100

/** What fell due while the clock moved: the events of that time, by name. */
export function Happened() {
  const { search } = useAddress()
  const [from] = valuesOf(search, 'from')
  const [to] = valuesOf(search, 'to')
  if (!from || !to || Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) return null
  return <OnTheWay from={from} to={to} />
}

function OnTheWay({ from, to }: { readonly from: string; readonly to: string }) {
  const events = useRead('GET /events', {
    query: { created_at_gte: from, created_at_lte: to, limit: MOST },
  })
  return (
    <Section title="What happened on the way">
      <p className="quiet-text">
        From {exactText(from)} to {exactText(to)}, in this merchant account.
      </p>
      <Loaded of={events}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="nothing-due">Nothing.</p>
          ) : (
            <ul className="entries fell-due">
              {[...Map.groupBy(items, ({ name }) => name)].map(([name, all]) => (
                <li key={name}>
                  <EventName name={name} />
                  <span className="number">
                    {all.length === 1
                      ? 'once'
                      : `${items.length === MOST ? 'at least ' : ''}${all.length} times`}
                  </span>
                  <span className="quiet-text">{all[0] && <When at={all[0].created_at} />}</span>
                  <Link
                    to={all.length === 1 ? `/developers/events/${all[0]?.id}` : '/developers/events'}
                    search={all.length === 1 ? {} : { name, created_at: `${dayOf(from)}..${dayOf(to)}` }}
                    className="text-link"
                  >
                    Show
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

/** As the filter of a list writes it, in the zone of the person. */
function dayOf(at: string): string {
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
