import pg from 'pg'
import { inSpan, outsideTraces } from '../observability/trace.ts'
import { errorCode } from './database-errors.ts'
import { arrayOf, executeOn, type Statement } from './statements.ts'

/*
 * Transactions that are one statement each, of the same text, go to the database together while they would wait for each other: half
 * of what such a statement costs is not for its rows (docs/decisions/database-writes.md). One that need not wait goes alone, at once.
 */

export type Part = { readonly statement: Statement; readonly ifNothing: (() => Error) | undefined }

/** A statement whose values may come from several transactions. The same parts always have the very same object. */
export type Joinable = {
  /** What one transaction sends alone. */
  readonly text: string
  /** The same for several, by the types of its values. */
  readonly jointText: (types: readonly string[]) => string
  /** Where the values stand that say which row an unchecked part changes: for each such part, the first and the end. */
  readonly unchecked: readonly (readonly [from: number, to: number])[]
}

/** Undefined: one of the parts has a form that is not known here, so the statement goes alone. */
export function joinableOf(parts: readonly Part[], text: string): Joinable | undefined {
  const joint: string[] = []
  const unchecked: (readonly [number, number])[] = []
  let before = 0
  for (const [index, { statement, ifNothing }] of parts.entries()) {
    const { texts } = statement
    const part = jointPart(
      texts.map((own, at) => (at === 0 ? own : `${ROWS}.c${before + at}${own}`)).join(''),
    )
    if (part === undefined) return undefined
    joint.push(`w${index} as (${part})`)
    const condition = texts.findIndex((own) => own.includes(' where '))
    if (isChange(texts) && !ifNothing) unchecked.push([before + condition, before + statement.values.length])
    before += statement.values.length
  }
  const checks = checksOf(parts, `<> (select count(*) from ${ROWS})`)
  const jointText = (types: readonly string[]) =>
    `with ${rowsOf(types)}, ${joint.join(', ')} select ${checks}`
  return { text, jointText, unchecked }
}

/**
 * Fails if a part that has to change a row changes too few. SQL cannot raise an error, so a cast fails on purpose, and its message names
 * the part. It contains the count, so that the planner cannot evaluate the cast, and fail, beforehand.
 */
export function checksOf(parts: readonly Part[], isTooFew: string): string {
  const checks = parts.flatMap(({ ifNothing }, index) => {
    const changed = `(select count(*) from w${index})`
    return ifNothing
      ? [`case when ${changed} ${isTooFew} then ('nothing in ${index} ' || ${changed})::int end`]
      : []
  })
  return checks.join(', ')
}

/** The values of each transaction are a row of these. Before the first is read, the wait for locks is limited. */
const ROWS = 'joined'

/**
 * The limit makes the planner expect one row, and so look up what is changed by its key. By what it expects of lists, it would read
 * whole tables as long as they are small, and keep to that plan.
 */
function rowsOf(types: readonly string[]): string {
  const isJson = (type: string) => type.startsWith('json')
  const names = types.map((type, at) => `c${at + 1}${isJson(type) ? `::${type}` : ''}`)
  const columns = types.map((type, at) => `c${at + 1} ${isJson(type) ? 'text' : type}`)
  return `${ROWS} as materialized (
    select ${names.join(', ')}
    from (select unnest($1::text[])::json as texts limit $2::bigint) as sent, json_to_record(sent.texts) as own (${columns.join(', ')}),
      set_config('lock_timeout', '${PATIENCE_MS}ms', true)
  )`
}

function isChange(texts: readonly string[]): boolean {
  return /^\s*update/.test(texts[0] ?? '')
}

/** The part with the rows of all transactions in place of its values. */
function jointPart(text: string): string | undefined {
  if (/\(\s*select\b/.test(text)) return undefined
  const values = /^(\s*insert into [^()]*\([^()]*\)) values \(([^()]*)\)([^()]*(?:\([^()]*\)[^()]*)?)$/.exec(
    text,
  )
  if (values) return `${values[1]} select ${values[2]} from ${ROWS}${values[3]}`
  if (/^\s*insert into [^()]*\([^()]*\)\s+select\b.*?\bfrom\b/s.test(text))
    return text.replace(/\bfrom\b/, `from ${ROWS}, `)
  const change = /^(\s*update \S+ set .*?)( where .*)$/s.exec(text)
  return change && !/\bfrom\b/.test(text) ? `${change[1]} from ${ROWS}${change[2]}` : undefined
}

type Waiting = {
  /** Its values, as the joint statement takes them. */
  readonly json: string
  /** Which rows it changes without a check. */
  readonly changed: readonly string[]
  readonly alone: () => Promise<unknown>
  readonly resolve: (result?: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How many transactions one statement writes at most: each of them waits for all. */
const MOST = 16
/** A commit takes some milliseconds. Others wait so long for one that is under way, and for a lock that one among them waits for. */
const PATIENCE_MS = 100

/** A connection that ended, also one between a pooler and the database. */
const LOST = /^(08|57P)/
/** By a rule, a check of ours, or a value that cannot be stored. */
const REFUSED = /^2[1-3]/

/** The transactions of one text on one pool. One statement of theirs is under way at a time. */
class Lane {
  readonly #pool: pg.Pool
  readonly #joinable: Joinable
  /** The statement for which others wait. Zero: none. */
  #current = 0
  #last = 0
  #waiting: Waiting[] = []
  #patience: NodeJS.Timeout | undefined
  #text: Promise<string | null> | undefined

  constructor(pool: pg.Pool, joinable: Joinable) {
    this.#pool = pool
    this.#joinable = joinable
  }

  send(values: readonly unknown[], alone: () => Promise<unknown>): Promise<unknown> {
    if (this.#current > 0) return inSpan(JOINT, () => this.#wait(values, alone))
    const sent = alone()
    const end = this.#begin()
    void sent.then(end, end)
    return sent
  }

  #begin(): () => void {
    this.#last += 1
    const own = this.#last
    this.#current = own
    return () => {
      if (this.#current === own) this.#goOn()
    }
  }

  async #wait(values: readonly unknown[], alone: () => Promise<unknown>): Promise<unknown> {
    const json = asJson(values)
    if (json === null) return alone()
    const { unchecked } = this.#joinable
    const changed = unchecked.map(([from, to]) => `${from} ${asJson(values.slice(from, to))}`)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ json, changed, alone, resolve, reject })
      this.#watch()
    })
  }

  /** One that is kept, by a lock or by a lost connection, keeps nobody else. */
  #watch(): void {
    this.#patience ??= setTimeout(() => this.#goOn(), PATIENCE_MS)
  }

  #goOn(): void {
    clearTimeout(this.#patience)
    this.#patience = undefined
    this.#current = 0
    const batch = this.#takeBatch()
    if (batch.length === 0) return
    const end = this.#begin()
    void outsideTraces(() => this.#sendAll(batch)).then(end)
    if (this.#waiting.length > 0) this.#watch()
  }

  /** Of two that change one row, and may do so one after the other, the second waits on. */
  #takeBatch(): Waiting[] {
    if (this.#waiting.length === 0) return []
    const changed = new Set<string>()
    const batch: Waiting[] = []
    const others: Waiting[] = []
    for (const one of this.#waiting) {
      const isApart = batch.length < MOST && !one.changed.some((row) => changed.has(row))
      for (const row of one.changed) changed.add(row)
      ;(isApart ? batch : others).push(one)
    }
    this.#waiting = others
    return batch
  }

  /** Never fails: the lane would stay busy. */
  async #sendAll(batch: readonly Waiting[]): Promise<void> {
    const failure =
      batch.length > 1 ? await this.#sendJoint(batch).catch((error: unknown) => ({ error })) : 'alone'
    if (failure === null) return
    if (typeof failure === 'object') {
      // The connection is lost: nobody knows whether they are written.
      for (const { reject } of batch) reject(failure.error)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    // One of many may have made it fail. Alone, each ends as it would have.
    if (failure === 'refused' && batch.length > 2) {
      await Promise.all([this.#sendAll(batch.slice(0, middle)), this.#sendAll(batch.slice(middle))])
    } else {
      await Promise.all(
        batch.map(({ alone, resolve, reject }) => Promise.resolve().then(alone).then(resolve, reject)),
      )
    }
  }

  /** Null: they are written. Otherwise the database has written nothing, because it refused one of them, or took too long. */
  async #sendJoint(batch: readonly Waiting[]): Promise<'refused' | 'alone' | null> {
    this.#text ??= this.#learn()
    const text = await this.#text
    if (text === null) return 'alone'
    try {
      await executeOn(this.#pool, text, [arrayOf.text(batch.map(({ json }) => json)), batch.length])
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || LOST.test(errorCode(error))) throw error
      return REFUSED.test(errorCode(error)) ? 'refused' : 'alone'
    }
    for (const { resolve } of batch) resolve()
    return null
  }

  /**
   * The database tells the types of the values, once for each text. In one message: a pooler may give the next one another connection.
   * Null: it did not, and is asked again.
   */
  async #learn(): Promise<string | null> {
    const { text, jointText } = this.#joinable
    const types = 'select parameter_types::text[] as types from pg_prepared_statements'
    const asking = `prepare joint_commit as ${text}; ${types} where name = 'joint_commit'; deallocate joint_commit`
    try {
      const client = await this.#pool.connect()
      const results: unknown = await client.query(asking).finally(() => client.release())
      const [, told] = results as pg.QueryResult<{ types: string[] }>[]
      if (told?.rows[0]) return jointText(told.rows[0].types)
    } catch {
      // Each goes alone, and learns what is the matter.
    }
    this.#text = undefined
    return null
  }
}

const JOINT = {
  name: 'joint commit',
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const

const lanes = new WeakMap<pg.Pool, Map<Joinable, Lane>>()

/** Sends the values together with those of others, or alone. */
export function sendTogether(
  pool: pg.Pool,
  joinable: Joinable,
  values: readonly unknown[],
  alone: () => Promise<unknown>,
): Promise<unknown> {
  const ofPool = lanes.get(pool) ?? new Map<Joinable, Lane>()
  lanes.set(pool, ofPool)
  const lane = ofPool.get(joinable) ?? new Lane(pool, joinable)
  ofPool.set(joinable, lane)
  return lane.send(values, alone)
}

/**
 * The values of one transaction by the names of their columns. PostgreSQL reads each as it reads the value of a statement. Null: one of
 * them is of no known kind, and goes the usual way.
 */
function asJson(values: readonly unknown[]): string | null {
  const fields: string[] = []
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]
    if (value === null || value === undefined) continue
    const text = textOf(value)
    if (text === undefined) return null
    fields.push(`"c${at + 1}":${text}`)
  }
  return `{${fields.join(',')}}`
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return `"${value}"`
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : JSON.stringify(value)
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? JSON.stringify(value) : undefined
  const isPlain = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
  return isPlain ? JSON.stringify(JSON.stringify(value)) : undefined
}
