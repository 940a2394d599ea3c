import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codePages } from './connector-codes.ts'

test.each([...codePages()])(
  '%s is as the mapping of the connector: node tools/connector-codes.ts',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test('the pages have every code of a provider', () => {
  expect(codePages().get('docs/connectors/adyen-codes.md')).toMatch(/^\| `24` \| .*`incorrect_cvv` \|$/m)
  expect(codePages().get('docs/connectors/stripe-codes.md')).toMatch(
    /^\| `insufficient_funds` \| `insufficient_funds` \|$/m,
  )
  expect(codePages().get('docs/connectors/paypal-codes.md')).toMatch(
    /^\| `5120` \| `insufficient_funds` \|$/m,
  )
})
