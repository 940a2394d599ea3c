import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '../../../connectors/contract/codes.ts'
import { GIFT_CARD_ERROR_CODES } from '../../../connectors/contract/gift-card.ts'
import { REASONS, REFUND_REASONS, reasonFor, refundReasonFor } from './reasons.ts'

/** Codes that stand in the service itself, where it ends a payment without asking a provider. */
function ownCodes(): string[] {
  const files = globSync('server/src/payments/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:\bcode: |_DECLINE = )'(?!code')([a-z_]+)'/g)].map(
      ([, code = '']) => code,
    ),
  )
}

describe('the sentence for support staff', () => {
  test('is there for every code that a payment can end with', () => {
    const own = ownCodes()
    expect(own).toEqual(
      expect.arrayContaining(['all_attempts_skipped', 'incomplete_buyer_approval', 'flow_decline']),
    )
    const codes = [...Object.keys(ERROR_CODES), ...GIFT_CARD_ERROR_CODES, ...own]

    expect(codes.filter((code) => reasonFor(code) === undefined)).toEqual([])
  })

  test('is made of whole sentences, without codes', () => {
    for (const text of Object.values({ ...REASONS, ...REFUND_REASONS })) {
      expect(text).toMatch(/^[A-Z].*\.$/)
      expect(text).not.toContain('_')
    }
  })

  test('tells of a refund what it means for the buyer who waits for money', () => {
    for (const code of ['disputed_transaction', 'issuer_decline', 'refund_period_expired'])
      expect(refundReasonFor(code)).toBeDefined()
    for (const text of Object.values(REFUND_REASONS)) expect(text).not.toContain('another card')
    expect(refundReasonFor('insufficient_funds')).toContain('Your balance')
    expect(refundReasonFor('constructor')).toBeUndefined()
  })

  test('tells not to name suspected fraud to the buyer', () => {
    expect(reasonFor('suspected_fraud')).toContain('Do not tell the buyer the reason')
  })

  test('is that of rules for the codes which rules name themselves', () => {
    expect(reasonFor('flow_too_risky')).toBe(REASONS['flow_decline'])
  })

  test('is left out for a code that is not known', () => {
    expect(reasonFor('constructor')).toBeUndefined()
  })
})
