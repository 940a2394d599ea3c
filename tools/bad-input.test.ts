import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/connectors/bad-input.md', 'utf8')
const named = [...page.matchAll(/`([\w/.-]+\.ts)` “([^”]+)”/g)].map(([, file = '', words = '']) => {
  return [file.startsWith('server/') ? file : `connectors/${file}`, words] as const
})

test('every line of bad input has a test for each provider', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'))

  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    expect(row.split(' | ').filter((cell) => /`[\w/.-]+\.ts`|the same/.test(cell))).toHaveLength(4)
  }
})

test.each(named)('%s has a test with “%s” in it', (file, words) => {
  expect(readFileSync(file, 'utf8')).toContain(words)
})
