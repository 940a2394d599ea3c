import type { ReactNode } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { dateFormat } from '../parts/locale.ts'
import { Empty, Problem } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'
import { clockText, exactClockText, exactText } from '../parts/values.tsx'
import { useDeliveries } from './deliveries.ts'
import { type Moment, momentsOf } from './moments.ts'

type Transaction = Schemas['Transaction']

/** Everything that happened to a payment, newest first, from wherever it is recorded. */
export function Timeline({
  of: it,
  everyMs,
}: {
  readonly of: Transaction
  readonly everyMs: number | false
}) {
  const { moments, error, retry } = useMoments(it, everyMs)
  if (error) return <Problem error={error} retry={retry} />
  if (moments.length === 0) return <Empty title="No events" />
  return (
    <ol className="timeline">
      {moments.map((moment, index) => (
        <Station key={moment.id} moment={moment} isNewDay={isOtherDay(moment.at, moments[index - 1]?.at)} />
      ))}
    </ol>
  )
}

function Station({ moment, isNewDay }: { readonly moment: Moment; readonly isNewDay: boolean }): ReactNode {
  const { at, title, text, tone, to } = moment
  const reaches = useReach()
  return (
    <li className={tone}>
      <div>
        <b>
          {to && reaches(to) ? (
            <Link to={to} className="text-link">
              {title}
            </Link>
          ) : (
            title
          )}
        </b>
        {text && <p>{text}</p>}
      </div>
      <time dateTime={at} title={`${exactText(at)} (${exactClockText(at)})`}>
        {isNewDay && <small>{DAY.format(new Date(at))}</small>}
        {clockText(at)}
      </time>
    </li>
  )
}

const DAY = dateFormat({ month: 'short', day: 'numeric', year: 'numeric' })

function isOtherDay(at: string, before: string | undefined): boolean {
  return before === undefined || new Date(at).toDateString() !== new Date(before).toDateString()
}

/** Reads all that is recorded, each from its own list. What the user may not see is left out. */
function useMoments(it: Transaction, everyMs: number | false) {
  const may = useMay()
  const path = { path: { transaction_id: it.id }, everyMs }
  const events = useRead('GET /transactions/{transaction_id}/events', { ...path, query: { limit: 100 } })
  const attempts = useRead('GET /transactions/{transaction_id}/attempts', path)
  const captures = useRead('GET /transactions/{transaction_id}/captures', path)
  const refunds = useRead('GET /transactions/{transaction_id}/refunds', path)
  const money = { ...path, isWanted: it.settled || it.disputed }
  const settlements = useRead('GET /transactions/{transaction_id}/settlements', money)
  const refundSettlements = useRead('GET /transactions/{transaction_id}/refund-settlements', money)
  const chargebacks = useRead('GET /transactions/{transaction_id}/chargebacks', money)
  const reversals = useRead('GET /transactions/{transaction_id}/chargeback-reversals', money)
  const deliveries = useDeliveries(it.id, may('webhook-deliveries.read') && may('events.read'))
  const all = [events, attempts, captures, refunds, settlements, refundSettlements, chargebacks, reversals]
  const failed = all.find(({ error, data }) => error && !data)
  const moments = momentsOf(it, {
    events: events.data?.items ?? [],
    attempts: attempts.data?.items ?? [],
    captures: captures.data?.items ?? [],
    refunds: refunds.data?.items ?? [],
    settlements: settlements.data?.items ?? [],
    refundSettlements: refundSettlements.data?.items ?? [],
    chargebacks: chargebacks.data?.items ?? [],
    reversals: reversals.data?.items ?? [],
    deliveries,
  })
  return { moments, error: failed?.error, retry: () => void failed?.refetch() }
}
