import { type ReactNode, useEffect } from 'react'
import { lastSearchAt, useAddress } from '../address.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

type Props = {
  readonly title: string
  /** What stands in place of the title, when it is more than text. */
  readonly heading?: ReactNode
  /** Where the page belongs: its list. */
  readonly back?: { readonly to: string; readonly label: string }
  /** One line under the title. */
  readonly under?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, heading, back, under, actions, children }: Props) {
  const { search } = useAddress()
  useEffect(() => {
    document.title = `${title} – Switchyard`
  }, [title])
  return (
    <>
      {back && (
        <Link to={back.to} search={lastSearchAt(back.to, search)} className="crumb">
          <Icon name="back" />
          {back.label}
        </Link>
      )}
      <header className="head">
        <div className="head-text">
          <h1>{heading ?? title}</h1>
          {under && <div className="under">{under}</div>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** Two columns: what happened, and the facts beside it. One below the other where there is no room. */
export function Columns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className="columns">
      <div className="stack">{main}</div>
      <div className="stack">{side}</div>
    </div>
  )
}
