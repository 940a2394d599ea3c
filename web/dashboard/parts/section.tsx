import { type ReactNode, useId } from 'react'

type Props = {
  readonly title: string
  readonly actions?: ReactNode
  /** The content touches the border: a table. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

export function Section({ title, actions, isFlush, children }: Props) {
  const id = useId()
  return (
    <section className={`card ${isFlush ? 'flush' : ''}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
