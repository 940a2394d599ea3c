import { Nullable } from '#platform/http/schemas.ts'
import { type TSchema, Type } from '#platform/http/type.ts'
import { connectionOptions, payoutOptions } from '#processing/connectors.ts'

/** Read once: no connector is added after the service is loaded. */
const CONNECTION_OPTIONS = connectionOptions()
const PAYOUT_OPTIONS = payoutOptions()

/** Whether there is a connector of this id that takes options. */
export function hasOptions(id: string): boolean {
  return CONNECTION_OPTIONS.has(id)
}

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
  return othersIn(CONNECTION_OPTIONS, named)
}

export function payoutOptionsOfOthers(named: Readonly<Record<string, TSchema>>): Record<never, TSchema> {
  return othersIn(PAYOUT_OPTIONS, named)
}

function othersIn(
  blocks: ReadonlyMap<string, object>,
  named: Readonly<Record<string, TSchema>>,
): Record<never, TSchema> {
  const others = [...blocks.keys()].filter((id) => !Object.hasOwn(named, id))
  return Object.fromEntries(others.map((id) => [id, blockIn(blocks, id)]))
}
