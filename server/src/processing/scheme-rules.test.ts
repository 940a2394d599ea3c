import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { ADVICE, adviceIn, LIMITS } from './scheme-rules.ts'

const GUIDE = readFileSync(new URL('../../../docs/guide/retries.md', import.meta.url), 'utf8')
const rowsLike = (pattern: RegExp) => GUIDE.split('\n').filter((line) => pattern.test(line))

test('the guide shows every code and every limit, and no others', () => {
  expect(rowsLike(/^\| `(merchant_advice|response)_code`/)).toEqual(
    ADVICE.map(
      ({ kind, code, scheme, action, hours, meaning }) =>
        `| \`${kind}\` \`${code}\` | ${scheme ?? 'all'} | \`${action}\` | ${hours ?? ''} | ${meaning} |`,
    ),
  )
  expect(rowsLike(/`(apart|together)` \|$/)).toEqual(
    LIMITS.map(
      ({ scheme, declines_max, within_hours, counted }) =>
        `| ${scheme} | ${declines_max} | ${within_hours} | \`${counted}\` |`,
    ),
  )
})

test('each row is of a scheme that exists, has a time if it says later, and is there once', () => {
  const keys = ADVICE.map(({ kind, code, scheme }) => `${kind} ${code} ${scheme}`)

  expect(new Set(keys).size).toBe(keys.length)
  for (const { scheme, action, hours } of ADVICE) {
    expect(scheme === null || scheme in CARD_SCHEMES).toBe(true)
    expect(hours !== null).toBe(action === 'later')
  }
  for (const { scheme, within_hours } of LIMITS) {
    expect(scheme in CARD_SCHEMES).toBe(true)
    expect(within_hours).toBeLessThanOrEqual(720)
  }
})

test('advice is read from refusals alone, and codes of one scheme do not count for another', () => {
  const refused = (facts: object) =>
    ({
      outcome: 'declined',
      code: 'issuer_decline',
      isRetriable: true,
      reference: null,
      facts,
    }) as const

  expect(adviceIn('visa', refused({ isoResponseCode: '41' }))?.action).toBe('never')
  expect(adviceIn('mastercard', refused({ isoResponseCode: '41' }))).toBeUndefined()
  expect(adviceIn('mastercard', refused({ merchantAdviceCode: '02' }))?.action).toBe('later')
  expect(adviceIn('visa', refused({ merchantAdviceCode: '02' }))).toBeUndefined()
  expect(adviceIn('amex', refused({ merchantAdviceCode: '03' }))?.action).toBe('never')
  expect(adviceIn('visa', { outcome: 'not_found' })).toBeUndefined()
})
