import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Query = Type.Unsafe<Readonly<Record<string, string | readonly string[]>>>({
  type: 'object',
  maxProperties: 50,
  maxBytes: 8_192,
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 2_000 },
      { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 2_000 } },
    ],
  },
  description:
    'The filters, as the list takes them in its query: a text, or several. Without `cursor` and `limit`.',
})
const BOUND = '\\d{4}-\\d\\d-\\d\\d(T[\\d:.]{5,12}Z)?'
const Periods = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  maxProperties: 10,
  additionalProperties: {
    type: 'string',
    pattern: `^(\\d{1,4}[mhd]|today|yesterday|${BOUND}[.][.](${BOUND})?|[.][.]${BOUND})$`,
    expected: 'a period such as 30m, 24h, 7d, today, yesterday or 2026-11-01..2026-11-16',
  },
  description:
    'Periods that the reader makes into bounds when the view is opened, by the name of a date of the list: `created_at` stands for ' +
    '`created_at_gte` and `created_at_lte`. Minutes, hours or days up to now (`30m`, `24h`, `7d`), `today`, `yesterday`, or two bounds ' +
    '(`2026-11-01..2026-11-16`, one side can be left out): days in the time zone of the reader, or moments.',
})
const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'The columns to show, in their order. Empty: those that the page shows by itself.',
})
const IsShared = Type.Boolean({ description: 'Whether all users of the merchant account see it.' })

export const SavedViewCreate = Strict(
  {
    resource: Type.String({
      maxLength: 50,
      description: 'The list, by the first part of its path, such as `transactions`.',
    }),
    name: Name,
    query: Query,
    periods: Type.Optional(Periods),
    columns: Type.Optional(Columns),
    is_shared: Type.Optional(IsShared),
  },
  {
    title: 'SavedViewCreate',
    examples: [
      {
        resource: 'transactions',
        name: 'Declined today',
        query: { status: ['authorization_declined'], currency: ['EUR'] },
        periods: { created_at: 'today' },
        columns: ['amount', 'status', 'created_at'],
        is_shared: false,
      },
    ],
  },
)
export type SavedViewCreate = Static<typeof SavedViewCreate>

export const SavedViewUpdate = Strict(
  {
    name: Type.Optional(Nullable(Name)),
    query: Type.Optional(Query),
    periods: Type.Optional(Periods),
    columns: Type.Optional(Nullable(Columns)),
    is_shared: Type.Optional(Nullable(IsShared)),
  },
  { title: 'SavedViewUpdate', examples: [{ name: 'Declined in euros' }] },
)
export type SavedViewUpdate = Static<typeof SavedViewUpdate>

export const SavedView = Strict(
  {
    type: Kind('saved-view'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    resource: Type.String(),
    name: Type.String(),
    query: Query,
    periods: Periods,
    columns: Type.Array(Type.String()),
    is_shared: Type.Boolean(),
    is_own: Type.Boolean({ description: 'Whether it is yours. Only its owner can change it.' }),
    owner: Strict({ id: Uuid(), name: Type.String() }, { title: 'SavedViewOwner' }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'SavedView',
    examples: [
      {
        type: 'saved-view',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0041',
        merchant_account_id: 'default',
        resource: 'transactions',
        name: 'Declined today',
        query: { status: ['authorization_declined'] },
        periods: { created_at: 'today' },
        columns: ['amount', 'status', 'created_at'],
        is_shared: true,
        is_own: true,
        owner: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0042', name: 'Mara Lind' },
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type SavedView = Static<typeof SavedView>

export const SavedViews = CollectionOf(SavedView, 'SavedViews')

export const SavedViewFilters = Strict({
  ...pageParameters(),
  resource: Type.Optional(Type.String({ maxLength: 50, description: 'Only views of this list.' })),
  sharing: Type.Optional(OneOf(['own', 'shared'], { description: 'Only yours, or only those of others.' })),
})
export type SavedViewFilters = Static<typeof SavedViewFilters>
