import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { explained, UNFINISHED } from '#platform/file-storage/disk.ts'
import type { Row } from './models/model.ts'

export type SortKey = { readonly column: number; readonly isNumber: boolean; readonly isDescending: boolean }

/** So many rows are sorted at once, in a few milliseconds. */
const RUN_ROWS = 10_000
const PAGE_ROWS = 1_000
const BLOCK_BYTES = 32_768

/**
 * Sorts more rows than fit into memory. Each run of rows is sorted and written to a file; then all runs are read side by
 * side, and the first row of them all comes next. Rows with equal keys stay in their order. Nothing comes last.
 */
export async function* sortRows(
  pages: AsyncIterable<readonly Row[]>,
  keys: readonly SortKey[],
  folder: string,
  runRows = RUN_ROWS,
): AsyncGenerator<readonly Row[]> {
  const compare = comparing(keys)
  const spool = new Spool(folder)
  try {
    let rows: Row[] = []
    for await (const page of pages) {
      rows.push(...page)
      if (rows.length < runRows) continue
      await spool.addRun(rows.sort(compare))
      rows = []
    }
    rows.sort(compare)
    yield* spool.runs.length === 0
      ? inPages(oneByOne(rows))
      : inPages(merge([...spool.runs.map((run) => spool.read(run)), oneByOne(rows)], compare))
  } finally {
    await spool.remove()
  }
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

type Run = { readonly start: number; readonly end: number }

/** One file for all runs, so that their number is not limited by how many files may be open. */
class Spool {
  readonly runs: Run[] = []
  readonly #folder: string
  readonly #path: string
  #file: FileHandle | undefined
  #size = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, `${randomUUID()}${UNFINISHED}`)
  }

  addRun(rows: readonly Row[]): Promise<void> {
    return explained(async () => {
      const file = await this.#open()
      const start = this.#size
      for (let at = 0; at < rows.length; at += PAGE_ROWS) {
        const lines = rows.slice(at, at + PAGE_ROWS).map((row) => `${JSON.stringify(row)}\n`)
        const bytes = Buffer.from(lines.join(''))
        await file.writeFile(bytes)
        this.#size += bytes.length
      }
      this.runs.push({ start, end: this.#size })
    })
  }

  async *read({ start, end }: Run): AsyncGenerator<Row> {
    const file = await this.#open()
    let rest = Buffer.alloc(0)
    for (let at = start; at < end; ) {
      const block = Buffer.alloc(Math.min(BLOCK_BYTES, end - at))
      const { bytesRead } = await explained(() => file.read(block, 0, block.length, at))
      if (bytesRead === 0) throw new Error('a file of sorted rows has become shorter')
      at += bytesRead
      const bytes = Buffer.concat([rest, block.subarray(0, bytesRead)])
      const last = bytes.lastIndexOf('\n')
      rest = bytes.subarray(last + 1)
      if (last < 0) continue
      for (const line of bytes.toString('utf8', 0, last).split('\n')) yield JSON.parse(line)
    }
  }

  async remove(): Promise<void> {
    await this.#file?.close()
    await rm(this.#path, { force: true })
  }

  async #open(): Promise<FileHandle> {
    if (this.#file) return this.#file
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#file = await open(this.#path, 'wx+', 0o600)
    return this.#file
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
