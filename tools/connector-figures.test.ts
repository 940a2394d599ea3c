import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILE, PROVIDERS, type Run, render } from './connector-figures.ts'

const page = readFileSync(FILE, 'utf8')
test('nine of ten lines of every connector are reached', () => {
  const shares = [...page.matchAll(/\| ([\d.]+) % of \d+ \| [\d.]+ % of \d+ \|/g)].map(([, lines]) =>
    Number(lines),
  )

  expect(shares).toHaveLength(Object.keys(PROVIDERS).length)
  expect(Math.min(...shares)).toBeGreaterThan(90)
})

test('counts what has passed', () => {
  const share = { total: 10, pct: 99.5 }
  const run: Run = {
    provider: 'adyen',
    tests: { testResults: [{ assertionResults: [{ status: 'passed' }, { status: 'skipped' }] }] },
    coverage: { total: { lines: share, branches: share } },
  }

  const made = render([run], page)

  expect(made).toContain('| [Adyen](adyen.md) | 1 | 99.5 % of 10 | 99.5 % of 10 |')
  // The others did not run.
  expect(page.split('\n').filter((line) => !made.includes(line) && line.includes('%'))).toHaveLength(1)
})
