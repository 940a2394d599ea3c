import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOR_BUYERS = ['pay', 'fields', 'drop-in']
const built = (ending: string) =>
  FOR_BUYERS.flatMap((app) => globSync(`web/dist/${app}/assets/*.${ending}`)).map(
    (name): [string, string] => [name, readFileSync(name, 'utf8')],
  )

/** What Safari 15.4 or Chrome 100 lack, and the build does not replace. The compiler knows those of the language (`web/tsconfig.json`). */
const TOO_YOUNG = {
  css: /light-dark\(|[\d.]+d[vl]?[hw]\b|\(width [<>]|color-mix\(|@container|(^|[;{])(rotate|scale|translate):|&/,
  js: /AbortSignal\.(timeout|any)|new CSSStyleSheet|adoptedStyleSheets|\(\?<[=!]|URL\.(parse|canParse)|import\((?!.\.\/(contact|package|wallet-buttons)-)|\((width|height) [<>]/,
}

test.each(built('css'))('%s needs no younger browser', (_name, text) => {
  expect(TOO_YOUNG.css.exec(text)?.[0]).toBeUndefined()
})

test.each(built('js'))('%s needs no younger browser', (_name, text) => {
  expect(TOO_YOUNG.js.exec(text)?.[0]).toBeUndefined()
})

// The frame of the drop-in package shows a line of text until a page takes its place.
const own = built('css').filter(([name]) => !name.includes('/drop-in/'))
test.each(own)('%s has both colour schemes', (_name, text) => {
  expect(text).toContain('@media (prefers-color-scheme:dark)')
  expect(text).toContain(':root[data-theme=dark]')
})
