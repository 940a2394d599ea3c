import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Row } from './spooled-runs.ts'
import { type Spool, SpooledRuns } from './spooled-runs.ts'

export type SortKey = { readonly column: number; readonly isNumber: boolean; readonly isDescending: boolean }

export type SortLimits = {
  /** So many rows, of so many characters, are sorted at once, in a few milliseconds. */
  readonly runRows: number
  readonly runLength: number
  /** So many runs are read side by side. Each holds a block of its file in memory. */
  readonly width: number
}

const LIMITS: SortLimits = { runRows: 10_000, runLength: 16 * 1024 ** 2, width: 64 }
const PAGE_ROWS = 1_000

/**
 * Sorts more rows than fit into memory. Each run of rows is sorted and written to a file. Whenever there are many runs, they
 * become one longer run, so memory does not grow with the number of rows. In the end all runs are read side by side, and the
 * first row of them all comes next. Rows with equal keys stay in their order. Nothing comes last.
 */
export async function* sortRows(
  pages: AsyncIterable<readonly Row[]>,
  keys: readonly SortKey[],
  spool: Spool,
  { runRows, runLength, width }: SortLimits = LIMITS,
): AsyncGenerator<readonly Row[]> {
  const compare = comparing(keys)
  const runs = new SpooledRuns(spool, width, (readers) => inPages(merge(readers, compare)))
  try {
    let rows: Row[] = []
    let length = 0
    for await (const page of pages) {
      for (const row of page) {
        rows.push(row)
        length += lengthOf(row)
      }
      if (rows.length < runRows && length < runLength) continue
      await runs.add(rows.sort(compare))
      rows = []
      length = 0
    }
    rows.sort(compare)
    yield* inPages(merge([...runs.readers(), oneByOne(rows)], compare))
  } finally {
    await runs.remove()
  }
}

function lengthOf(row: Row): number {
  let length = 0
  for (const text of row) length += text?.length ?? 0
  return length
}

type Compare = (a: Row, b: Row) => number

function comparing(keys: readonly SortKey[]): Compare {
  return (a, b) => {
    for (const { column, isNumber, isDescending } of keys) {
      const [one, other] = [a[column] ?? null, b[column] ?? null]
      if (one === other) continue
      if (one === null) return 1
      if (other === null) return -1
      const order = isNumber ? Number(one) - Number(other) : one < other ? -1 : 1
      if (order !== 0) return isDescending ? -order : order
    }
    return 0
  }
}

async function* oneByOne(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

type Head = { row: Row; readonly rest: AsyncGenerator<Row>; readonly index: number }

/** A heap of the first rows of all runs: the smallest is on top. Of equal ones, that of the earlier run. */
async function* merge(runs: readonly AsyncGenerator<Row>[], compare: Compare): AsyncGenerator<Row> {
  const heads: Head[] = []
  for (const [index, rest] of runs.entries()) {
    const first = await rest.next()
    if (!first.done) heads.push({ row: first.value, rest, index })
  }
  const isBefore = (a: Head, b: Head) => (compare(a.row, b.row) || a.index - b.index) < 0
  for (let at = Math.floor(heads.length / 2); at >= 0; at -= 1) sink(heads, at, isBefore)
  for (let top = heads[0]; top; top = heads[0]) {
    yield top.row
    const next = await top.rest.next()
    if (!next.done) top.row = next.value
    else removeTop(heads)
    sink(heads, 0, isBefore)
  }
}

function removeTop(heads: Head[]): void {
  const last = heads.pop()
  if (last && heads.length > 0) heads[0] = last
}

function sink(heads: Head[], start: number, isBefore: (a: Head, b: Head) => boolean): void {
  let at = start
  for (;;) {
    const head = heads[at]
    const [left, right] = [heads[2 * at + 1], heads[2 * at + 2]]
    if (!head || !left) return
    const isRight = right !== undefined && isBefore(right, left)
    const smaller = isRight ? right : left
    if (!isBefore(smaller, head)) return
    const place = 2 * at + (isRight ? 2 : 1)
    heads[at] = smaller
    heads[place] = head
    at = place
  }
}

/** Between two pages, other work gets its turn. */
async function* inPages(rows: AsyncGenerator<Row>): AsyncGenerator<readonly Row[]> {
  let page: Row[] = []
  for await (const row of rows) {
    page.push(row)
    if (page.length < PAGE_ROWS) continue
    yield page
    await nextTurn()
    page = []
  }
  if (page.length > 0) yield page
}
