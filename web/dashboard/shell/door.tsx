import { type ReactNode, useEffect } from 'react'
import { Logo } from './logo.tsx'

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
