import { describe, expect, test } from 'vitest'
import {
  additionalSchemesOf,
  binOf,
  isExpired,
  labelOf,
  maskCardNumbers,
  parseExpiration,
  passesLuhn,
  schemeOf,
  securityCodeLengthsOf,
} from './card.ts'
import { CARD_RANGES } from './card-ranges.ts'
import { CARD_SCHEMES, type CardScheme } from './card-scheme.ts'

/** Schemes that are only second marks on other schemes' cards, and one whose ranges are not published. */
const WITHOUT_NUMBERS: CardScheme[] = ['accel', 'cirrus', 'culiance', 'eftpos-australia', 'qcard']

/** Test numbers that schemes and processors publish. */
const PUBLISHED: [CardScheme, string, CardScheme[]?][] = [
  ['visa', '4111111111111111'],
  ['visa', '4242424242424242'],
  ['visa', '4000000000000002'],
  ['visa', '4012888888881881'],
  ['visa', '4222222222222'],
  ['visa', '4111111111101203'],
  ['visa', '4001230000000004', ['star']],
  ['visa', '4035501000000008', ['carte-bancaire']],
  ['visa', '4000002500001001', ['carte-bancaire']],
  ['visa', '4970100000000000', ['carte-bancaire']],
  ['visa', '4871049999999910', ['bancontact']],
  ['visa', '4571999999999999', ['dankort']],
  ['visa', '4687380100010006', ['eftpos-australia']],
  ['mastercard', '5555555555554444'],
  ['mastercard', '5105105105105100'],
  ['mastercard', '5200000000001203'],
  ['mastercard', '2223003122003222'],
  ['mastercard', '2720999999999996'],
  ['mastercard', '5127880999999990', ['bancontact']],
  ['mastercard', '5555552500001001', ['carte-bancaire']],
  ['mastercard', '5136333333333335', ['carte-bancaire']],
  ['amex', '378282246310005'],
  ['amex', '371449635398431'],
  ['amex', '340000000022003'],
  ['discover', '6011111111111117'],
  ['discover', '6445644564456445'],
  ['discover', '6500000000000002'],
  ['diners-club', '30569309025904'],
  ['diners-club', '36227206271667'],
  ['diners-club', '38520000023237'],
  ['jcb', '3566002020360505'],
  ['jcb', '3530111333300000'],
  ['jcb', '3558111111121203'],
  ['jcb', '3088000000000017'],
  ['unionpay', '6200000000000005'],
  ['unionpay', '6250946000000016'],
  ['unionpay', '8171998927611203'],
  ['unionpay', '6221260000000000', ['discover']],
  ['maestro', '6759649826438453'],
  ['maestro', '6799990100000000019'],
  ['maestro', '5000550000000029'],
  ['maestro', '6000070736169237003'],
  ['elo', '5066991111111118'],
  ['elo', '6362970000457013'],
  ['elo', '4514160000000003', ['visa']],
  ['hipercard', '6062828888666688'],
  ['mir', '2200000000000004'],
  ['mir', '2204000000000000'],
  ['rupay', '6521500000000002'],
  ['rupay', '6069850000000000'],
  ['rupay', '8172000000000000'],
  ['dankort', '5019555544445555'],
  ['bancontact', '6703444444444449', ['maestro']],
  ['carte-bancaire', '4360000001000005'],
  ['carte-bancaire', '5017670000001800'],
  ['uatp', '135410014004955'],
  ['star', '5008539999999905'],
  ['pulse', '6029879999999908'],
  ['nyce', '5015658742698217'],
  ['other', '9490220006611406'],
  ['other', '6007220000000004'],
]

test.each(PUBLISHED)('%s: %s', (scheme, number, additional = []) => {
  expect(schemeOf(number)).toBe(scheme)
  expect(additionalSchemesOf(number)).toEqual(additional)
})

test('every scheme has numbers, or is listed as having none', () => {
  const withNumbers = new Set(['other', ...CARD_RANGES.map(({ scheme }) => scheme)])
  const seconds = new Set(CARD_RANGES.flatMap(({ additional }) => additional))

  const without = Object.keys(CARD_SCHEMES).filter((scheme) => !withNumbers.has(scheme))

  expect(without).toEqual(WITHOUT_NUMBERS)
  expect(seconds).not.toContain('cirrus')
  expect(seconds).toContain('eftpos-australia')
})

test('ranges are well formed, and no two of one length overlap', () => {
  for (const { from, to, scheme, additional } of CARD_RANGES) {
    expect(`${from}-${to}`).toMatch(/^\d+-\d+$/)
    expect(from.length).toBe(to.length)
    expect(from <= to, from).toBe(true)
    expect(additional).not.toContain(scheme)
  }
  for (const [index, one] of CARD_RANGES.entries()) {
    for (const other of CARD_RANGES.slice(index + 1)) {
      const isSameLength = one.from.length === other.from.length
      const isApart = one.to < other.from || other.to < one.from
      expect(!isSameLength || isApart, `${one.from} and ${other.from}`).toBe(true)
    }
  }
})

test('the longest prefix wins at every border', () => {
  for (const { from, to, scheme } of CARD_RANGES) {
    for (const number of [from.padEnd(16, '0'), to.padEnd(16, '9')]) {
      const fitting = CARD_RANGES.filter((range) => isWithin(number, range))
      const longest = Math.max(...fitting.map((range) => range.from.length))
      const winner = fitting.find((range) => range.from.length === longest)
      expect(schemeOf(number), number).toBe(winner?.scheme)
      if (longest === from.length) expect(schemeOf(number)).toBe(scheme)
    }
  }
})

test('a BIN tells as much as the number if it contains no longer range', () => {
  expect(schemeOf('411111')).toBe('visa')
  expect(schemeOf('400000')).toBe('visa')
  expect(additionalSchemesOf('400000')).toEqual([])
  expect(additionalSchemesOf('40000025')).toEqual(['carte-bancaire'])
})

test.each(['', '0', '9', 'four', '٤١١١١١'])('an unknown number has the scheme other: "%s"', (text) => {
  expect(schemeOf(text)).toBe('other')
  expect(additionalSchemesOf(text)).toEqual([])
})

test('a security code has three digits, except on some cards', () => {
  expect(securityCodeLengthsOf('visa')).toEqual([3])
  expect(securityCodeLengthsOf('amex')).toEqual([4])
  expect(securityCodeLengthsOf('other')).toEqual([3, 4])
})

describe('Luhn', () => {
  test('accepts the check digit and no other, for random numbers of every length', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const start = randomDigits(11 + (round % 8))
      const passing = [...'0123456789'].filter((digit) => passesLuhn(start + digit))
      expect(passing.length, start).toBe(1)
    }
  })

  test('detects every wrong digit, and every swapped pair except 09', () => {
    for (const [, number] of PUBLISHED.filter(([, published]) => passesLuhn(published))) {
      for (let at = 0; at < number.length; at += 1) {
        const wrong = (Number(number[at]) + 1 + Math.floor(Math.random() * 9)) % 10
        expect(passesLuhn(number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false)
        const pair = number.slice(at, at + 2)
        if (pair.length < 2 || pair[0] === pair[1] || ['09', '90'].includes(pair)) continue
        const swapped = number.slice(0, at) + pair[1] + pair[0] + number.slice(at + 2)
        expect(passesLuhn(swapped), swapped).toBe(false)
      }
    }
  })

  test.each(['', '0', '4111 1111 1111 1111', '411111111111111a', '٤٢', '-18'])('refuses "%s"', (text) => {
    expect(passesLuhn(text)).toBe(false)
  })
})

describe('expiration', () => {
  test.each([
    ['01/30', { month: 1, year: 2030 }],
    ['12/49', { month: 12, year: 2049 }],
    ['12/00', { month: 12, year: 2000 }],
    ['12/50', { month: 12, year: 1950 }],
    ['01/99', { month: 1, year: 1999 }],
  ])('reads %s', (text, expiration) => {
    expect(parseExpiration(text)).toEqual(expiration)
  })

  test.each(['13/30', '00/30', '1/30', '01/2030', '0130', '01-30', '01/30 ', '01/3a', ''])(
    'refuses "%s"',
    (text) => {
      expect(parseExpiration(text)).toBeUndefined()
    },
  )

  test.each([
    [{ month: 2, year: 2028 }, '2028-02-29T23:59:59Z', false],
    [{ month: 2, year: 2028 }, '2028-03-01T11:59:59.999Z', false],
    [{ month: 2, year: 2028 }, '2028-03-01T12:00:00Z', true],
    [{ month: 12, year: 2029 }, '2029-12-31T23:59:59Z', false],
    [{ month: 12, year: 2029 }, '2030-01-01T12:00:00Z', true],
    [{ month: 1, year: 1999 }, '2026-01-01T00:00:00Z', true],
  ])('%o at %s: expired is %s', (expiration, now, expected) => {
    expect(isExpired(expiration, new Date(now))).toBe(expected)
  })

  test('a card that is valid this month expires in a later month, for good', () => {
    for (let month = 1; month <= 12; month += 1) {
      const expiration = { month, year: 2030 }
      const states = Array.from({ length: 36 }, (_, index) =>
        isExpired(expiration, new Date(Date.UTC(2029, index, 15))),
      )
      expect(states.indexOf(true)).toBe(12 + month)
      expect(states.lastIndexOf(false)).toBe(12 + month - 1)
    }
  })
})

test.each([
  ['4111111111111111', '1111', '41111111'],
  ['378282246310005', '0005', '378282'],
  ['30569309025904', '5904', '305693'],
  ['6799990100000000019', '0019', '67999901'],
])('%s is shown as %s and begins with %s', (number, label, bin) => {
  expect(labelOf(number)).toBe(label)
  expect(binOf(number)).toBe(bin)
})

function isWithin(number: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  const start = number.slice(0, from.length)
  return start >= from && start <= to
}

function randomDigits(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 10)).join('')
}

test.each([
  ['4111111111111111', '***'],
  ['n="4242 4242 4242 4242"', 'n="***"'],
  ['4111-1111-1111-1111,5555555555554444;', '***,***;'],
  ['order 1234567890123, parcel 00340434161094042557', 'order 1234567890123, parcel 00340434161094042557'],
])('masks the numbers of cards in %s', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked)
})
