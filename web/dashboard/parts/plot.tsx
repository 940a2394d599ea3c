import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../shell/theme.ts'
import type { Series } from './series.ts'

type Props = {
  readonly times: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly height: number
}

/** The canvas of a chart. It does not follow style sheets, so colours are read from the page, again after a change of theme. */
export function Plot({ times, series, format, height }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { shown: theme } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when the theme, and with it the colours, change
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const plot = new uPlot(
      optionsOf({ element, series, format, height }),
      [times.map((time) => Date.parse(time) / 1000), ...series.map(({ values }) => [...values])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series, format, height, theme])
  return <div ref={place} />
}

type Drawing = Omit<Props, 'times'> & { readonly element: HTMLElement }

function optionsOf({ element, series, format, height }: Drawing): uPlot.Options {
  const line = colourOf(element, '--line')
  const axis = {
    stroke: colourOf(element, '--ink-3'),
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  return {
    width: element.clientWidth,
    height,
    legend: { show: series.length > 1, live: true },
    cursor: { points: { size: 6 } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 64, values: (_plot, values) => values.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label, tone }) => ({
        label,
        stroke: colourOf(element, tone === 'mute' ? '--ink-3' : `--${tone}`),
        width: 1.75,
        points: { show: false },
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  }
}

/** A colour as the browser computes it. A custom property would come out as it is written, with both themes in it. */
function colourOf(element: HTMLElement, name: string): string {
  const before = element.style.color
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}
