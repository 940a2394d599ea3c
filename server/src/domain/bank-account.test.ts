import { describe, expect, test } from 'vitest'
import {
  compact,
  hasIbanLength,
  isAbaOfBank,
  labelOfAccount,
  passesAbaCheck,
  passesIbanCheck,
} from './bank-account.ts'

describe('an IBAN', () => {
  // The examples of the SWIFT IBAN Registry.
  const good = [
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'NL91ABNA0417164300',
    'MT84MALT011000012345MTLCAST001S',
    'NO9386011117947',
    'FR1420041010050500013M02606',
  ]
  test.each(good)('%s is right', (iban) => {
    expect([hasIbanLength(iban), passesIbanCheck(iban)]).toEqual([true, true])
  })

  test.each(good)('%s with two signs swapped or one changed is wrong', (iban) => {
    const end = iban.at(-1) === '1' ? '2' : '1'
    const swapped = `${iban.slice(0, 2)}${iban[3]}${iban[2]}${iban.slice(4)}`

    expect(passesIbanCheck(iban.slice(0, -1) + end)).toBe(false)
    expect(passesIbanCheck(swapped)).toBe(iban[2] === iban[3])
  })

  test.each(['DE8937040044053201300', 'US89370400440532013000', 'XX', '', 'constructor'])(
    'has the length of its country in SEPA: %j',
    (iban) => expect(hasIbanLength(iban)).toBe(false),
  )

  test.each(['', 'DE', 'DE8', 'de89370400440532013000', 'DE89-3704', '1234567890'])(
    'has a form: %j',
    (iban) => expect(passesIbanCheck(iban)).toBe(false),
  )
})

describe('a routing number', () => {
  test.each(['021000021', '011401533', '322271627', '121000358'])('%s is right', (number) => {
    expect([passesAbaCheck(number), isAbaOfBank(number)]).toEqual([true, true])
  })

  test.each(['021000022', '012000021', '02100002', '0210000210', 'abcdefghi', ''])(
    '%j is wrong',
    (number) => {
      expect(passesAbaCheck(number)).toBe(false)
    },
  )

  test.each(['000000000', '130000006', '501000008', '800000019'])('%s is of no bank', (number) => {
    expect(isAbaOfBank(number)).toBe(false)
  })
})

test.each([
  ['ach', '1234567890', 'ACH ******7890'],
  ['sepa', 'DE89370400440532013000', 'SEPA ******3000'],
  ['bacs', '31926819', 'BACS ******6819'],
  ['ach', '12345', 'ACH ******45'],
] as const)('the label of %s %s hides at least half', (scheme, number, label) => {
  expect(labelOfAccount(scheme, number)).toBe(label)
})

test('spaces and dashes are left out', () => {
  expect(compact('de89 3704 0044-0532')).toBe('DE89370400440532')
})
