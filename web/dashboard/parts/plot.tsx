import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../shell/theme.ts'
import { type Drawing, scaleText, stepText, valueText } from './series.ts'

type Props = Drawing & { readonly caption: string; readonly height: number }

/** What is marked, and where it is in the drawing. */
type Mark = { readonly index: number; readonly left: number; readonly isRight: boolean }

/**
 * The canvas of a chart. It does not follow style sheets, so colours are read from the page, again after a change of theme.
 * Pointer and arrow keys mark a time; what it has is shown beside it, and read out.
 */
export function Plot({ caption, height, ...drawing }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const [mark, setMark] = useState<Mark>()
  const marked = useRef(mark)
  marked.current = mark
  const kept = useRef<string>(undefined)
  const { shown: theme } = useTheme()
  const latest = useRef(drawing)
  latest.current = drawing
  const { times, series, step, top } = drawing
  const content = JSON.stringify([times, series, step, top])
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when what it shows changes, or the theme and with it the colours
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const made = draw(element, latest, { height, onMark: setMark })
    plot.current = made
    // A person who reads by keyboard stays at their time when new values come. Scales are ready in the next step.
    const at = element === document.activeElement ? kept.current : undefined
    if (at !== undefined) queueMicrotask(() => plot.current === made && markAt(made, lastUntil(times, at)))
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      kept.current = times[marked.current?.index ?? -1]
      setMark(undefined)
    }
  }, [content, height, theme])
  const hide = () => plot.current?.setCursor({ left: -10, top: -10 })
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide()
    const last = times.length - 1
    const from = mark?.index ?? last + 1
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (next === undefined || !plot.current) return
    event.preventDefault()
    markAt(plot.current, Math.max(0, Math.min(last, next)))
  }
  const index = mark?.index ?? times.length - 1
  return (
    <div className="plot">
      {/* The canvas has no text: a slider over its times reads them out. */}
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={caption}
        aria-roledescription="chart"
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={spoken(drawing, index)}
        onKeyDown={move}
        onBlur={hide}
      />
      {mark && <Tip drawing={drawing} mark={mark} />}
    </div>
  )
}

function Tip({ drawing, mark }: { readonly drawing: Drawing; readonly mark: Mark }) {
  const { times, step, series, format } = drawing
  return (
    <div className={`tip ${mark.isRight ? 'left' : ''}`} style={{ insetInlineStart: `${mark.left}px` }}>
      <b>{stepText(times[mark.index] ?? '', step)}</b>
      <dl>
        {series.map(({ label, tone, values, times: own }) => (
          <div key={label}>
            <dt>
              <i className={`line ${tone}`} />
              {own?.[mark.index] ? stepText(own[mark.index] ?? '', step) : label}
            </dt>
            <dd>{valueText(values[mark.index], format)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function spoken({ times, step, series, format }: Drawing, index: number): string {
  const time = times[index]
  if (time === undefined) return 'No values'
  const values = series.map(({ label, values: own }) => `${label} ${valueText(own[index], format)}`)
  return `${stepText(time, step)}: ${values.join(', ')}`
}

type Ways = { readonly height: number; readonly onMark: (mark: Mark | undefined) => void }
type Latest = { readonly current: Drawing }

function draw(element: HTMLElement, latest: Latest, { height, onMark }: Ways): uPlot {
  const { times, series, top } = latest.current
  const seconds = times.map((time) => Date.parse(time) / 1000)
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [12, 26, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { y: { range: (_plot, _min, max) => [0, top ?? (max > 0 ? max * 1.06 : 1)] } },
      axes: axesOf(element, latest, seconds),
      series: [{}, ...series.map(({ tone }) => lineOf(element, tone))],
      hooks: { setCursor: [(plot) => onMark(markOf(plot))] },
    },
    [seconds, ...series.map(({ values }) => [...values])],
    element,
  )
}

function markAt(plot: uPlot, index: number): void {
  const at = plot.data[0][index]
  if (at !== undefined) plot.setCursor({ left: plot.valToPos(at, 'x'), top: 0 })
}

/** The place of the last of these times that is not after another one. They are in order. */
function lastUntil(times: readonly string[], at: string): number {
  return Math.max(
    0,
    times.findLastIndex((time) => Date.parse(time) <= Date.parse(at)),
  )
}

function markOf({ cursor, data, over, valToPos }: uPlot): Mark | undefined {
  const { idx: index } = cursor
  const at = typeof index === 'number' ? data[0][index] : undefined
  if (typeof index !== 'number' || at === undefined || (cursor.left ?? -1) < 0) return undefined
  const within = valToPos(at, 'x')
  return { index, left: over.offsetLeft + within, isRight: within > over.clientWidth / 2 }
}

function lineOf(element: HTMLElement, tone: Drawing['series'][number]['tone']): uPlot.Series {
  const token = { accent: '--accent', bad: '--bad', mute: '--ink-3' }[tone]
  return {
    stroke: colourOf(element, `var(${token})`),
    width: tone === 'accent' ? 2 : 1.5,
    points: { size: 5 },
    ...(tone === 'accent'
      ? { fill: colourOf(element, `color-mix(in srgb, var(${token}) 11%, transparent)`) }
      : { dash: [4, 4], points: { show: false } }),
  }
}

/** Wide enough for a label of the scale at the bottom. */
const LABEL_PX = 66
const EVERY = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 56, 91, 182]
const WHOLE = Array.from({ length: 14 }, (_none, zeros) => [1, 2, 5].map((one) => one * 10 ** zeros)).flat()
const SHARES = [0.1, 0.2, 0.25, 0.5]

function axesOf(element: HTMLElement, latest: Latest, seconds: readonly number[]): uPlot.Axis[] {
  const { step, top } = latest.current
  const common = {
    stroke: colourOf(element, 'var(--ink-3)'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    ticks: { show: false },
  }
  return [
    {
      ...common,
      grid: { show: false },
      size: 30,
      gap: 8,
      space: LABEL_PX,
      values: (_plot, at) => at.map((second) => scaleText(new Date(second * 1000), step)),
      // At values, not between them: a day begins where the zone says. Minutes have gaps.
      ...(step !== 'minute' && { splits: (plot) => fitting(seconds, plot.width / LABEL_PX) }),
    },
    {
      ...common,
      grid: { stroke: colourOf(element, 'var(--line)'), width: 1 },
      incrs: top === 1 ? SHARES : WHOLE,
      size: (_plot, values) => Math.max(0, ...(values ?? []).map((text) => text.length)) * 7 + 18,
      values: (_plot, at) => at.map((value) => latest.current.formatShort(value)),
    },
  ]
}

function fitting(seconds: readonly number[], room: number): number[] {
  const every = EVERY.find((one) => seconds.length / one <= room) ?? seconds.length
  return seconds.filter((_second, index) => index % every === 0)
}

/** A colour as the browser computes it. A custom property would come out as it is written, with both themes in it. */
function colourOf(element: HTMLElement, colour: string): string {
  const before = element.style.color
  element.style.color = colour
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}
