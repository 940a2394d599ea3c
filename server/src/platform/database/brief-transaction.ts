import { type ControlledTransaction, PostgresDialect, Transaction } from 'kysely'
import { type Context, type Db, repeating, type Tables, type Tx } from './db.ts'
import { checksOf, type Joinable, joinableOf, type Part, sendTogether } from './joint-commits.ts'
import { executeText, numbered, poolOf, type Statement } from './statements.ts'

/**
 * A transaction that sends its writes as one statement at its end. A payment writes to ten tables, and each trip to the
 * database costs as much as the write (docs/decisions/database-writes.md). If nothing is read, that statement is the whole transaction.
 *
 * PostgreSQL runs the parts of one statement in any order, and none sees what another has written. So use it only where
 * no write needs a row of another table that is written here, and nothing that was written is read before the end.
 *
 * Parts that change one table become two statements: of two writes of one row a single statement would lose one without a word.
 * That is rare: a payment's marks are in two tables so that it needs one.
 */
export function inBriefTransaction<Handle extends Context, Result>(
  context: Handle,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Result> {
  return repeating(async () => {
    const db = new BriefTransaction(context.db)
    const committed: (() => void)[] = []
    try {
      const result = await work({ ...context, db, committed })
      await db.commit()
      for (const then of committed) then()
      return result
    } catch (error) {
      await db.rollback()
      throw error
    }
  })
}

/** Writes now or, in a brief transaction, at its end. */
export function write({ db }: { readonly db: Tx }, statement: Statement): Promise<void> {
  if (!(db instanceof BriefTransaction)) return statement.execute(db).then(() => {})
  db.batch.add(statement)
  return DONE
}

const DONE = Promise.resolve()

/**
 * The same for a statement that returns the changed rows. If it returns none, the transaction fails with this
 * error.
 */
export async function writeOrFail(
  { db }: { readonly db: Tx },
  statement: Statement,
  ifNothing: () => Error,
): Promise<void> {
  if (db instanceof BriefTransaction) db.batch.add(statement, ifNothing)
  else if ((await statement.execute(db)).rows.length === 0) throw ifNothing()
}

/** The statements that write rows of one kind. */
type WriteAll<Row> = (rows: readonly Row[]) => readonly Statement[]

/**
 * Writes rows that the database numbers. In a brief transaction all rows of a kind share one statement: the parts of a
 * merged statement run in any order, and several would get their numbers in that order.
 */
export async function writeInOrder<Row>(
  tx: { readonly db: Tx },
  writeAll: WriteAll<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (tx.db instanceof BriefTransaction) tx.db.batch.gather(writeAll, rows)
  else for (const statement of writeAll(rows)) await write(tx, statement)
}

/** The writes of a brief transaction, until its end. */
class Batch {
  readonly #parts: Part[] = []
  readonly #gathered = new Map<WriteAll<never>, unknown[]>()

  add(statement: Statement, ifNothing?: () => Error): void {
    this.#parts.push({ statement, ifNothing })
  }

  gather<Row>(writeAll: WriteAll<Row>, rows: readonly Row[]): void {
    const known = this.#gathered.get(writeAll) ?? []
    known.push(...rows)
    this.#gathered.set(writeAll, known)
  }

  /** `begin` gives the handle for several statements: those of one transaction. */
  async send(whole: Db, begin: () => Promise<Db>): Promise<void> {
    const gathered = [...this.#gathered].flatMap(([writeAll, rows]) => writeAll(rows as never[]))
    for (const statement of gathered) this.add(statement)
    const groups = this.#groups()
    if (groups.length === 0) return
    const handle = groups.length === 1 ? whole : await begin()
    for (const parts of groups) await sendMerged(handle, parts)
  }

  /** Statements of which none changes a table twice, in the order in which the parts were written. */
  #groups(): Part[][] {
    const groups: Group[] = []
    for (const part of this.#parts) {
      const { table, isNew } = targetOf(part.statement.texts)
      const meets = groups.findLastIndex(({ tables }) => tables.has(table) && !(isNew && tables.get(table)))
      const group = groups[meets + 1] ?? { parts: [], tables: new Map<string, boolean>() }
      if (group.parts.length === 0) groups.push(group)
      group.parts.push(part)
      group.tables.set(table, isNew)
    }
    return groups.map(({ parts }) => parts)
  }
}

/** `tables`: those that the parts change, and whether they only add rows that are new for certain. Any number of parts may do that. */
type Group = { readonly parts: Part[]; readonly tables: Map<string, boolean> }

/** If it is the whole transaction, it may go together with those of others. */
async function sendMerged(db: Db, parts: readonly Part[]): Promise<void> {
  const values = parts.flatMap(({ statement }) => statement.values)
  const { text, joinable } = mergedOf(parts)
  const alone = () => executeText(db, text, values)
  const pool = joinable && poolOf(db)
  const sent = pool ? sendTogether(pool, joinable, values, alone) : alone()
  await sent.catch((error: unknown) => {
    throw parts[emptyPart(error)]?.ifNothing?.() ?? error
  })
}

type Target = { readonly table: string; readonly isNew: boolean }

const targets = new WeakMap<readonly string[], Target>()

function targetOf(texts: readonly string[]): Target {
  const known = targets.get(texts)
  if (known) return known
  const [, table] = /^\s*(?:insert into|update|delete from) "?(\w+)/.exec(texts[0] ?? '') ?? []
  if (table === undefined) throw new Error(`a write begins with its table: ${texts[0]?.trim()}`)
  const isNew = /^\s*insert/.test(texts[0] ?? '') && !texts.some((text) => text.includes('on conflict'))
  const target = { table, isNew }
  targets.set(texts, target)
  return target
}

/** Parts that were merged before, by the texts of those that follow. `merged`: the statement of the parts up to here. */
type Place = {
  merged?: Merged
  readonly plain: Map<readonly string[], Place>
  readonly checked: Map<readonly string[], Place>
}

type Merged = { readonly text: string; readonly joinable: Joinable | undefined }

const START: Place = { plain: new Map(), checked: new Map() }

/** A payment always merges the same parts, and their text has thousands of letters. So each is made once. */
function mergedOf(parts: readonly Part[]): Merged {
  let place = START
  for (const { statement, ifNothing } of parts) {
    const following = ifNothing ? place.checked : place.plain
    const next = following.get(statement.texts) ?? { plain: new Map(), checked: new Map() }
    following.set(statement.texts, next)
    place = next
  }
  place.merged ??= merge(parts)
  return place.merged
}

/**
 * Merges all parts into one statement. The database itself must fail if a part that has to change a row changes none: if the statement
 * is the whole transaction, it is committed before we see its result.
 */
function merge(parts: readonly Part[]): Merged {
  let values = 0
  const named = parts.map(({ statement }, index) => {
    const text = numbered(statement.texts, values)
    values += statement.values.length
    return `w${index} as (${text})`
  })
  const text = `with ${named.join(', ')} select ${checksOf(parts, '= 0')}`
  return { text, joinable: joinableOf(parts, text) }
}

/** The part that changed nothing, from the message of the cast in `merged`. -1 for any other error. */
function emptyPart(error: unknown): number {
  const [, index = '-1'] = (error instanceof Error && /nothing in (\d+) 0/.exec(error.message)) || []
  return Number(index)
}

/** Begins in the database with the first statement that cannot wait for the end, such as a read. */
class BriefTransaction extends Transaction<Tables> {
  readonly batch = new Batch()
  readonly #outer: Db
  readonly #begin: () => Promise<ControlledTransaction<Tables>>
  readonly #begun: () => Promise<ControlledTransaction<Tables>> | undefined

  constructor(outer: Db) {
    let begun: Promise<ControlledTransaction<Tables>> | undefined
    const begin = () => {
      begun ??= outer.startTransaction().execute()
      return begun
    }
    const executor = outer.getExecutor().withConnectionProvider({
      provideConnection: async (consumer, options) =>
        (await begin()).getExecutor().provideConnection(consumer, options),
    })
    super({ ...UNUSED, executor })
    this.#outer = outer
    this.#begin = begin
    this.#begun = () => begun
  }

  async commit(): Promise<void> {
    await this.batch.send((await this.#begun()) ?? this.#outer, this.#begin)
    await (await this.#begun())?.commit().execute()
  }

  async rollback(): Promise<void> {
    // The first error tells more than that of a rollback.
    const begun = await this.#begun()?.catch(() => undefined)
    if (!begun || begun.isCommitted || begun.isRolledBack) return
    const rollback = begun.rollback()
    await rollback.execute().catch(() => {})
  }
}

/** Kysely needs these to begin transactions. A transaction begins none. */
const NOWHERE = new PostgresDialect({ pool: () => Promise.reject(new Error('there is no pool')) })
const UNUSED = { config: { dialect: NOWHERE }, dialect: NOWHERE, driver: NOWHERE.createDriver() }
