import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import type { Row } from './models/model.ts'
import { type SortKey, sortRows } from './sort-rows.ts'

async function* inPages(rows: readonly Row[], size: number): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

async function sorted(rows: readonly Row[], keys: readonly SortKey[], runRows: number): Promise<Row[]> {
  const folder = tempFolder()
  const all: Row[] = []
  for await (const page of sortRows(inPages(rows, 7), keys, folder, runRows)) all.push(...page)
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

  for await (const _page of sortRows(inPages(ROWS, 100), [key(2)], folder, 50)) break

  expect(readdirSync(folder)).toEqual([])
})
