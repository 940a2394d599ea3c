import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCALES } from '#domain/locale.ts'

const catalogues = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'))

test.each(catalogues)('%s says everything in every language', async (file) => {
  const exported: object = await import(`./${file}`)
  const [words] = Object.values(exported) as [Record<string, Record<string, unknown>>]
  expect(new Set(Object.keys(words))).toEqual(new Set(LOCALES))
  const [english = {}] = Object.values(words)
  for (const [locale, texts] of Object.entries(words)) {
    expect(new Set(Object.keys(texts)), locale).toEqual(new Set(Object.keys(english)))
    expect(
      Object.values(texts).filter((text) => !text),
      locale,
    ).toEqual([])
  }
})
