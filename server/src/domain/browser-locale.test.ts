import { expect, test } from 'vitest'
import { localeOf } from './browser-locale.ts'

test.each([
  ['en', 'en'],
  ['en-GB', 'en-GB'],
  ['PT-br', 'pt-BR'],
  ['zh-Hant-TW', 'zh-TW'],
  ['es-419', 'es'],
  ['de-DE-u-co-phonebk', 'de-DE'],
  ['fil-PH', null],
  ['en_GB', null],
  ['en-GB,en;q=0.9', null],
  ['', null],
  [null, null],
  [undefined, null],
])('the locale of %s is %s', (tag, locale) => {
  expect(localeOf(tag)).toBe(locale)
})
