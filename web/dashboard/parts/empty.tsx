import type { ReactNode } from 'react'

type Props = {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Nothing to show: one sentence that says what would be here, and what to do. */
export function Empty({ title, children, action }: Props) {
  return (
    <div className="empty">
      <svg viewBox="0 0 96 40" width="96" height="40" aria-hidden="true" className="empty-track">
        <path d="M4 30h88M14 30c26 0 24-20 50-20h20" />
        <circle cx="84" cy="10" r="3" />
        <circle cx="92" cy="30" r="3" />
      </svg>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}
