import { expect, test } from 'vitest'
import { readBankAccount } from './bank-account.ts'
import { secret } from './secret.ts'

const IBAN = 'NL91ABNA0417164300'
const read = (payload: unknown) =>
  readBankAccount({
    kind: 'bank',
    payload: secret(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    mandate: null,
  })

test('reads a stored account, with a person or a company as its holder', () => {
  const person = { first_name: 'Ada', last_name: 'Lovelace', company_name: null }
  const ach = {
    scheme: 'ach',
    account_number: '000123',
    routing_number: '110000000',
    account_type: 'savings',
  }

  expect(read({ scheme: 'sepa', account_number: IBAN, account_holder: person })).toEqual({
    scheme: 'sepa',
    number: IBAN,
    routing: null,
    type: null,
    holder: { name: 'Ada Lovelace', isCompany: false },
  })
  expect(read({ ...ach, account_holder: { ...person, company_name: 'Acme Ltd' } })).toEqual({
    scheme: 'ach',
    number: '000123',
    routing: '110000000',
    type: 'savings',
    holder: { name: 'Acme Ltd', isCompany: true },
  })
})

test('leaves open what the merchant did not send, or sent in another form', () => {
  const nothing = { scheme: null, number: IBAN, routing: null, type: null, holder: null }

  expect(read({ account_number: IBAN })).toEqual(nothing)
  expect(
    read({ scheme: 'swift', account_number: IBAN, routing_number: 7, account_type: '', account_holder: [] }),
  ).toEqual(nothing)
})

test.each([
  ['no JSON', 'account'],
  ['a list', [IBAN]],
  ['no number', { scheme: 'sepa' }],
  ['an empty number', { account_number: '' }],
])('is null for %s', (_what, payload) => {
  expect(read(payload)).toBeNull()
})

test('is null for another instrument', () => {
  expect(readBankAccount({ kind: 'redirect', method: 'ideal', country: 'NL', currency: 'EUR' })).toBeNull()
})
