import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../database/db.ts'
import { errors, inQuery } from '../http/errors.ts'
import { Nullable } from '../http/schemas.ts'
import { type Static, type TSchema, Type } from '../http/type.ts'

const CURSOR_MAX = 1_000
const MAC_BYTES = 12

export type Page = { readonly limit: number; readonly cursor?: string | undefined }

export type Collection<Item> = {
  readonly items: readonly Item[]
  readonly limit: number
  readonly next_cursor: string | null
  readonly previous_cursor: string | null
}

/** The query parameters that every list takes. */
export function pageParameters(limitMax = 100, limitDefault = 20) {
  return {
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CURSOR_MAX,
        description:
          'A `next_cursor` or `previous_cursor` of an earlier answer. Leave it out for the first page.',
      }),
    ),
    limit: Type.Integer({
      minimum: 1,
      maximum: limitMax,
      default: limitDefault,
      format: 'int32',
      description: 'The number of items on a page.',
    }),
  }
}

export function CollectionOf<Item extends TSchema>(item: Item, title: string, limitMax = 100) {
  const cursor = Nullable(Type.String({ minLength: 1, maxLength: CURSOR_MAX }))
  return Type.Unsafe<Collection<Static<Item>>>(
    Type.Object(
      {
        items: Type.Array(item),
        limit: Type.Integer({ minimum: 1, maximum: limitMax, default: 20 }),
        next_cursor: cursor,
        previous_cursor: cursor,
      },
      { additionalProperties: false, title },
    ),
  )
}

/**
 * A position in a list that is newest first: older or newer than a row, or that row and newer. The last one
 * leads back from an empty page, whose last known row is not on it.
 */
type Position = {
  readonly go: 'older' | 'newer' | 'newer-or-same'
  readonly at: Date
  readonly id: string
}
type Row = { readonly id: string; readonly created_at: Date }

/**
 * What to read for a page: the first `limit` rows after a position, in a direction. `limit` is one more than
 * the page holds.
 */
export type Slice = {
  readonly position: Position | undefined
  readonly direction: 'asc' | 'desc'
  readonly limit: number
}

type List = {
  /** Names the list, so that a cursor of one list does not fit another. */
  readonly name: string
  readonly page: Page
  /** Signs cursors. */
  readonly mac: Context['mac']
}

/** A page of the rows that `read` finds. `platform/listing` has the ways to find them. */
export async function turnPage<Output extends Row, Item>(
  { name, page, mac }: List,
  read: (slice: Slice) => Promise<Output[]>,
  toItem: (row: Output) => Item,
): Promise<Collection<Item>> {
  const position = page.cursor === undefined ? undefined : readCursor(mac, name, page.cursor)
  const isBackward = position !== undefined && position.go !== 'older'
  const direction = isBackward ? 'asc' : 'desc'
  const found = await read({ position, direction, limit: page.limit + 1 })

  const hasMore = found.length > page.limit
  const rows = hasMore ? found.slice(0, page.limit) : found
  if (isBackward) rows.reverse()
  const write = (go: Position['go'], row: Row | undefined): string | null =>
    row ? writeCursor(mac, name, { go, at: row.created_at, id: row.id }) : null
  return {
    items: rows.map(toItem),
    limit: page.limit,
    next_cursor: isBackward || hasMore ? write('older', rows.at(-1)) : null,
    previous_cursor: previousCursor(),
  }

  function previousCursor(): string | null {
    if (!position || (isBackward && !hasMore)) return null
    if (rows.length > 0) return write('newer', rows[0])
    return write('newer-or-same', { created_at: position.at, id: position.id })
  }
}

const GO_LETTERS = { older: 'o', newer: 'n', 'newer-or-same': 's' } as const

function writeCursor(mac: Context['mac'], list: string, { go, at, id }: Position): string {
  const text = `${GO_LETTERS[go]}${at.getTime()}.${id}`
  const signed = mac('cursor', `${list}\n${text}`).subarray(0, MAC_BYTES)
  return Buffer.concat([signed, Buffer.from(text)]).toString('base64url')
}

/** Signed, so that a position always comes from us, for this list. */
function readCursor(mac: Context['mac'], list: string, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const text = bytes.subarray(MAC_BYTES).toString()
  const signed = mac('cursor', `${list}\n${text}`).subarray(0, MAC_BYTES)
  const given = bytes.subarray(0, MAC_BYTES)
  const parts = /^([ons])(-?\d+)[.](.+)$/.exec(text)
  const isOurs =
    given.length === MAC_BYTES && timingSafeEqual(signed, given) && bytes.toString('base64url') === cursor
  if (!isOurs || !parts) {
    const message = 'leave it out to start at the first page: it is not a cursor of this list'
    throw errors.invalid(inQuery('/cursor', 'value_error.str.regex', message))
  }
  const [, letter, ms, id = ''] = parts
  const go = letter === 'o' ? 'older' : letter === 'n' ? 'newer' : 'newer-or-same'
  return { go, at: new Date(Number(ms)), id }
}
