import { hash } from 'node:crypto'
import type pg from 'pg'
import { unpackAnswer } from '#platform/idempotency/idempotency.ts'
import type { Secrets } from '../../server/src/platform/access/secrets.ts'
import { MOVING } from './footprint.ts'

/*
 * What a process that dies leaves behind: rows, the books of the provider, and the answers that callers have. Two deaths that leave
 * the same are followed by the same, so what follows is explored once. Ids, references and sealed bytes differ in each schedule: they
 * are numbered in the order in which they appear, so that what is equal stays equal. A time counts by its distance, in half minutes,
 * from the time at which the schedule stands still.
 */

export const BOOKS = ['simulator.entries', 'simulator.faults', 'simulator.levers', 'simulator.notices']
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g
const TOKEN =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\\x[0-9a-f]{20,}|[A-Za-z0-9_+/=-]{20,}|\b\d{8,}\b/g
const STEP_MS = 30_000
/** Every row that was written since then. */
const ROWS = [...MOVING, ...BOOKS]
  .map(
    (table) =>
      `select '${table} ' || to_jsonb(t)::text as row from ${table} t where xmin::text::bigint >= $1::bigint`,
  )
  .join(' union all ')

export type Left = {
  /** The transaction id of the database when the situation was prepared. */
  readonly since: string
  readonly standsAt: Date
  /** What names this schedule in its requests. */
  readonly order: string
  /** What callers know, and who has still to act. */
  readonly known: readonly string[]
}

/** The plain text of everything that was sealed, because each sealing gives other bytes. */
export type Sealed = Map<string, string>

/** Notes what is sealed from here on. */
export function noteSealed(secrets: Secrets, sealed: Sealed): void {
  const { seal } = secrets
  Object.assign(secrets, {
    seal: (purpose: string, bound: string, plain: string | Buffer): Buffer => {
      const bytes = seal(purpose, bound, plain)
      sealed.set(bytes.toString('hex'), typeof plain === 'string' ? plain : textIn(plain))
      return bytes
    },
  })
}

/** A digest of what is left behind: equal for two deaths only if the same follows. */
export async function stateOf(database: pg.Client, left: Left, sealed: Sealed): Promise<string> {
  return hash('sha256', await describe(database, left, sealed), 'base64')
}

async function describe(
  database: pg.Client,
  { since, standsAt, order, known }: Left,
  sealed: Sealed,
): Promise<string> {
  const { rows } = await database.query<{ row: string }>({ name: 'left behind', text: ROWS, values: [since] })
  const own = rows.map(({ row }) => plain(row))
  const sorted = own.toSorted((one, other) => (blank(one) < blank(other) ? -1 : 1))
  return numbered([...sorted, ...known.map(plain)].join('\n'))

  function plain(text: string): string {
    return text
      .replace(/\\\\x([0-9a-f]+)/g, (whole, hex: string) => sealed.get(hex) ?? whole)
      .replaceAll(order, 'ORDER')
      .replace(TIME, (time) => `T${Math.round((Date.parse(time) - standsAt.getTime()) / STEP_MS)}`)
  }
}

function blank(text: string): string {
  return text.replace(TOKEN, '')
}

function numbered(text: string): string {
  const numbers = new Map<string, number>()
  return text.replace(TOKEN, (token) => {
    const number = numbers.get(token) ?? numbers.size
    numbers.set(token, number)
    return `#${number}`
  })
}

/** Answers are packed before they are sealed. */
function textIn(bytes: Buffer): string {
  try {
    return unpackAnswer(bytes)
  } catch {
    return bytes.toString('base64')
  }
}
