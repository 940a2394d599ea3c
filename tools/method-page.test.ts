import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registriesFor } from '#processing/connectors.ts'
import { FILE, methodPage } from './method-page.ts'

const page = readFileSync(FILE, 'utf8')

test('the page of the ways to pay is as the connectors and their tables: node tools/method-page.ts', () => {
  expect(page).toBe(methodPage())
})

test('the page has a row of every connector, and filters by columns that it has', () => {
  const lines = page.split('\n')
  const at = lines.findIndex((line) => line.startsWith('<!-- filters: '))
  const [, filters = '', works = ''] = /filters: (.+); works: (.+) -->/.exec(lines[at] ?? '') ?? []
  const cellsOf = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const titles = cellsOf(lines[at + 1])
  const end = lines.indexOf('', at)
  const rows = lines.slice(at + 3, end).map(cellsOf)
  const { list } = registriesFor('production').connectors

  expect(rows.map((row) => row[titles.indexOf('Definition')]).toSorted()).toEqual(
    list.map(({ manifest }) => `\`${manifest.id}\``).toSorted(),
  )
  for (const title of `${filters}, ${works}`.split(', ')) {
    expect(titles).toContain(title)
    expect(rows.map((row) => row[titles.indexOf(title)])).not.toContain('')
  }
  // A column in which nothing differs would be no filter.
  for (const title of works.split(', ')) {
    const cells = new Set(rows.map((row) => row[titles.indexOf(title)]))
    expect(cells.has('no') && cells.size > 1, title).toBe(true)
  }
})
