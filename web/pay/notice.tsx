import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Props = {
  readonly kind: 'good' | 'wait' | 'bad'
  readonly title: string
  readonly text: string
  readonly children?: ComponentChildren
}

const SIGNS = {
  good: 'M8 16.5l5 5L24 11',
  wait: 'M16 9v7.5l5 3',
  bad: 'M16 9v9M16 22v.5',
} as const

/** What became of a payment: a sign, a word and a sentence. Readers hear it, and keyboards go on from it. */
export function Notice({ kind, title, text, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (title) heading.current?.focus()
  }, [title])
  return (
    <section class={`notice ${kind}`}>
      <svg viewBox="0 0 32 32" width="48" height="48" aria-hidden="true">
        <circle cx="16" cy="16" r="15" />
        <path d={SIGNS[kind]} />
      </svg>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p role="status">{text}</p>
      {children}
    </section>
  )
}
