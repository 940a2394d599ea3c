import { type ReactNode, useId } from 'react'
import { useAddress } from '../address.ts'
import { Link } from '../parts/controls.tsx'
import type { Option } from '../parts/fields.tsx'
import type { Step } from '../parts/series.ts'
import { MEASURES } from './metrics.ts'
import { daysOf, PERIODS, stepsOf } from './span.ts'
import type { Asked } from './use-question.ts'

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
export function Measures({ measure }: Pick<Asked, 'measure'>) {
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
export function Controls({ measure, period, span, step, isCompared, currency, currencies }: Asked) {
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

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
}

export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
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

function Labelled({
  label,
  children,
}: {
  readonly label: string
  readonly children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <span className="control">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  )
}

function daysText(from: Date, to: Date): string {
  return `${dayText(from)}..${dayText(new Date(to.getTime() - 1))}`
}

function dayText(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
