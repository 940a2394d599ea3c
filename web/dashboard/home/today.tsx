import { Change } from '../insights/change.tsx'
import { countText, formatOf, type Measure, rateText } from '../insights/metrics.ts'
import { dayFrom, type Span, spanOf, startOfDay, weekBefore } from '../insights/span.ts'
import { lineOf, useModule, useTotals } from '../insights/use-totals.ts'
import { Chart } from '../parts/chart.tsx'
import { LinkButton } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { valueText } from '../parts/series.ts'
import { moneyText } from '../parts/values.tsx'

const COUNT: Pick<Measure, 'source' | 'metric'> = { source: 'authorization', metric: 'transactions' }
const RATE: Pick<Measure, 'source' | 'metric'> = { source: 'authorization', metric: 'auth_rate' }
const VOLUME: Pick<Measure, 'source' | 'metric'> = { source: 'authorization', metric: 'volume' }
const APPROVED = { authorized: ['true'] }

/** Of more, the page would be a table: Insights has that. */
const CURRENCIES_MAX = 3

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long' })

/** What was approved today, against the same hours of the same weekday a week ago. On a day without payments: the week. */
export function Today({ now }: { readonly now: Date }) {
  // The end of the last minute of a day is the next one.
  const today = { from: startOfDay(new Date(now.getTime() - 1)), to: now }
  const tried = useTotals({ measure: COUNT, span: today })
  const week = spanOf('7d', now)
  if (tried.data?.summary.current.value === 0 && week) return <Week week={week} />
  const weekday = WEEKDAY.format(today.from)
  return (
    <Section title="Today" actions={<MoreInInsights period="today" />}>
      <p className="quiet-text today-says">Compared with last {weekday}, up to the same time.</p>
      <Tiles span={today} period="today" then={`last ${weekday}`} />
      <ByHour today={today} weekday={weekday} />
    </Section>
  )
}

function Week({ week }: { readonly week: Span }) {
  return (
    <Section title="Last 7 days" actions={<MoreInInsights period="7d" />}>
      <p className="quiet-text today-says">No payments today. Compared with the previous 7 days.</p>
      <Tiles span={week} period="7d" then="the week before" />
    </Section>
  )
}

function MoreInInsights({ period }: { readonly period: string }) {
  return (
    <LinkButton tone="quiet" to="/insights" search={{ period }}>
      More in Insights
    </LinkButton>
  )
}

type Props = {
  readonly span: Span
  /** The name of the span in the address of Insights. */
  readonly period: string
  /** What it is compared with: “last Friday”. */
  readonly then: string
}

function Tiles(props: Props) {
  return (
    <dl className="tiles">
      <Approved {...props} />
      <Rate {...props} />
      <Volumes {...props} />
    </dl>
  )
}

function Approved({ span, then }: Props) {
  const now = useTotals({ measure: COUNT, span, query: APPROVED })
  const before = useTotals({ measure: COUNT, span: weekBefore(span), query: APPROVED })
  return (
    <Tile
      label="Approved payments"
      metric="transactions"
      now={now.data?.summary.current.value}
      before={before.data?.summary.current.value}
      then={then}
      format={countText}
    />
  )
}

function Rate({ span, then }: Props) {
  const now = useTotals({ measure: RATE, span })
  const before = useTotals({ measure: RATE, span: weekBefore(span) })
  return (
    <Tile
      label="Approval rate"
      metric="auth_rate"
      now={now.data?.summary.current.value}
      before={before.data?.summary.current.value}
      then={then}
      format={rateText}
    />
  )
}

/** One for each currency: amounts of several are never added up. */
function Volumes(props: Props) {
  const { span, period } = props
  const used = useModule('currency', { measure: COUNT, span, query: APPROVED })
  const usedBefore = useModule('currency', { measure: COUNT, span: weekBefore(span), query: APPROVED })
  const all = [...new Set([...(used.data ?? []), ...(usedBefore.data ?? [])].map(({ key }) => key))]
  return (
    <>
      {all.slice(0, CURRENCIES_MAX).map((currency) => (
        <Volume key={currency} {...props} currency={currency} />
      ))}
      {all.length > CURRENCIES_MAX && (
        <div className="tile">
          <dt>Other currencies</dt>
          <dd>
            <LinkButton to="/insights" search={{ period, by: 'currency', authorized: 'true' }}>
              {all.length - CURRENCIES_MAX} more
            </LinkButton>
          </dd>
        </div>
      )}
    </>
  )
}

function Volume({ span, then, currency }: Props & { readonly currency: string }) {
  const query = { ...APPROVED, currency: [currency] }
  const now = useTotals({ measure: VOLUME, span, query })
  const before = useTotals({ measure: VOLUME, span: weekBefore(span), query })
  return (
    <Tile
      label={`Volume, ${currency}`}
      metric="volume"
      now={now.data?.summary.current.value}
      before={before.data?.summary.current.value}
      then={then}
      format={(value) => moneyText(value, currency)}
    />
  )
}

type TileProps = {
  readonly label: string
  readonly metric: Measure['metric']
  /** Undefined: on its way. Null: no payment to take a rate of. */
  readonly now: number | null | undefined
  readonly before: number | null | undefined
  readonly then: string
  readonly format: (value: number) => string
}

function Tile({ label, metric, now, before, then, format }: TileProps) {
  return (
    <div className="tile">
      <dt>{label}</dt>
      <dd>
        <strong className="number">{now === undefined ? '' : valueText(now, format)}</strong>
        <span>
          <Change metric={metric} now={now} before={before} />
          <small>{thenText({ before, then, format })}</small>
        </span>
      </dd>
    </div>
  )
}

function thenText({ before, then, format }: Pick<TileProps, 'before' | 'then' | 'format'>): string {
  if (before === undefined) return ''
  return before === null ? `no payments ${then}` : `${format(before)} ${then}`
}

/** Today so far, and the whole of the day a week ago: what may still come. */
function ByHour({ today, weekday }: { readonly today: Span; readonly weekday: string }) {
  const then = dayFrom(weekBefore(today).from)
  const now = useTotals({ measure: COUNT, span: today, query: APPROVED })
  const before = useTotals({ measure: COUNT, span: then, query: APPROVED })
  return (
    <Loaded of={before}>
      {(earlier) => {
        const line = lineOf(earlier, { span: then, step: 'hour' })
        const current = now.data?.series.current.values ?? []
        // The hours are those of today: the same places in both days.
        const times = line.times.map((_time, hour) =>
          new Date(today.from.getTime() + hour * 3_600_000).toISOString(),
        )
        return (
          <Chart
            caption="Approved payments by hour"
            {...formatOf('transactions', undefined)}
            height={200}
            step="hour"
            times={times}
            series={[
              { label: 'Today', tone: 'accent', values: times.map((_time, hour) => current[hour] ?? null) },
              { label: `Last ${weekday}`, tone: 'mute', times: line.times, values: line.values },
            ]}
          />
        )
      }}
    </Loaded>
  )
}
