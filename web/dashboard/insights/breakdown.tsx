import { useState } from 'react'
import { useAddress } from '../address.ts'
import { Button } from '../parts/controls.tsx'
import { type Column, downloadCsv, Table } from '../parts/list/table.tsx'
import { Problem, Section } from '../parts/page.tsx'
import { valueText } from '../parts/series.ts'
import { Change } from './change.tsx'
import { Choice } from './controls.tsx'
import { listOf, NUL } from './drill-down.ts'
import { BREAKDOWNS, breakdownsOf, filterNameOf } from './fields.ts'
import { countText } from './metrics.ts'
import { spanBefore } from './span.ts'
import type { Asked } from './use-question.ts'
import { useModule } from './use-totals.ts'

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
export function Breakdown({ asked }: { readonly asked: Asked }) {
  const { measure, by, chosen, span } = asked
  const { change } = useAddress()
  const [isWhole, setWhole] = useState(false)
  const { rows, error, retry, isLoading } = useRows(asked)
  const columns = columnsOf(asked, (value) => change({ [filterNameOf(by)]: value }))
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

function columnsOf(
  { measure, by, format, isCompared }: Asked,
  narrow: (value: string) => void,
): Column<Row>[] {
  const isRate = measure.metric === 'auth_rate'
  const plain = (value: number | null | undefined) =>
    value === null || value === undefined ? null : (format.plain?.(value) ?? value)
  const field = BREAKDOWNS.find(({ value }) => value === by)?.label ?? by
  return [
    { id: 'name', title: field, look: 'clip', text: ({ name }) => name },
    {
      id: 'share',
      title: 'Share',
      from: 'tablet',
      cell: ({ share }) => (
        <span className="share" aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </span>
      ),
    },
    {
      id: 'value',
      title: measure.label,
      isNumber: true,
      cell: ({ value }) => valueText(value, format.format),
      text: ({ value }) => plain(value),
    },
    ...(isRate ? [PAYMENTS] : []),
    ...(isCompared
      ? [
          {
            id: 'before',
            title: 'Before',
            isNumber: true,
            from: 'tablet',
            cell: ({ before }: Row) => valueText(before, format.format),
            text: ({ before }: Row) => plain(before),
          } as const,
          {
            id: 'change',
            title: 'Change',
            isNumber: true,
            cell: ({ value, before }: Row) => (
              <Change metric={measure.metric} now={value} before={before} isPlain={!isRate} />
            ),
          } as const,
        ]
      : []),
    {
      id: 'narrow',
      title: 'Filter',
      isNumber: true,
      cell: ({ id, name }) =>
        id !== NUL && (
          <span className="row-actions">
            <Button tone="quiet" icon="filter" aria-label={`Only ${name}`} onClick={() => narrow(id)} />
          </span>
        ),
    },
  ]
}

const PAYMENTS: Column<Row> = {
  id: 'payments',
  title: 'Payments',
  isNumber: true,
  from: 'tablet',
  cell: ({ payments }) => valueText(payments, countText),
  text: ({ payments }) => payments,
}
