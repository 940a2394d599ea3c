import { afterAll, beforeAll, expect, test } from 'vitest'
import { CARD_TYPES, schemeOf } from '#domain/card.ts'
import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { isCountry } from '#domain/country.ts'
import { inTransaction } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import * as cardBins from './store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const NOTHING = { scheme: null, additionalSchemes: null, cardType: null, issuer: null, country: null }
const save = (...entries: (Partial<cardBins.BinEntry> & { prefix: string })[]) =>
  inTransaction(service.context, (tx) =>
    cardBins.saveImported(
      tx,
      entries.map((entry) => ({ ...NOTHING, ...entry })),
    ),
  )

test.each([
  ['4111111111111111', 'visa', [], 'credit', 'US'],
  ['4242424242424242', 'visa', [], 'credit', 'US'],
  ['4000000000000002', 'visa', [], 'credit', 'US'],
  ['4000000760000002', 'visa', [], 'credit', 'BR'],
  ['4000056655665556', 'visa', [], 'debit', 'US'],
  ['4001230000000004', 'visa', ['star'], 'debit', 'US'],
  ['4035501000000008', 'visa', ['carte-bancaire'], 'debit', 'FR'],
  ['4360000001000005', 'carte-bancaire', [], 'debit', 'FR'],
  ['4571999999999999', 'visa', ['dankort'], 'debit', 'DK'],
  ['4687380100010006', 'visa', ['eftpos-australia'], 'debit', 'AU'],
  ['5555555555554444', 'mastercard', [], 'credit', 'US'],
  ['5105105105105100', 'mastercard', [], 'prepaid', 'US'],
  ['2223003122003222', 'mastercard', [], 'credit', 'US'],
  ['378282246310005', 'amex', [], 'credit', 'US'],
  ['371449635398431', 'amex', [], 'credit', 'US'],
  ['6011111111111117', 'discover', [], 'credit', 'US'],
  ['30569309025904', 'diners-club', [], 'credit', 'US'],
  ['36227206271667', 'diners-club', [], 'credit', 'US'],
  ['3566002020360505', 'jcb', [], 'credit', 'JP'],
  ['3530111333300000', 'jcb', [], 'credit', 'JP'],
  ['6200000000000005', 'unionpay', [], 'credit', 'CN'],
  ['8171998927611203', 'unionpay', [], 'credit', 'CN'],
  ['6759649826438453', 'maestro', ['cirrus'], 'debit', 'GB'],
  ['5066991111111118', 'elo', [], 'credit', 'BR'],
  ['6062828888666688', 'hipercard', [], 'credit', 'BR'],
  ['2200000000000004', 'mir', [], 'debit', 'RU'],
  ['6521500000000002', 'rupay', [], 'debit', 'IN'],
  ['5019555544445555', 'dankort', [], 'debit', 'DK'],
  ['6703444444444449', 'bancontact', ['maestro'], 'debit', 'BE'],
  ['135410014004955', 'uatp', [], 'credit', 'US'],
])('knows the test card %s', async (number, ...known) => {
  const [scheme, additionalSchemes, cardType, country] = known
  const facts = await cardBins.lookUp(service.context, number)

  expect(facts).toMatchObject({ scheme, additionalSchemes, cardType, country })
})

test('built-in data uses only words of the API, and agrees with the ranges of numbers', async () => {
  const rows = await service.context.db.selectFrom('card_bins').selectAll().execute()

  expect(rows.length).toBeGreaterThan(80)
  for (const { prefix, scheme, additional_schemes, card_type, country } of rows) {
    expect(schemeOf(prefix.padEnd(11, '0')), prefix).toBe(scheme)
    expect((additional_schemes ?? []).filter((name) => !Object.hasOwn(CARD_SCHEMES, name))).toEqual([])
    expect([...CARD_TYPES, null]).toContain(card_type)
    expect(isCountry(country ?? ''), prefix).toBe(true)
  }
})

test('an unknown number has the scheme of its range', async () => {
  expect(await cardBins.lookUp(service.context, '4999990000000000')).toEqual({
    scheme: 'visa',
    additionalSchemes: [],
    cardType: null,
    issuer: null,
    country: null,
  })
  expect(await cardBins.lookUp(service.context, '999999')).toMatchObject({ scheme: 'other', country: null })
})

test('the longest prefix that fits wins, down to eleven digits', async () => {
  await save(
    { prefix: '490000', issuer: 'six' },
    { prefix: '49000012', issuer: 'eight' },
    { prefix: '49000012345', issuer: 'eleven' },
  )

  const issuers = await Promise.all(
    ['490000', '4900001', '49000013', '49000012', '490000123444', '4900001234599999'].map(
      async (number) => (await cardBins.lookUp(service.context, number)).issuer,
    ),
  )

  expect(issuers).toEqual(['six', 'six', 'six', 'eight', 'eight', 'eleven'])
})

test('an operator’s data wins over built-in data, however short its prefix, and its gaps stay gaps', async () => {
  await save(
    { prefix: '400005', issuer: 'Own Bank', country: 'CH' },
    { prefix: '4000056', issuer: 'Own Bank' },
  )

  expect(await cardBins.lookUp(service.context, '400005111')).toMatchObject({
    issuer: 'Own Bank',
    country: 'CH',
  })
  expect(await cardBins.lookUp(service.context, '400005666')).toEqual({
    scheme: 'visa',
    additionalSchemes: [],
    cardType: null,
    issuer: 'Own Bank',
    country: null,
  })
})

test('an entry that is saved again is changed as a whole', async () => {
  await save({ prefix: '491111', scheme: 'visa', additionalSchemes: ['star', 'nyce'], cardType: 'debit' })
  await save({ prefix: '491111', country: 'AT' })

  const rows = await service.context.db
    .selectFrom('card_bins')
    .selectAll()
    .where('prefix', '=', '491111')
    .execute()

  expect(rows).toEqual([
    {
      prefix: '491111',
      source: 'imported',
      scheme: null,
      additional_schemes: null,
      card_type: null,
      issuer: null,
      country: 'AT',
    },
  ])
})

test('lookups are cached, but not in a transaction', async () => {
  await cardBins.lookUp(service.context, '492222')
  await save({ prefix: '492222', issuer: 'New Bank' })

  const remembered = await cardBins.lookUp(service.context, '492222')
  const read = await inTransaction(service.context, (tx) => cardBins.lookUp(tx, '492222'))

  expect(remembered.issuer).toBeNull()
  expect(read.issuer).toBe('New Bank')
})

test('the database refuses invalid entries', async () => {
  const bad = [
    { prefix: '' },
    { prefix: '123456789012' },
    { prefix: '4a' },
    { country: 'us' },
    { issuer: '' },
  ]
  for (const part of bad) {
    await expect(save({ prefix: '493333', ...part }), JSON.stringify(part)).rejects.toThrow(
      'check constraint',
    )
  }
})
