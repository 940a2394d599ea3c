import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { Popover } from '../popover.tsx'
import type { Column } from './table.tsx'

type Shown<Row> = {
  readonly columns: readonly Column<Row>[]
  /** None: those that the page shows by itself. */
  readonly choose: (ids: readonly string[]) => void
}

/** The columns that a person has chosen. The browser remembers them. */
export function useColumns<Row>(name: string, all: readonly Column<Row>[]): Shown<Row> {
  const key = `switchyard.columns.${name}`
  const [chosen, setChosen] = useState(() => remembered(key))
  const columns = all.filter(({ id, isExtra }) => (chosen ? chosen.includes(id) : !isExtra))
  return {
    // A column that was chosen may be gone since.
    columns: columns.length > 0 ? columns : all.filter(({ isExtra }) => !isExtra),
    choose: (ids) => {
      localStorage.setItem(key, JSON.stringify(ids))
      setChosen(ids.length > 0 ? ids : undefined)
    },
  }
}

function remembered(key: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(value) ? value.map(String) : undefined
  } catch {
    return undefined
  }
}

export function ColumnChoice<Row>({
  all,
  columns,
  choose,
}: Shown<Row> & { readonly all: readonly Column<Row>[] }) {
  const ids = columns.map(({ id }) => id)
  const button = (
    <>
      <Icon name="columns" />
      Columns
    </>
  )
  return (
    <Popover className="button quiet" button={button} side="end">
      {() => (
        <fieldset className="editor">
          <legend>Columns</legend>
          <div className="checks">
            {all.map(({ id, title }, index) => (
              <label key={id}>
                <input
                  type="checkbox"
                  // The first leads to the detail.
                  disabled={index === 0}
                  checked={ids.includes(id)}
                  onChange={({ target }) =>
                    choose(target.checked ? [...ids, id] : ids.filter((one) => one !== id))
                  }
                />
                {title}
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Popover>
  )
}
