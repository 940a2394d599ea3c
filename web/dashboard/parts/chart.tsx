import { lazy, Suspense } from 'react'
import type { Series } from './series.ts'

type Props = {
  /** What the chart shows, in one sentence: it is read out in place of the drawing. */
  readonly caption: string
  /** ISO times, in order. */
  readonly times: readonly string[]
  readonly series: readonly Series[]
  /** How a value is written: 12, 88.5 %, $23.00. */
  readonly format?: (value: number) => string
  readonly height?: number
}

const Plot = lazy(() => import('./plot.tsx').then(({ Plot: component }) => ({ default: component })))

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A drawing over time, and the same numbers as a table. Values of several currencies never share a chart. */
export function Chart({ caption, times, series, format = String, height = 220 }: Props) {
  return (
    <figure className="chart">
      <div style={{ minHeight: `${height}px` }} aria-hidden="true">
        <Suspense fallback={null}>
          <Plot times={times} series={series} format={format} height={height} />
        </Suspense>
      </div>
      <figcaption>{caption}</figcaption>
      <details>
        <summary>The numbers as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
        <section className="table-scroll" tabIndex={0} aria-label={caption}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" className="numeric">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, index) => (
                <tr key={time}>
                  <td>{DAY.format(new Date(time))}</td>
                  {series.map(({ label, values }) => (
                    <td key={label} className="numeric">
                      {written(values[index], format)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

function written(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}
