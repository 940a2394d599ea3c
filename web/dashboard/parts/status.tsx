import type { ReactNode } from 'react'

/**
 * `good`: it is done. `info`: it goes on, and a person may act. `wait`: the outcome is not known yet. `bad`: it was refused.
 * `mute`: it is over. What is unknown is `wait`, never `bad`.
 */
export type Tone = 'good' | 'info' | 'wait' | 'bad' | 'mute'

/** Each has a shape of its own, for those who do not see its colour. */
const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'M3 6.3 5.2 8.5 9.2 3.8',
  info: 'M6 5.4v3.3M6 3.3v.1',
  wait: 'M6 3.2V6l1.9 1.2',
  bad: 'M3.6 3.6l4.8 4.8M8.4 3.6 3.6 8.4',
  mute: 'M3.3 6h5.4',
}

export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      {children}
    </span>
  )
}
