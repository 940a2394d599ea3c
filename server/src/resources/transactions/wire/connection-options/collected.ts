import { type TSchema, Type } from 'typebox'
import { Nullable } from '#platform/schemas.ts'
import { CONNECTION_OPTIONS, PAYOUT_OPTIONS } from '#processing/connectors.ts'

/** The block of a connector. Methods of its provider that have no connector yet take the block of one that is alike. */
export function optionsOf(id: string) {
  return blockIn(CONNECTION_OPTIONS, id)
}

export function payoutOptionsOf(id: string) {
  return blockIn(PAYOUT_OPTIONS, id)
}

function blockIn(blocks: ReadonlyMap<string, object>, id: string) {
  const block = blocks.get(id)
  if (!block) throw new Error(`the connector ${id} has no such options`)
  return Nullable(Type.Unsafe<Record<string, unknown>>({ ...block }))
}

/** The blocks of connectors that a list does not name. */
export function optionsOfOthers(named: Readonly<Record<string, TSchema>>): Record<never, TSchema> {
  const others = [...CONNECTION_OPTIONS.keys()].filter((id) => !(id in named))
  return Object.fromEntries(others.map((id) => [id, optionsOf(id)]))
}
