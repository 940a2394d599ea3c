import { expect, test } from 'vitest'
import { normalize, searchTerms, searchText, textQueries, timeFrom } from './search-terms.ts'

test('a text is in lower case, composed, with a line for each set field', () => {
  expect(searchText(['Rene\u0301e', null, undefined, 'A\nB\u0001'])).toBe('renée\na b ')
  expect(normalize('ÀÉЖ')).toBe('àéж')
})

test('a row’s terms are its neighbouring characters, its account and its time of creation', () => {
  const terms = searchTerms({
    merchant_account_id: 'shop',
    created_at: new Date(0x1_0000_1000),
    search_text: '李小龙é\nab',
  })

  expect(terms).toEqual([
    '李小龙',
    '小龙é',
    '龙é',
    'é',
    'ab',
    'b',
    '\u0001shop',
    '\u00028:16777232',
    '\u000212:1048577',
    '\u000216:65536',
    '\u000220:4096',
    '\u000224:256',
    '\u000228:16',
    '\u000232:1',
    '\u000236:0',
  ])
})

const NO_SAMPLE = { texts: '', size: 0 }

test('one or two characters are searched as prefixes', () => {
  expect(textQueries('a', NO_SAMPLE)).toEqual(["'a':*"])
  expect(textQueries('🂡é', NO_SAMPLE)).toEqual(["'🂡é':*"])
})

test('quotes and backslashes are plain characters', () => {
  expect(textQueries("o'\\", NO_SAMPLE)).toEqual(["'o''\\\\'"])
})

test('a long text uses its rarest terms first, preferably apart, and no common ones', () => {
  const sample = { texts: 'john@example.com\njane@example.com\nabc@example.com\nabc', size: 4 }

  expect(textQueries('abc1234@example.com', sample)).toEqual(["'bc1'", "'234'", "'c12'", "'123'"])
  expect(textQueries('@example', sample)).toEqual(["'@ex'"])
  expect(textQueries('aaaaaa', sample)).toEqual(["'aaa'"])
})

test.each([
  [1_000_000, 200],
  [1_000_000, -200],
  [1_000_000, 60_000],
  [1_000_000_000_000, -60_000],
  [Date.UTC(2026, 0), -6 * 365 * 86_400_000],
  [0, Date.UTC(2300, 0)],
])('the time from %i on for %i needs few spans, and ends with one', (fromMs, lengthMs) => {
  const { query, toMs } = timeFrom(fromMs, lengthMs)

  const spans = query.split(' | ').map((span) => span.slice(1, -1))
  const isAsked = (ms: number) =>
    searchTerms({ merchant_account_id: 'shop', created_at: new Date(ms), search_text: '' }).some((term) =>
      spans.includes(term),
    )
  expect(spans.length).toBeLessThan(160)
  expect([fromMs, fromMs + lengthMs / 2, fromMs + lengthMs].map(isAsked)).toEqual([true, true, true])
  expect([toMs - 1, toMs].map(isAsked)).toEqual(lengthMs < 0 ? [false, true] : [true, false])
})
