import { useState } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import { type Search, useAddress, valuesOf } from '../../address.ts'
import { useReadAll } from '../../api/read.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Menu, type MenuItem, Popover } from '../popover.tsx'
import { describeFilter, type Filter } from './filters.ts'
import { isShown } from './quick-views.tsx'
import { ACTS, type Act } from './saved-view-acts.tsx'
import { searchFrom, viewFrom } from './view-address.ts'

export type SavedView = Schemas['SavedView']

/** The address names the view that was opened, so that it can be changed. */
const OPENED = 'view'

/** The user's own views of a list, and those that others share, oldest first. */
export function useSavedViews(resource: string | undefined): readonly SavedView[] {
  const { data = [] } = useReadAll('GET /saved-views', {
    query: { resource },
    isWanted: resource !== undefined,
  })
  return data.toReversed()
}

/** Where a view leads. */
export function addressOf(view: SavedView, filters: readonly Filter[]): Search {
  return { ...searchFrom(filters, view), [OPENED]: view.id }
}

type Props = {
  readonly resource: string
  readonly views: readonly SavedView[]
  readonly filters: readonly Filter[]
  /** The columns that are shown. */
  readonly columns: readonly string[]
}

/** Keeps what is shown under a name. Of a view that was opened: what can be done with it. */
export function SavedViewTools({ resource, views, filters, columns }: Props) {
  const { search, change } = useAddress()
  const [act, setAct] = useState<Act>()
  const opened = views.find(({ id }) => id === valuesOf(search, OPENED)[0])
  const isChanged =
    opened !== undefined &&
    !(isShown(searchFrom(filters, opened), filters, search) && hasColumns(opened, columns))
  const Dialog = act && ACTS[act]
  return (
    <>
      {opened ? (
        <Popover className="button quiet" side="end" label={`View: ${opened.name}`} button={<Label />}>
          {(close) => <Menu items={itemsFor(opened, isChanged, setAct)} close={close} />}
        </Popover>
      ) : (
        <Button
          tone="quiet"
          icon="view"
          title="Save these filters and columns as a view"
          onClick={() => setAct('new')}
        >
          Save view
        </Button>
      )}
      {Dialog && (
        <Dialog
          view={opened}
          shown={{ resource, ...viewFrom(filters, search), columns: [...columns] }}
          says={wordsFor(filters, search)}
          onOpen={(view) => change(view ? addressOf(view, filters) : { [OPENED]: undefined })}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  )
}

function Label() {
  return (
    <>
      <Icon name="view" />
      View
    </>
  )
}

function itemsFor(
  { is_own }: SavedView,
  isChanged: boolean,
  onChoose: (act: Act) => void,
): readonly MenuItem[] {
  const item = (act: Act, label: string): MenuItem => ({ label, onChoose: () => onChoose(act) })
  return [
    ...(is_own && isChanged ? [item('replace', 'Save the changes')] : []),
    ...(is_own ? [item('edit', 'Rename or share')] : []),
    item('new', 'Save as a new view'),
    ...(is_own ? [item('delete', 'Delete')] : []),
  ]
}

/** A view without columns has those that the page shows by itself. */
function hasColumns(view: SavedView, columns: readonly string[]): boolean {
  return view.columns.length === 0 || columns.join() === view.columns.join()
}

/** The filters in words. */
function wordsFor(filters: readonly Filter[], search: Search): string {
  const set = filters.flatMap((filter) => {
    const values = valuesOf(search, filter.id)
    return values.length === 0 ? [] : [`${filter.label}: ${describeFilter(filter, values)}`]
  })
  return set.length === 0 ? 'All rows, with the columns shown.' : `${set.join('; ')}.`
}
