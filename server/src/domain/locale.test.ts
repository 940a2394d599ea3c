import { expect, test } from 'vitest'
import { directionOf, localeFor } from './locale.ts'

test.each([
  ['de', 'fr', 'de'],
  [null, 'pt-BR,pt;q=0.9', 'pt-BR'],
  [null, 'pt-PT', 'pt'],
  [null, 'xx, zh-Hant-TW;q=0.8, en;q=0.1', 'zh'],
  [null, 'en-US', 'en'],
  [null, 'EN-gb', 'en-GB'],
  [null, 'tlh', 'en'],
  [null, undefined, 'en'],
  ['tlh', 'sv', 'sv'],
])('named %s, asked for %s: %s', (named, asked, expected) => {
  expect(localeFor(named, asked)).toBe(expected)
})

test('writes Arabic from right to left', () => {
  expect(directionOf('ar')).toBe('rtl')
  expect(directionOf('de')).toBe('ltr')
})
