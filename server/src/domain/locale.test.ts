import { expect, test } from 'vitest'
import { directionOf, localeFor } from './locale.ts'

test.each([
  ['de', 'fr', 'de'],
  [null, 'pt-BR,pt;q=0.9', 'pt-BR'],
  [null, 'pt-PT', 'pt'],
  [null, 'pt', 'pt'],
  [null, 'xx, zh-Hant-TW;q=0.8, en;q=0.1', 'zh-TW'],
  [null, 'zh-TW,zh;q=0.9', 'zh-TW'],
  [null, 'zh-HK', 'zh-TW'],
  [null, 'zh-MO', 'zh-TW'],
  [null, 'zh-Hant', 'zh-TW'],
  [null, 'zh', 'zh'],
  [null, 'zh-CN', 'zh'],
  [null, 'zh-SG', 'zh'],
  [null, 'zh-Hans-HK', 'zh'],
  [null, 'no', 'nb'],
  [null, 'nn-NO,nb;q=0.9', 'nb'],
  [null, 'nb-NO', 'nb'],
  [null, 'iw', 'he'],
  [null, 'he-IL', 'he'],
  [null, 'ko-KR,en;q=0.5', 'ko'],
  [null, 'uk-UA', 'uk'],
  [null, '*;q=0.5', 'en'],
  [null, '-,_,de', 'de'],
  [null, 'en-US', 'en'],
  [null, 'EN-gb', 'en-GB'],
  [null, 'tlh', 'en'],
  [null, undefined, 'en'],
  ['tlh', 'sv', 'sv'],
])('named %s, asked for %s: %s', (named, asked, expected) => {
  expect(localeFor(named, asked)).toBe(expected)
})

test('writes Arabic and Hebrew from right to left', () => {
  expect(directionOf('ar')).toBe('rtl')
  expect(directionOf('he')).toBe('rtl')
  expect(directionOf('de')).toBe('ltr')
})
