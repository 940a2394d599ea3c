import { describe, expect, test } from 'vitest'
import { maskNumbers } from './mask.ts'

const encode = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('masks a card number', () => {
  test.each([
    ['in one piece', '4111111111111111'],
    ['in a path', '/payment-methods/4111111111111111'],
    ['in groups, as Visa has them', '4111 1111 1111 1111'],
    ['in groups, as American Express has them', '3782-822463-10005'],
    ['with dots', '/buyers/4111.1111.1111.1111'],
    ['with dots in groups of three', '378.282.246.310.005'],
    ['with underscores', 'x_4111_1111_1111_1111'],
    ['with slashes', '/4111/1111/1111/1111'],
    ['with two signs between digits', '4111 - 1111 - 1111 - 1111'],
    ['with a sign between all digits', '4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1'],
    ['with a letter between groups', '4111x1111x1111x1111'],
    ['with encoded spaces', '4111%201111%201111%201111'],
    ['digit by digit encoded', encode('4111111111111111')],
    ['encoded in part', '41%31%31 1111%2e1111.1111'],
    ['encoded twice', encode(encode('4111111111111111'))],
    ['encoded beside bytes that are no text', `%ff%fe${encode('4111111111111111')}%`],
    ['in digits of full width', '４１１１１１１１１１１１１１１１'],
    ['in digits of full width, encoded', encode('４１１１１１１１１１１１１１１１')],
    ['in digits of another script', '٤١١١١١١١١١١١١١١١'],
  ])('%s', (_how, text) => {
    const masked = maskNumbers(text)

    expect(masked).toContain('***')
    expect(masked.normalize('NFKC').replaceAll(/\D/g, '')).not.toMatch(/1111/)
    expect(masked).not.toMatch(/%3[0-9]/)
  })
})

describe('does not change', () => {
  test.each([
    ['an id', '/transactions/0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001/refunds'],
    ['an id of digits only', '/roles/01900000-0000-7000-8000-000000000001'],
    ['a time', 'it is 2026-11-15 09:30:00.412 here'],
    ['an address with a port', 'connect ECONNREFUSED 192.168.100.200:51234'],
    ['an amount', 'more than can be captured: 277712345678 is left'],
    ['what is encoded and no number', '/buyers/caf%C3%A9%2F100%25'],
  ])('%s', (_what, text) => {
    expect(maskNumbers(text)).toBe(text)
  })
})

describe('returns a text that can be stored', () => {
  test.each([
    ['with an encoded zero byte', '%00 4111111111111111', ' ***'],
    ['with a zero byte encoded twice', '%2500 4111111111111111', ' ***'],
    ['with a zero byte', '\0 4111111111111111', ' ***'],
    ['with half a character', '\ud83d 4111111111111111', '\ufffd ***'],
    ['with a number that only zero bytes take apart', '4111%00%00%00%00111111111111 4111111111111111', '***'],
  ])('%s', (_what, text, stored) => {
    expect(maskNumbers(text)).toBe(stored)
  })
})
