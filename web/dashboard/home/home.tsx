import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import type { Search } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay, useMe, useNow } from '../api/me.ts'
import {
  ChangeMark,
  countText,
  dayFrom,
  formatOf,
  lineOf,
  type Measure,
  rateText,
  type Span,
  spanOf,
  startOfDay,
  useModule,
  useTotals,
  weekBefore,
} from '../insights/metrics.tsx'
import { Chart } from '../parts/chart.tsx'
import { Button, Icon, type IconName, Link, LinkButton } from '../parts/controls.tsx'
import type { Query } from '../parts/list/filters.ts'
import { Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'
import { valueText } from '../parts/series.ts'
import { moneyText, type Tone, When } from '../parts/values.tsx'
import { FirstSteps } from './first-steps.tsx'
import './home.css'

/** What needs a person, and how today goes. */
function Home() {
  const may = useMay()
  const now = useNow()
  const isPaying = useIsPaying(may('transactions.read'))
  const steps = useSteps(isPaying)
  const mayCount = may('metrics-explorer.read')
  const mayLook = may('attention.read')
  const firstSteps = steps.areShown && (
    <FirstSteps hasPayments={isPaying === true} onDismiss={steps.dismiss} />
  )
  return (
    <Page title="Home">
      <div className="stack home">
        {isPaying === false && firstSteps}
        {mayLook && <Attention />}
        {isPaying !== false && mayCount && now && <Today now={now} />}
        {isPaying && firstSteps}
        {!mayLook && !mayCount && (
          <Notice tone="info" title="Nothing to show for your roles">
            Use the navigation to open the pages you have access to.
          </Notice>
        )}
      </div>
    </Page>
  )
}

/** Whether the merchant account has any payment. Undefined: not known yet, or not for this person to know. */
function useIsPaying(isWanted: boolean): boolean | undefined {
  const newest = useRead('GET /transactions', { query: { limit: 1 }, isWanted })
  return newest.data && newest.data.items.length > 0
}

const DISMISSED = 'switchyard.first-steps'

/** The first steps stay until there is a payment; in a sandbox, which is soon filled with payments, until dismissed. */
function useSteps(isPaying: boolean | undefined) {
  const { environment } = useMe()
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null)
  return {
    areShown: isPaying === false || (isPaying === true && environment === 'sandbox' && !isDismissed),
    dismiss: () => {
      localStorage.setItem(DISMISSED, 'true')
      setDismissed(true)
    },
  }
}

export const pages = { '/': Home }

const COUNT: Pick<Measure, 'source' | 'metric'> = { source: 'authorization', metric: 'transactions' }
const RATE: Pick<Measure, 'source' | 'metric'> = { source: 'authorization', metric: 'auth_rate' }
const VOLUME: Pick<Measure, 'source' | 'metric'> = { source: 'authorization', metric: 'volume' }
const APPROVED = { authorized: ['true'] }

/** Of more, the page would be a table: Insights has that. */
const CURRENCIES_MAX = 3

const WEEKDAY = new Intl.DateTimeFormat('en', { weekday: 'long' })

/** What was approved today, against the same hours of the same weekday a week ago. On a day without payments: the week. */
function Today({ now }: { readonly now: Date }) {
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

function Tiles({ span, period, then }: Props) {
  return (
    <dl className="tiles">
      <Tile
        label="Approved payments"
        measure={COUNT}
        span={span}
        query={APPROVED}
        then={then}
        format={countText}
      />
      <Tile label="Approval rate" measure={RATE} span={span} then={then} format={rateText} />
      <Volumes span={span} period={period} then={then} />
    </dl>
  )
}

/** One for each currency: amounts of several are never added up. */
function Volumes({ span, period, then }: Props) {
  const used = useModule('currency', { measure: COUNT, span, query: APPROVED })
  const usedBefore = useModule('currency', { measure: COUNT, span: weekBefore(span), query: APPROVED })
  const all = [...new Set([...(used.data ?? []), ...(usedBefore.data ?? [])].map(({ key }) => key))]
  return (
    <>
      {all.slice(0, CURRENCIES_MAX).map((currency) => (
        <Tile
          key={currency}
          label={`Volume, ${currency}`}
          measure={VOLUME}
          span={span}
          query={{ ...APPROVED, currency: [currency] }}
          then={then}
          format={(value) => moneyText(value, currency)}
        />
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

type TileProps = Pick<Props, 'span' | 'then'> & {
  readonly label: string
  readonly measure: Pick<Measure, 'source' | 'metric'>
  readonly query?: Query
  readonly format: (value: number) => string
}

function Tile({ label, measure, span, query = {}, then, format }: TileProps) {
  // Undefined: on its way. Null: no payment to take a rate of.
  const now = useTotals({ measure, span, query }).data?.summary.current.value
  const before = useTotals({ measure, span: weekBefore(span), query }).data?.summary.current.value
  return (
    <div className="tile">
      <dt>{label}</dt>
      <dd>
        <strong className="number">{now === undefined ? '' : valueText(now, format)}</strong>
        <span>
          <ChangeMark metric={measure.metric} now={now} before={before} />
          <small>{thenText({ before, then, format })}</small>
        </span>
      </dd>
    </div>
  )
}

type Then = Pick<TileProps, 'then' | 'format'> & { readonly before: number | null | undefined }

function thenText({ before, then, format }: Then): string {
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

type Item = Schemas['AttentionItem']

/** What waits for a person, the most urgent first. Each leads to where it is dealt with. */
function Attention() {
  const attention = useRead('GET /attention', {})
  return (
    <Section
      title="Needs attention"
      isFlush
      actions={
        attention.data && (
          <>
            <small className="quiet-text">
              Checked <When at={attention.data.checked_at} />
            </small>
            <Button
              tone="quiet"
              icon="sync"
              aria-label="Refresh"
              disabled={attention.isFetching}
              onClick={() => void attention.refetch()}
            />
          </>
        )
      }
    >
      <Loaded of={attention}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing />
          ) : (
            <ul className="needs">
              {items.map((item) => (
                <Need key={`${item.kind} ${item.path}`} item={item} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function Nothing() {
  return (
    <div className="no-need">
      <Icon name="check" />
      <div>
        <h3>All clear</h3>
        <p>No open reviews or chargebacks, no stuck payments, and everything is running.</p>
      </div>
    </div>
  )
}

function Need({ item }: { readonly item: Item }) {
  const isInReach = useReach()
  const { icon, tone, title, text } = KINDS[item.kind]
  const place = placeOf(item)
  const content = (
    <>
      <span className={`need-icon ${tone}`}>
        <Icon name={icon} />
      </span>
      <span className="need-text">
        <b>{title(item.count, item.has_more)}</b>
        <small>{text}</small>
      </span>
      <span className="need-count">
        <b className="number">{countOf(item)}</b>
        <small>
          {item.count > 1 && (item.due_at ? 'the first ' : 'the oldest ')}
          {item.due_at && (item.kind === 'expiring_certificates' ? 'expires ' : 'due ')}
          <When at={item.due_at ?? item.oldest_at} />
        </small>
      </span>
    </>
  )
  return (
    <li>
      {place && isInReach(place.to) ? (
        <Link to={place.to} search={place.search} className="need">
          {content}
          <Icon name="next" />
        </Link>
      ) : (
        <div className="need">{content}</div>
      )}
    </li>
  )
}

type Place = { readonly to: string; readonly search: Search }

/**
 * Where the dashboard shows what an item names. The server gives the operation that lists it; a list of the dashboard has
 * filters of the same names.
 */
function placeOf(item: Item): Place | null {
  const place = PLACES[item.kind]?.(item)
  return typeof place === 'string' ? { to: place, search: {} } : (place ?? null)
}

/** The one that is meant, or the list of all. */
const oneOr =
  (list: string) =>
  ({ ids }: Item) =>
    ids.length === 1 ? `${list}/${ids[0]}` : list

const PLACES: Readonly<Partial<Record<Item['kind'], (item: Item) => string | Place>>> = {
  pending_reviews: () => ({ to: '/transactions', search: { pending_review: 'true' } }),
  stuck_payments: ({ query }) => ({
    to: '/transactions',
    search: { status: 'processing', created_at: `..${String(query['created_at_lte'])}` },
  }),
  unresolvable_attempts: ({ path }) => path,
  open_chargebacks: () => ({ to: '/chargebacks', search: { status: 'open' } }),
  disputes_to_answer: oneOr('/disputes'),
  open_incidents: oneOr('/monitoring/incidents'),
  failing_webhooks: (item) => ({ to: `/developers/webhooks/${idIn(item)}`, search: { status: 'waiting' } }),
  undelivered_events: (item) => ({ to: `/developers/webhooks/${idIn(item)}`, search: { status: 'parked' } }),
  page_findings: () => '/settings/pages',
  expiring_certificates: (item) => `/digital-wallets/${idIn(item)}`,
  unverified_services: oneOr('/payment-services'),
  disabled_services: oneOr('/payment-services'),
  unused_keys: oneOr('/developers/keys'),
  failing_report_feeds: () => '/payment-service-reports',
  unmatched_report_lines: (item) => ({
    to: /^[/]payment-service-reports[/]./.test(item.path)
      ? `/payment-service-reports/${idIn(item)}`
      : '/payment-service-reports',
    search: { matched: 'false' },
  }),
}

function idIn({ path }: Item): string {
  return path.split('/')[2] ?? ''
}

type Kind = {
  readonly icon: IconName
  /** What may be lost is `bad`; what only waits is `wait` or `info`. */
  readonly tone: Extract<Tone, 'bad' | 'wait' | 'info'>
  readonly title: (count: number, hasMore: boolean) => string
  /** What to do. */
  readonly text: string
}

const counted = (one: string, many: string) => (count: number, hasMore: boolean) =>
  count === 1 && !hasMore ? one : many

const KINDS: Readonly<Record<Item['kind'], Kind>> = {
  pending_reviews: {
    icon: 'shield',
    tone: 'info',
    title: counted('A payment awaits review', 'Payments await review'),
    text: 'Accept or reject it. The buyer is waiting.',
  },
  unresolvable_attempts: {
    icon: 'alert',
    tone: 'bad',
    title: counted('A payment with an unknown outcome', 'Payments with an unknown outcome'),
    text: 'Check it at the provider, then sync the payment.',
  },
  stuck_payments: {
    icon: 'clock',
    tone: 'wait',
    title: counted('A payment has been processing for long', 'Payments have been processing for long'),
    text: 'More than five minutes. Sync it to ask the provider again.',
  },
  open_chargebacks: {
    icon: 'dispute',
    tone: 'bad',
    title: counted('A chargeback may need your answer', 'Chargebacks may need your answer'),
    text: 'The buyer’s bank has taken the money. Open it and answer before its deadline: here, or at the payment service and noted here.',
  },
  disputes_to_answer: {
    icon: 'dispute',
    tone: 'wait',
    title: counted('A dispute can be answered', 'Disputes can be answered'),
    text: 'The buyer’s bank asks, announces a chargeback or disputes your answer. Answer before the deadline.',
  },
  open_incidents: {
    icon: 'monitor',
    tone: 'bad',
    title: counted('A monitor has an open incident', 'Monitors have open incidents'),
    text: 'The approval rate is out of bounds. See when, and for which payments.',
  },
  failing_webhooks: {
    icon: 'webhook',
    tone: 'bad',
    title: counted('A webhook takes nothing', 'Webhooks take nothing'),
    text: 'Every attempt fails. See what the receiver answers, and mend it: events wait for six days.',
  },
  undelivered_events: {
    icon: 'webhook',
    tone: 'bad',
    title: counted('An event was not delivered', 'Events were not delivered'),
    text: 'A webhook receiver did not accept them. Fix it, then replay them.',
  },
  page_findings: {
    icon: 'alert',
    tone: 'bad',
    title: counted('A payment page was changed', 'Payment pages were changed'),
    text: 'The last integrity check found a difference.',
  },
  expiring_certificates: {
    icon: 'key',
    tone: 'wait',
    title: counted('A certificate expires soon', 'Certificates expire soon'),
    text: 'Request a new one, and add it to the wallet in time.',
  },
  unverified_services: {
    icon: 'service',
    tone: 'wait',
    title: counted('A payment service is not verified', 'Payment services are not verified'),
    text: 'Check its credentials. It takes no payments until they work.',
  },
  disabled_services: {
    icon: 'service',
    tone: 'info',
    title: counted('A payment service is disabled', 'Payment services are disabled'),
    text: 'Enable it, or delete it if you no longer need it.',
  },
  unused_keys: {
    icon: 'key',
    tone: 'info',
    title: counted('An API key is unused', 'API keys are unused'),
    text: 'For 90 days. Disable it if nothing needs it.',
  },
  failing_report_feeds: {
    icon: 'settlement',
    tone: 'wait',
    title: counted('Settlement files cannot be fetched', 'Settlement files cannot be fetched'),
    text: 'The service does not provide its files. We retry every hour.',
  },
  unmatched_report_lines: {
    icon: 'settlement',
    tone: 'wait',
    title: counted('A settlement line matches no payment', 'Settlement lines match no payment'),
    text: 'Start with the oldest file, and check what the provider paid or kept.',
  },
}

/** The server counts to a hundred. */
function countOf({ count, has_more }: Pick<Item, 'count' | 'has_more'>): string {
  return has_more ? `${count}+` : String(count)
}
