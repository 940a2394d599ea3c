type Row = Readonly<Record<string, unknown>>

/** A table whose rules are in a domain (docs/decisions/database-writes.md). */
export type RuledTable = {
  /** A row that the table takes. */
  readonly row: Row
  /** For each rule, changes of that row that break it. */
  readonly rules: Readonly<Record<string, Breaking>>
}
type Breaking = {
  /** Each change breaks the rule. A rule of several parts has one change for each part. */
  readonly changes: readonly Row[]
  /** Rules that every such row breaks, too. They are taken off, so that this rule is what refuses the row. */
  readonly without?: readonly string[]
}

export function breaks(...changes: Row[]): Breaking {
  return { changes }
}

export const ID = '01900000-0000-7000-8000-00000000000a'
export const TIME = '2026-11-17T12:00:00.000Z'
export const BYTES = String.raw`\x00`
