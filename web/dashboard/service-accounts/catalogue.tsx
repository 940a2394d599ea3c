import { useState } from 'react'
import { Icon, Link } from '../parts/controls.tsx'
import { Empty } from '../parts/page.tsx'
import './service-accounts.css'

type Definition = {
  readonly id: string
  readonly display_name: string
  /** One line: what it can do. */
  readonly note: string
}

type Props = { readonly definitions: readonly Definition[]; readonly path: string }

/** The providers that can be connected, by name. */
export function Catalogue({ definitions, path }: Props) {
  const [sought, setSought] = useState('')
  const shown = definitions
    .filter(({ id, display_name }) => `${display_name} ${id}`.toLowerCase().includes(sought.toLowerCase()))
    .toSorted((one, other) => one.display_name.localeCompare(other.display_name, 'en'))
  return (
    <>
      {definitions.length > 6 && (
        <div className="list-bar">
          <label className="search-box">
            <Icon name="search" />
            <input
              type="search"
              aria-label="Find a provider or a method"
              placeholder="Find a provider or a method…"
              value={sought}
              onChange={({ target }) => setSought(target.value)}
            />
          </label>
        </div>
      )}
      {shown.length === 0 ? (
        <div className="card">
          <Empty title="No matching provider">Search by provider or payment method.</Empty>
        </div>
      ) : (
        <ul className="catalogue">
          {shown.map(({ id, display_name, note }) => (
            <li key={id}>
              <Link to={`${path}/new/${id}`} className="card offer">
                <strong>{display_name}</strong>
                <small>{note}</small>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
