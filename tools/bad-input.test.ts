import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/connectors/bad-input.md', 'utf8')
const named = [...page.matchAll(/`([\w/.-]+\.ts)` “([^”]+)”/g)].map(([, file = '', words = '']) => {
  return [file.startsWith('server/') ? file : `connectors/${file}`, words] as const
})
const rows = page.split('\n').filter((line) => /^\| [A-Z]/.test(line) && !/^\| (What|Kind) /.test(line))

test('every row names a test in each of its cells', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) {
    for (const cell of row.split(' |').slice(1, -1)) expect(cell, row).toMatch(/`[\w/.-]+\.ts` “/)
  }
})

test('every provider with payments has a row, with a test of its own for each kind', () => {
  const providers = readdirSync('connectors').filter((name) =>
    readdirSync(`connectors/${name}`).includes('connectors.ts'),
  )

  expect(providers.length).toBeGreaterThan(7)
  for (const name of providers) {
    const own = rows.find((row) => row.match(new RegExp(`\`${name}/`, 'g'))?.length === 5)
    expect(own, name).toBeDefined()
  }
})

test.each(named)('%s has a test with “%s” in it', (file, words) => {
  expect(readFileSync(file, 'utf8')).toContain(words)
})
