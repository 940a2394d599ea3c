import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registriesFor } from '#processing/connectors.ts'
import { capabilityPage, FILE, linesMissing, ranIn } from './capability-page.ts'

const page = readFileSync(FILE, 'utf8')
const { connectors, giftCards, antiFraud, threeDSecure, accountUpdaters, networkTokens } =
  registriesFor('sandbox')
const ids = [connectors, giftCards, antiFraud, threeDSecure, accountUpdaters, networkTokens].flatMap(
  ({ list }) => list.map(({ manifest }) => manifest.id),
)

test.each(ids)('the page has %s: node tools/capability-page.ts', (id) => {
  expect(page).toContain(`\n| \`${id}\` | `)
})

test('a capability is what passed, each time that it ran', () => {
  const ran = (title: string, state: string) => ({
    fullName: `at once > the connector acme-card > ${title}`,
    result: () => ({ state }),
  })
  const found = ranIn([
    ran('authorize > is done once, and approved', 'passed'),
    ran('refund > is done once, and approved', 'passed'),
    ran('authorize > captures at once', 'passed'),
    ran('authorize > captures at once', 'failed'),
    ran('void > is done once, and approved', 'skipped'),
    { fullName: 'another test', result: () => ({ state: 'passed' }) },
  ])
  const line = '| `acme-card` |  |  |  |  | yes |  |  |'

  expect(capabilityPage(found)).toContain(`\n${line}\n`)
  expect(linesMissing(`# Page\n${line}\n`, found)).toEqual([])
  expect(linesMissing('# Page\n| `acme-card` | payouts |\n', found)).toEqual([line])
  // A connector that is being written.
  expect(linesMissing(page, found)).toEqual([])
})
