import { changeOf, type Measure } from './metrics.ts'

type Props = {
  readonly metric: Measure['metric']
  readonly now: number | null | undefined
  readonly before: number | null | undefined
  /** More is neither better nor worse, as of payments that were refused for one reason. */
  readonly isPlain?: boolean
}

/** Up or down, by shape and sign as well as by colour. */
export function Change({ metric, now, before, isPlain }: Props) {
  const change = changeOf(metric, now, before)
  if (!change) return null
  return (
    <span className={isPlain ? 'change' : `change ${change.direction}`}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <path d={{ up: 'M5 2 9 8H1z', down: 'M5 8 1 2h8z', same: 'M1 4h8v2H1z' }[change.direction]} />
      </svg>
      {change.text}
    </span>
  )
}
