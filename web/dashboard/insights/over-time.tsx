import { Chart, columnsOf } from '../parts/chart.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { downloadCsv } from '../parts/list/table.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { type Drawing, valueText } from '../parts/series.ts'
import { Change } from './change.tsx'
import { listOf } from './drill-down.ts'
import { type Span, spanBefore, spanText, stepOf } from './span.ts'
import type { Asked } from './use-question.ts'
import { type Line, lineOf, useTotals } from './use-totals.ts'

/** The metric in sum and over time, beside the time before. */
export function OverTime({ asked }: { readonly asked: Asked }) {
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
          <Change metric={measure.metric} now={now} before={before} />
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
