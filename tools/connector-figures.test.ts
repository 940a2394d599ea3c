import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registriesFor } from '#processing/connectors.ts'
import { FILE, type Run, render } from './connector-figures.ts'

const page = readFileSync(FILE, 'utf8')
const real = registriesFor('production').connectors.list.map(({ manifest }) => manifest.id)

test.each(real)('the page of figures has the tests of %s: node tools/connector-figures.ts', (id) => {
  const [, count] = new RegExp(`^\\| \`${id}\` \\| (\\d+) \\|$`, 'm').exec(page) ?? []

  expect(Number(count)).toBeGreaterThan(50)
})

test('nine of ten lines of every connector are reached', () => {
  const shares = [...page.matchAll(/\| ([\d.]+) % of \d+ \| [\d.]+ % of \d+ \|/g)].map(([, lines]) =>
    Number(lines),
  )

  expect(shares).toHaveLength(4)
  expect(Math.min(...shares)).toBeGreaterThan(90)
})

test('counts what has passed, and apart what the suite has', () => {
  const test = (status: string, ...ancestorTitles: string[]) => ({ status, ancestorTitles })
  const share = { total: 10, pct: 99.5 }
  const run: Run = {
    provider: 'adyen',
    tests: {
      testResults: [
        {
          name: '/connectors/adyen/connector.test.ts',
          assertionResults: [test('passed', 'the connector adyen-card'), test('skipped', 'adyen-card')],
        },
        { name: '/connectors/adyen/answers.test.ts', assertionResults: [test('passed', 'errors')] },
      ],
    },
    coverage: { total: { lines: share, branches: share } },
  }

  expect(render([run])).toContain('| `adyen-card` | 1 |')
  expect(render([run])).toContain('| [Adyen](adyen.md) | 2 | 99.5 % of 10 | 99.5 % of 10 |')
})
