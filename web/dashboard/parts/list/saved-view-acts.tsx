import type { Schemas } from '../../../api/schema.d.ts'
import { send } from '../../api/client.ts'
import { Ask } from '../ask.tsx'
import type { Field } from '../fields.tsx'

type SavedView = Schemas['SavedView']

type Props = {
  /** The view that was opened. */
  readonly view: SavedView | undefined
  /** What the list shows now. */
  readonly shown: Pick<SavedView, 'resource' | 'query' | 'periods' | 'columns'>
  /** The same in words. */
  readonly says: string
  readonly onOpen: (view: SavedView | undefined) => void
  readonly onClose: () => void
}

const FIELDS: readonly Field[] = [
  { name: 'name', label: 'Name', kind: 'text', isRequired: true },
  {
    name: 'is_shared',
    label: 'Share',
    kind: 'flag',
    hint: 'Everyone with access to this merchant account can see it. Only you can change it.',
  },
]

function SaveNew({ shown, says, onOpen, onClose }: Props) {
  return (
    <Ask
      title="Save this view"
      verb="Save"
      says={says}
      fields={FIELDS}
      send={(body, idempotencyKey) =>
        send('POST /saved-views', {
          body: { ...shown, ...body } as Schemas['SavedViewCreate'],
          idempotencyKey,
        })
      }
      outcome={({ name }) => ({ kind: 'done', title: `${name} was saved` })}
      onDone={onOpen}
      onClose={onClose}
    />
  )
}

function Edit({ view, onClose }: Props) {
  if (!view) return null
  return (
    <Ask
      title={`Rename or share ${view.name}`}
      verb="Save"
      says="The filters and columns stay as they are."
      fields={FIELDS}
      initial={view}
      send={(body) => put(view, body)}
      outcome={({ name }) => ({ kind: 'done', title: `${name} was changed` })}
      onClose={onClose}
    />
  )
}

function Replace({ view, shown: { resource: _same, ...shown }, says, onClose }: Props) {
  if (!view) return null
  return (
    <Ask
      title={`Save changes to ${view.name}`}
      verb="Save"
      says={says}
      send={() => put(view, shown)}
      outcome={({ name }) => ({ kind: 'done', title: `${name} was changed` })}
      onClose={onClose}
    />
  )
}

function Delete({ view, onOpen, onClose }: Props) {
  if (!view) return null
  return (
    <Ask
      title={`Delete the view ${view.name}`}
      verb="Delete"
      isDangerous
      says={
        view.is_shared
          ? 'It is removed for everyone with access to this merchant account. No payment is changed.'
          : 'Only the view is deleted. No payment is changed.'
      }
      send={() => send('DELETE /saved-views/{saved_view_id}', { path: { saved_view_id: view.id } })}
      outcome={() => ({ kind: 'done', title: `${view.name} was deleted` })}
      onDone={() => onOpen(undefined)}
      deletedId={view.id}
      onClose={onClose}
    />
  )
}

function put({ id }: SavedView, body: object) {
  return send('PUT /saved-views/{saved_view_id}', {
    path: { saved_view_id: id },
    body: body as Schemas['SavedViewUpdate'],
  })
}

export const ACTS = { new: SaveNew, edit: Edit, replace: Replace, delete: Delete }
export type Act = keyof typeof ACTS
