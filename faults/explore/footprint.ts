/*
 * What a step touches, and which steps of two actors can change places without a difference. Pruning rests on this alone, so it errs
 * on the safe side: a table that is not named here stops the program.
 */

/** Tables whose rows decide what happens next. A statement on one of them is a step. */
export const MOVING = [
  'transactions',
  'transaction_documents',
  'transaction_marks',
  'transaction_statuses',
  'transaction_updates',
  'transaction_captures',
  'transaction_cards',
  'refunds',
  'attempts',
  'attempt_orders',
  'idempotency_keys',
  'payment_links',
  'payment_link_times',
  'payment_link_marks',
  'checkout_sessions',
  'checkout_pages',
  'card_declines',
  'held_notifications',
  'vault.items',
] as const

/** Rows with ids of their own that are only added, and that no step reads. Two additions can change places. */
const APPENDED = [
  'transaction_events',
  'events',
  'webhook_deliveries',
  'audit_logs',
  'audit_waiting',
  'exchanges',
  'api_logs',
  'service_outcomes',
  'rate_limits',
  'service_scores',
  'api_key_pairs',
  'payment_facts_pending',
] as const

export type Footprint = {
  /** What a plain read sees: what is committed. */
  readonly reads: ReadonlySet<string>
  /** Rows that are changed or locked. Others who want them wait. */
  readonly locks: ReadonlySet<string>
  /** What others see changed, or can lock, from this step on. */
  readonly releases: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
/** The books of the provider, which calls change. */
export const CALL: Footprint = { reads: NONE, locks: new Set(['books']), releases: new Set(['books']) }

/** A transaction of a connection, as far as it has come. */
export type Open = { readonly locked: Set<string> }

const WORD = /"?([a-z_]+(?:"?\."?[a-z_]+)?)"?/
const FROM = new RegExp(String.raw`\b(?:from|join)\s+(?:only\s+)?${WORD.source}`, 'gi')
const WRITES = new RegExp(
  String.raw`\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?${WORD.source}`,
  'gi',
)
const NOT_TABLES =
  /^(set|unnest|lateral|json_to_recordset|jsonb_to_recordset|generate_series|pg_.*|of|skip|nowait|w\d+)$/i

/** What a statement touches, given the transaction in which it runs. Null: it is no step. */
export function footprintOf(text: string, open: Open | undefined, keys: readonly string[]): Footprint | null {
  if (/^\s*(begin|start transaction|set|show)\b/i.test(text)) return null
  if (/^\s*(commit|rollback)\b/i.test(text)) {
    const locked = open?.locked ?? NONE
    return locked.size === 0 ? null : { reads: NONE, locks: NONE, releases: new Set(locked) }
  }
  const written = tablesIn(text, WRITES)
  const read = tablesIn(text, FROM)
  const isLocking = /\bfor (no key )?(update|share|key share)\b/i.test(text)
  const locks = named(new Set([...written, ...(isLocking ? read : [])]), keys)
  const reads = named(read, keys)
  if (locks.size === 0 && reads.size === 0) return null
  // What the transaction has locked already, it only goes on with.
  const fresh = open ? new Set([...locks].filter((one) => !open.locked.has(one))) : locks
  return { reads, locks: fresh, releases: open ? NONE : locks }
}

function tablesIn(text: string, pattern: RegExp): Set<string> {
  const found = new Set<string>()
  const own = new Set(
    [...text.matchAll(/\b([a-z_][a-z_0-9]*)\s+as\s+(?:materialized\s+|not materialized\s+)?\(/gi)].map(
      ([, name = '']) => name,
    ),
  )
  for (const [, name = ''] of text.matchAll(pattern)) {
    const table = name.replaceAll('"', '')
    if (NOT_TABLES.test(table) || own.has(table)) continue
    found.add(table)
  }
  return found
}

/** Keeps the tables that move. Rows of keys are apart by their keys. */
function named(tables: ReadonlySet<string>, keys: readonly string[]): Set<string> {
  const moving = [...tables].filter((table) => (MOVING as readonly string[]).includes(table))
  return new Set(
    moving.flatMap((table) =>
      table === 'idempotency_keys' && keys.length > 0 ? keys.map((key) => `${table} ${key}`) : [table],
    ),
  )
}

/** Tables that are written and that this file does not know. */
export function unknownTables(text: string): string[] {
  const known: readonly string[] = [...MOVING, ...APPENDED]
  return [...tablesIn(text, WRITES)].filter((table) => !known.includes(table))
}

export function isDurable({ releases }: Footprint): boolean {
  return releases.size > 0
}

/** Whether two steps of different actors have the same effect in either order. */
export function areIndependent(one: Footprint, other: Footprint): boolean {
  return !(
    meet(one.reads, other.releases) ||
    meet(other.reads, one.releases) ||
    meet(one.locks, other.locks) ||
    meet(one.locks, other.releases) ||
    meet(other.locks, one.releases)
  )
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const one of some)
    if (
      others.has(one) ||
      (one.startsWith('idempotency_keys') && others.has('idempotency_keys')) ||
      (one === 'idempotency_keys' && [...others].some((x) => x.startsWith('idempotency_keys')))
    )
      return true
  return false
}
