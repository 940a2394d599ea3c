import { describe, expect, test } from 'vitest'
import { base32, codeAt, matchingStep, stepOf } from './authenticator.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, for SHA-1.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of the RFC at %s seconds', (seconds, code) => {
    expect(codeAt(SECRET, stepOf(new Date(seconds * 1000)), 8)).toBe(code)
  })

  test('count one step before and after, and not two', () => {
    const now = new Date(1_234_567_890_000)
    const step = stepOf(now)

    const accepted = [-2, -1, 0, 1, 2].filter((offset) =>
      matchingStep(SECRET, codeAt(SECRET, step + offset), now),
    )

    expect(accepted).toEqual([-1, 0, 1])
  })

  test.each(['', '1', '0000000', 'abcdef', '００００００'])('refuse %s', (code) => {
    expect(matchingStep(SECRET, code, new Date(59_000))).toBeUndefined()
  })

  test('have secrets as people can type them', () => {
    // RFC 4648, section 10.
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  })
})
