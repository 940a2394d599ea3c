import { lazy, Suspense, useState } from 'react'
import { column } from '../parts/list/table.tsx'
import { type Column, Table } from './list/table.tsx'
import { type Drawing, type Series, stepText, valueText } from './series.ts'

type Props = Drawing & {
  /** What the chart shows, in a few words: it is read out in place of the drawing. */
  readonly caption: string
  readonly height?: number
}

const Plot = lazy(() => import('./plot.tsx').then(({ Plot: component }) => ({ default: component })))

/** A drawing over time, and the same numbers as a table. Values of several currencies never share a chart. */
export function Chart({ caption, height = 240, ...drawing }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <figure className="chart">
      {drawing.series.length > 1 && <Legend series={drawing.series} />}
      <div className="chart-place" style={{ minHeight: `${height}px` }}>
        <Suspense fallback={null}>
          <Plot {...drawing} caption={caption} height={height} />
        </Suspense>
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>The numbers as a table</summary>
        {isOpen && (
          <Table
            label={caption}
            columns={columnsOf(drawing)}
            rows={drawing.times.map((_time, index) => index)}
          />
        )}
      </details>
    </figure>
  )
}

function Legend({ series }: Pick<Drawing, 'series'>) {
  return (
    <ul className="legend" aria-hidden="true">
      {series.map(({ label, tone }) => (
        <li key={label}>
          <i className={`line ${tone}`} />
          {label}
        </li>
      ))}
    </ul>
  )
}

/** The columns of the numbers of a chart, for a table and for a CSV file. A row is the place of a time. */
export function columnsOf({ times, step, series, format, plain }: Drawing): readonly Column<number>[] {
  return [
    column('time', 'Time', {
      cell: (index) => stepText(times[index] ?? '', step),
      text: (index: number) => times[index],
    }),
    ...series.map(({ label, values }: Series) =>
      column<number>(label, label, {
        isNumber: true,
        cell: (index) => valueText(values[index], format),
        text: (index: number) => plainText(values[index], plain),
      }),
    ),
  ]
}

function plainText(value: number | null | undefined, plain: Drawing['plain']): string | number | null {
  return value === null || value === undefined ? null : (plain?.(value) ?? value)
}
