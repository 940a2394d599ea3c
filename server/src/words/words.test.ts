import { expect, test } from 'vitest'
import { LOCALES } from '#domain/locale.ts'
import { WORDS } from './words.ts'

/** Every text with its place, such as `pay.order`. */
const textsOf = (words: object, place = ''): [string, string][] =>
  Object.entries(words).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[`${place}${name}`, text]] : textsOf(text, `${place}${name}.`),
  )
const namesIn = (text: string) => new Set([...text.matchAll(/\{\w+\}/g)].map(String))
const ENGLISH = new Map(textsOf(WORDS.en))

test.each(LOCALES)('%s says everything, with the same names filled in', (locale) => {
  const texts = textsOf(WORDS[locale])

  expect(new Set(texts.map(([place]) => place))).toEqual(new Set(ENGLISH.keys()))
  for (const [place, text] of texts) {
    expect(text.trim(), place).not.toBe('')
    expect(namesIn(text), place).toEqual(namesIn(ENGLISH.get(place) ?? ''))
  }
})

test.each(LOCALES.filter((locale) => !locale.startsWith('en')))(
  'no sentence is left in English in %s',
  (locale) => {
    const left = textsOf(WORDS[locale]).filter(
      ([place, text]) => text.includes(' ') && text === ENGLISH.get(place),
    )

    expect(left.filter(([place]) => place !== 'pay.expiryExample')).toEqual([])
  },
)

test('one sort of Chinese characters in each sort of Chinese', () => {
  expect(JSON.stringify(WORDS['zh-TW'])).not.toMatch(/[这请输码过订单银网页钱发时间选择张关]/)
  expect(JSON.stringify(WORDS.zh)).not.toMatch(/[這請輸碼過訂單銀網頁錢發時間選擇張關]/)
})
