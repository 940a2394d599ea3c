import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import { type SortKey, sortRows } from './sort-rows.ts'
import type { Row, Spool } from './spooled-runs.ts'

async function* inPages(rows: readonly Row[], size: number): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

const limits = (runRows: number) => ({ runRows, runLength: 100_000, width: 4 })

function spoolIn(folder: string, check = async () => {}): Spool {
  return { folder, name: 'rows', check }
}

async function sorted(rows: readonly Row[], keys: readonly SortKey[], runRows: number): Promise<Row[]> {
  const folder = tempFolder()
  const all: Row[] = []
  for await (const page of sortRows(inPages(rows, 7), keys, spoolIn(folder), limits(runRows)))
    all.push(...page)
  expect(readdirSync(folder)).toEqual([])
  return all
}

const key = (column: number, more: Partial<SortKey> = {}): SortKey => ({
  column,
  isNumber: false,
  isDescending: false,
  ...more,
})

const ROWS: readonly Row[] = Array.from({ length: 1_000 }, (_none, index) => [
  String(index),
  ['EUR', 'USD', null, 'a "quoted"\nline, ü'][(index * 7) % 4] ?? null,
  String((index * 7919) % 100),
])

test.each([7, 50, 999, 10_000])('rows come in order, in runs of %i', async (runRows) => {
  const keys = [key(1), key(2, { isNumber: true, isDescending: true })]

  const rows = await sorted(ROWS, keys, runRows)

  const rank = (text: string | null | undefined) => (text === null || text === undefined ? '\uffff' : text)
  const expected = ROWS.toSorted(
    ([, a, m], [, b, n]) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? -1 : 1) || Number(n) - Number(m),
  )
  expect(rows).toEqual(expected)
})

test('numbers are compared as numbers, and what is missing comes last either way', async () => {
  const rows: Row[] = [['10'], ['9'], [null], ['-1'], ['100']]

  expect(await sorted(rows, [key(0, { isNumber: true })], 2)).toEqual([
    ['-1'],
    ['9'],
    ['10'],
    ['100'],
    [null],
  ])
  expect(await sorted(rows, [key(0, { isNumber: true, isDescending: true })], 2)).toEqual([
    ['100'],
    ['10'],
    ['9'],
    ['-1'],
    [null],
  ])
})

test('no rows stay no rows', async () => {
  expect(await sorted([], [key(0)], 10)).toEqual([])
})

test('a reader that stops early leaves no file', async () => {
  const folder = tempFolder()

  for await (const _page of sortRows(inPages(ROWS, 100), [key(2)], spoolIn(folder), limits(50))) break

  expect(readdirSync(folder)).toEqual([])
})

test('few runs are read at once, however many rows there are', async () => {
  const folder = tempFolder()
  const sizes: number[] = []
  const check = async () => {
    sizes.push(readdirSync(folder).length)
  }

  let count = 0
  for await (const page of sortRows(inPages(ROWS, 7), [key(2)], spoolIn(folder, check), limits(7)))
    count += page.length

  // 142 runs, and 4 of each length at most: 4, 16, 64 and so on.
  expect(count).toBe(ROWS.length)
  expect(Math.max(...sizes)).toBe(4)
  expect(readdirSync(folder)).toEqual([])
})

test('wide rows make runs of fewer rows', async () => {
  const folder = tempFolder()
  let writes = 0
  const check = async () => {
    writes += 1
  }
  const wide = ROWS.slice(0, 70).map((row) => [...row, 'x'.repeat(10_000)])

  const all: Row[] = []
  for await (const page of sortRows(inPages(wide, 7), [key(2)], spoolIn(folder, check), limits(1_000)))
    all.push(...page)

  expect(all).toHaveLength(70)
  expect(writes).toBeGreaterThan(4)
})

test('work that has to end, ends while runs are written, and leaves no file', async () => {
  const folder = tempFolder()
  let checks = 0
  const check = async () => {
    checks += 1
    if (checks === 3) throw new Error('enough')
  }
  const sorting = async () => {
    for await (const _page of sortRows(inPages(ROWS, 7), [key(2)], spoolIn(folder, check), limits(50)));
  }

  await expect(sorting()).rejects.toThrow('enough')

  expect(readdirSync(folder)).toEqual([])
})
