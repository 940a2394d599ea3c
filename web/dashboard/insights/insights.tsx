import { useState } from 'react'
import { useAddress } from '../address.ts'
import { useNow } from '../api/me.ts'
import { Chart, columnsOf } from '../parts/chart.tsx'
import { Button, Link, LinkButton } from '../parts/controls.tsx'
import { Choice, Labelled } from '../parts/labelled.tsx'
import { FilterBar } from '../parts/list/filter-bar.tsx'
import { type Column, column, downloadCsv, Table } from '../parts/list/table.tsx'
import { Empty, EmptyCard, Loaded, Page, Problem, Section, Waiting } from '../parts/page.tsx'
import { type Drawing, type Step, valueText } from '../parts/series.ts'
import {
  ChangeMark,
  countText,
  daysOf,
  type Line,
  lineOf,
  MEASURES,
  PERIODS,
  type Span,
  spanBefore,
  spanText,
  stepOf,
  stepsOf,
  useModule,
  useTotals,
} from './metrics.tsx'
import { type Asked, BREAKDOWNS, breakdownsOf, filterNameOf, listOf, NUL, useAsked } from './question.ts'
import { Saved } from './saved.tsx'
import './insights.css'

/** Questions about payments: the address is the question, so that it can be kept and sent. */
function Insights() {
  const now = useNow()
  return (
    <Page title="Insights" actions={now && <Saved now={now} />}>
      {now && <Explorer now={now} />}
    </Page>
  )
}

function Explorer({ now }: { readonly now: Date }) {
  const { change } = useAddress()
  const { isRight, ...asked } = useAsked(now)
  return (
    <>
      <Measures measure={asked.measure} />
      <Controls {...asked} />
      <div className="list-bar">
        <FilterBar filters={asked.filters} />
      </div>
      {!isRight ? (
        <EmptyCard
          title="Choose dates"
          action={<Button onClick={() => change({ period: undefined })}>Show the last 7 days</Button>}
        >
          The first day must not be after the last, nor in the future.
        </EmptyCard>
      ) : asked.measure.metric === 'volume' && asked.currency === undefined ? (
        <NoCurrency problem={asked.currencyProblem} />
      ) : (
        <div className="stack">
          <OverTime asked={asked} />
          <Breakdown asked={asked} />
        </div>
      )}
    </>
  )
}

/** A volume is of one currency. Without payments, there is none to choose. */
function NoCurrency({ problem }: { readonly problem: 'loading' | Error | undefined }) {
  if (problem === 'loading') return <Waiting />
  return (
    <div className="card">
      {problem ? (
        <Problem error={problem} />
      ) : (
        <Empty title="No payments in this period">Choose a longer period.</Empty>
      )}
    </div>
  )
}

export const pages = { '/': Insights }

const STEPS: Readonly<Record<Step, string>> = {
  minute: 'By minute',
  hour: 'By hour',
  day: 'By day',
  week: 'By week',
  month: 'By month',
}

/** Stands for dates that the person chooses. */
const DATES = 'dates'

/** Metric. A volume begins with approved payments, as a filter that people see and can remove. */
function Measures({ measure }: Pick<Asked, 'measure'>) {
  const { search } = useAddress()
  const approved = { authorized: search['authorized'] ?? 'true' }
  return (
    <nav className="views" aria-label="Metric">
      {MEASURES.map(({ id, label, metric }) => (
        <Link
          key={id}
          to="."
          search={{ ...search, ...(metric === 'volume' && approved), metric: id }}
          className={id === measure.id ? 'view shown' : 'view'}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** When, how finely, in which currency, and whether to compare. */
function Controls({ measure, period, span, step, isCompared, currency, currencies }: Asked) {
  const { change } = useAddress()
  const isOwn = period.includes('..')
  return (
    <div className="controls">
      <Choice
        label="Period"
        value={isOwn ? DATES : period}
        options={[
          ...PERIODS,
          ...(isOwn || PERIODS.some(({ value }) => value === period)
            ? []
            : [{ value: period, label: period }]),
          { value: DATES, label: 'Choose dates…' },
        ]}
        onChoose={(value) => change({ period: value === DATES ? daysText(span.from, span.to) : value })}
      />
      {isOwn && <Dates period={period} />}
      <Choice
        label="Step"
        value={step}
        options={stepsOf(span).map((value) => ({ value, label: STEPS[value] }))}
        onChoose={(each) => change({ each })}
      />
      {measure.metric === 'volume' && currencies.length > 0 && (
        <Choice
          label="Currency"
          value={currency ?? ''}
          options={currencies.map((value) => ({ value, label: value }))}
          onChoose={(value) => change({ currency: value })}
        />
      )}
      <label className="control-check">
        <input
          type="checkbox"
          checked={isCompared}
          onChange={({ target }) => change({ compare: target.checked ? undefined : 'no' })}
        />
        Compare with previous period
      </label>
    </div>
  )
}

/** Days, which may still be wrong while a person types: the page then says what is missing. */
function Dates({ period }: { readonly period: string }) {
  const { change } = useAddress()
  const [first, last] = daysOf(period)
  const set = (from: string, to: string) => change({ period: `${from}..${to}` })
  return (
    <>
      <Labelled label="From">
        {(id) => (
          <input id={id} type="date" value={first} onChange={({ target }) => set(target.value, last)} />
        )}
      </Labelled>
      <Labelled label="To">
        {(id) => (
          <input id={id} type="date" value={last} onChange={({ target }) => set(first, target.value)} />
        )}
      </Labelled>
    </>
  )
}

function daysText(from: Date, to: Date): string {
  return `${dayText(from)}..${dayText(new Date(to.getTime() - 1))}`
}

function dayText(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** The metric in sum and over time, beside the time before. */
function OverTime({ asked }: { readonly asked: Asked }) {
  const { measure, span, step, isCompared } = asked
  const now = useLine(asked, span, true)
  const before = useLine(asked, spanBefore(span), isCompared)
  const list = listOf(asked.chosen, span, measure.source === 'authentication')
  const drawing = now.line && drawingOf(asked, now.line, isCompared ? before.line : undefined)
  return (
    <Section
      title={nameOf(asked)}
      actions={
        list && (
          <LinkButton tone="quiet" to="/transactions" search={list}>
            Show the payments
          </LinkButton>
        )
      }
    >
      <Loaded of={now.total}>
        {({ summary }) => (
          <>
            <Figure
              asked={asked}
              now={summary.current.value}
              before={isCompared ? before.total.data?.summary.current.value : undefined}
            />
            {drawing && <Chart caption={`${measure.label} by ${step}`} {...drawing} />}
            <div className="under-chart">
              <p>
                {spanText(span)}. {measure.says}
              </p>
              <Button
                tone="quiet"
                icon="download"
                aria-label="Download the numbers over time as CSV"
                disabled={!drawing}
                onClick={() =>
                  drawing &&
                  downloadCsv(`${measure.id}-over-time`, columnsOf(drawing), [...drawing.times.keys()])
                }
              >
                CSV
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </Section>
  )
}

type FigureProps = {
  readonly asked: Asked
  readonly now: number | null
  /** Undefined: it is not compared, or not known yet. */
  readonly before: number | null | undefined
}

function Figure({ asked: { measure, span, format }, now, before }: FigureProps) {
  return (
    <p className="figure">
      <strong>{valueText(now, format.format)}</strong>
      {before !== undefined && (
        <>
          <ChangeMark metric={measure.metric} now={now} before={before} />
          <small>
            {valueText(before, format.format)} in {spanText(spanBefore(span))}
          </small>
        </>
      )}
    </p>
  )
}

/** A rate of a week or a month needs to know how many payments its days had. */
function useLine({ measure, step, query }: Asked, span: Span, isWanted: boolean) {
  const isMean = measure.metric === 'auth_rate' && step !== stepOf(span)
  const total = useTotals({ measure, span, query, isWanted })
  const payments = useTotals({
    measure: { source: measure.source, metric: 'transactions' },
    span,
    query,
    isWanted: isWanted && isMean,
  })
  const isKnown = total.data && (!isMean || payments.data)
  return {
    total,
    line: isKnown
      ? lineOf(total.data, { span, step, weights: isMean ? payments.data : undefined })
      : undefined,
  }
}

function drawingOf(asked: Asked, { times, values }: Line, before: Line | undefined): Drawing {
  const current = { label: nameOf(asked), tone: 'accent', values } as const
  // The same place in its own period. Where this one has a day more, that day has no partner.
  const earlier = before && {
    label: 'Before',
    tone: 'mute' as const,
    times: before.times,
    values: times.map((_time, index) => before.values[index] ?? null),
  }
  return { ...asked.format, times, step: asked.step, series: earlier ? [current, earlier] : [current] }
}

function nameOf({ measure, currency }: Asked): string {
  return currency ? `${measure.label} in ${currency}` : measure.label
}

/** A value of the field that the metric is broken down by. */
type Row = {
  readonly id: string
  readonly name: string
  readonly value: number | null
  /** Null: it was not there before. Undefined: it is not compared. */
  readonly before: number | null | undefined
  /** How many payments a rate is of. */
  readonly payments: number | undefined
  /** Of the largest, from 0 to 1. */
  readonly share: number
}

const FEW = 12

/** The metric for each value of a field. A row leads to its payments, or narrows the question to itself. */
function Breakdown({ asked }: { readonly asked: Asked }) {
  const { measure, by, chosen, span } = asked
  const { change } = useAddress()
  const [isWhole, setWhole] = useState(false)
  const { rows, error, retry, isLoading } = useRows(asked)
  const columns = breakdownColumns(asked, (value) => change({ [filterNameOf(by)]: value }))
  const listFor = ({ id }: Row) =>
    listOf({ ...chosen, [filterNameOf(by)]: [id] }, span, measure.source === 'authentication')
  return (
    <Section
      title="Breakdown"
      isFlush
      actions={
        <>
          <Choice
            label="By"
            value={by}
            options={breakdownsOf(measure)}
            onChoose={(value) => change({ by: value })}
          />
          <Button
            tone="quiet"
            icon="download"
            aria-label="Download the breakdown as CSV"
            disabled={rows.length === 0}
            onClick={() => downloadCsv(`${measure.id}-by-${by}`, columns, rows)}
          >
            CSV
          </Button>
        </>
      }
    >
      {error ? (
        <Problem error={error} retry={retry} />
      ) : !isLoading && rows.length === 0 ? (
        <p className="nothing">No payments in this period. Choose a longer one, or remove a filter.</p>
      ) : (
        <>
          <Table
            label="Breakdown: rows"
            columns={columns}
            rows={isWhole ? rows : rows.slice(0, FEW)}
            to={(row) => {
              const search = listFor(row)
              return search ? { to: '/transactions', search } : null
            }}
            isLoading={isLoading}
            skeletonRows={4}
          />
          {!isWhole && rows.length > FEW && (
            <p className="more-rows">
              <Button tone="quiet" onClick={() => setWhole(true)}>
                Show all {rows.length}
              </Button>
            </p>
          )}
        </>
      )}
    </Section>
  )
}

function useRows({ measure, by, span, query, isCompared }: Asked) {
  const isRate = measure.metric === 'auth_rate'
  const now = useModule(by, { measure, span, query })
  const before = useModule(by, { measure, span: spanBefore(span), query, isWanted: isCompared })
  const payments = useModule(by, {
    measure: { source: measure.source, metric: 'transactions' },
    span,
    query,
    isWanted: isRate,
  })
  const earlier = new Map((isCompared ? before.data : undefined)?.map(({ key, value }) => [key, value]))
  const counts = new Map((isRate ? payments.data : undefined)?.map(({ key, value }) => [key, value]))
  const most = isRate ? 1 : Math.max(1, ...(now.data ?? []).map(({ value }) => value ?? 0))
  const rows = (now.data ?? []).map(
    ({ key, display_name, value }): Row => ({
      id: key,
      name: display_name,
      value,
      before: isCompared && before.data ? (earlier.get(key) ?? null) : undefined,
      payments: counts.get(key) ?? undefined,
      share: Math.max(0, (value ?? 0) / most),
    }),
  )
  return { rows, error: now.error, retry: () => void now.refetch(), isLoading: !now.data }
}

function breakdownColumns(
  { measure, by, format, isCompared }: Asked,
  narrow: (value: string) => void,
): Column<Row>[] {
  const isRate = measure.metric === 'auth_rate'
  const plain = (value: number | null | undefined) =>
    value === null || value === undefined ? null : (format.plain?.(value) ?? value)
  const field = BREAKDOWNS.find(({ value }) => value === by)?.label ?? by
  return [
    column('name', field, { look: 'clip', text: 'name' }),
    column('share', 'Share', {
      from: 'tablet',
      cell: ({ share }) => (
        <span className="share" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </span>
      ),
    }),
    column('value', measure.label, {
      isNumber: true,
      cell: ({ value }) => valueText(value, format.format),
      text: ({ value }) => plain(value),
    }),
    ...(isRate ? [PAYMENTS] : []),
    ...(isCompared
      ? [
          column('before', 'Before', {
            isNumber: true,
            from: 'tablet',
            cell: ({ before }: Row) => valueText(before, format.format),
            text: ({ before }: Row) => plain(before),
          }),
          column('change', 'Change', {
            isNumber: true,
            cell: ({ value, before }: Row) => (
              <ChangeMark metric={measure.metric} now={value} before={before} isPlain={!isRate} />
            ),
          }),
        ]
      : []),
    column('narrow', 'Filter', {
      isNumber: true,
      cell: ({ id, name }) =>
        id !== NUL && (
          <span className="row-actions">
            <Button tone="quiet" icon="filter" aria-label={`Only ${name}`} onClick={() => narrow(id)} />
          </span>
        ),
    }),
  ]
}

const PAYMENTS: Column<Row> = column('payments', 'Payments', {
  isNumber: true,
  from: 'tablet',
  cell: ({ payments }) => valueText(payments, countText),
  text: 'payments',
})
