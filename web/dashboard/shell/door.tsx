import { type ReactNode, useEffect } from 'react'

type Props = {
  readonly title: string
  /** Over a page, which has a `main` of its own. */
  readonly isOver?: boolean
  readonly children: ReactNode
}

/** A page without the frame: for people who have not signed in. */
export function Door({ title, isOver = false, children }: Props) {
  useEffect(() => {
    if (!isOver) document.title = `${title} – Switchyard`
  }, [title, isOver])
  const Place = isOver ? 'div' : 'main'
  return (
    <Place className="door">
      <div className="card door-card">
        <Logo />
        <h1>{title}</h1>
        {children}
      </div>
    </Place>
  )
}

export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M6 22h20M8 22C16 22 15 11 25 11" />
      </svg>
      <span>Switchyard</span>
    </span>
  )
}
