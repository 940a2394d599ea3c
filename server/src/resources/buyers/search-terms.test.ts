import { expect, test } from 'vitest'
import { normalize, searchTerms, searchText, textQueries, timeQuery } from './search-terms.ts'

test('a text is lower case, composed, and has a line for each field that is set', () => {
  expect(searchText(['Rene\u0301e', null, undefined, 'A\nB\u0001'])).toBe('renée\na b ')
  expect(normalize('ÀÉЖ')).toBe('àéж')
})

test('a row is known by its neighbouring characters, its account and the time it was created in', () => {
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

test('one or two characters are asked for as beginnings', () => {
  expect(textQueries('a', '')).toEqual(["'a':*"])
  expect(textQueries('🂡é', '')).toEqual(["'🂡é':*"])
})

test('quotes and backslashes are only characters', () => {
  expect(textQueries("o'\\", '')).toEqual(["'o''\\\\'"])
})

test('a long text asks for its rarest terms first, rather apart than overlapping', () => {
  const sample = 'john@example.com\njane@example.com\nabc@example.com'

  expect(textQueries('abc1234@example.com', sample)).toEqual(["'bc1'", "'234'", "'@ex'", "'amp'"])
  expect(textQueries('aaaaaa', sample)).toEqual(["'aaa'"])
})

test.each([
  [0, 100, 1],
  [0, 4_096, 17],
  [1_000_000, 1_000_000 + 60_000, 15],
  [Date.UTC(2020, 0), Date.UTC(2026, 0), 4],
  [0, Date.UTC(2100, 0), 60],
])('the time from %i to %i is asked for in %i spans', (fromMs, toMs, count) => {
  const spans = timeQuery(fromMs, toMs).split(' | ')

  const known = [fromMs, (fromMs + toMs) / 2, toMs].map((ms) =>
    searchTerms({ merchant_account_id: 'shop', created_at: new Date(ms), search_text: '' }),
  )
  expect(spans.length).toBe(count)
  for (const terms of known) expect(spans.some((span) => terms.includes(span.slice(1, -1)))).toBe(true)
})
