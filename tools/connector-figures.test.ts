import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { adyenConnectors } from '#connectors/adyen/connectors.ts'
import { METHODS } from '#connectors/adyen/methods.ts'
import { FILE, LAST_ADDED, PROVIDERS, type Run, render } from './connector-figures.ts'

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

describe('the method that was added last', () => {
  const [provider, method = ''] = LAST_ADDED.split('-')
  const row = METHODS.find((one) => one.method === method)

  test('is one line of its provider’s table and one of the stand-in’s: no code knows of it', () => {
    // Left out is what is generated, what tests, and Mollie, which has the same method.
    const named = new RegExp(`\\b${method}\\b`, 'i')
    const folders = '{server/src,connectors,sandbox,issuer,vault,web}/**/*.{ts,tsx,css,html,sql}'
    const left = ['**/dist/**', 'web/api/**', '**/*.test.ts', '**/testing/**', '**/mollie/**']
    const linesOf = (file: string) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => named.test(line))
    const lines = Object.fromEntries(
      globSync(folders, { exclude: left })
        .map((file) => [file, linesOf(file).length] as const)
        .filter(([, count]) => count > 0),
    )

    expect(lines).toEqual({
      [`connectors/${provider}/methods.ts`]: 1,
      [`sandbox/stand-ins/${provider}/methods.ts`]: 1,
      // The names of all methods, which every provider shares.
      'server/src/domain/payment-method.ts': 2,
    })
  })

  test('has a shape that another row has, and all else comes from its row', () => {
    const connector = adyenConnectors.find(({ manifest }) => manifest.id === LAST_ADDED)
    const same = METHODS.filter((one) => one !== row && one.shape === row?.shape)
    const pages = ['methods', 'capabilities'].map((name) =>
      readFileSync(`docs/connectors/${name}.md`, 'utf8').includes(`| \`${LAST_ADDED}\` |`),
    )

    expect(same).not.toEqual([])
    expect(connector?.manifest).toMatchObject({ method, currencies: row?.currencies })
    expect(pages).toEqual([true, true])
  })
})
