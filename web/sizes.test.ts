import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Manifest } from '../server/src/pages/manifest.ts'
import { APPS } from './apps.ts'

const { files, pages, loaders }: Manifest = JSON.parse(readFileSync('web/dist/manifest.json', 'utf8'))
const HTML = new Map(Object.keys(pages).map((page) => [page, readFileSync(`web/dist/${page}`, 'utf8')]))

test.each(APPS)('$name stays within $budget bytes', ({ name: app, budget }) => {
  const own = [...HTML].filter(([page]) => page.startsWith(`${app}/`)).map(([, html]) => html)
  // Not those that the import map lists: they are loaded on demand.
  const loaded = Object.entries(files).filter(([name]) => own.some((html) => html.includes(`="/${name}"`)))
  const scripts = loaded.filter(([name]) => /[.](js|css)$/.test(name))

  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.reduce((sum, [, { bytes }]) => sum + bytes, 0)).toBeLessThanOrEqual(budget)
})

const LOADERS = APPS.flatMap((app) => Object.entries(app.loaders))

test.each(LOADERS)('the loader %s stays within %i bytes', (source, budget) => {
  const file = files[loaders[source.replace('.ts', '.js')] ?? '']

  expect(file?.bytes).toBeGreaterThan(0)
  expect(file?.bytes).toBeLessThanOrEqual(budget)
})

test('no class of the dashboard is styled by two areas: all their style sheets are one', () => {
  const places = new Map<string, Set<string>>()
  for (const file of globSync('web/dashboard/*/*.css')) {
    const area = file.split('/').at(-2) ?? ''
    if (area === 'design') continue
    const sheet = readFileSync(file, 'utf8').replaceAll(/[/][*].*?[*][/]/gs, '')
    for (const [, selectors = ''] of sheet.matchAll(/([^{};]+)[{]/g))
      for (const [name] of selectors.matchAll(/(?<=^|,)\s*[.][\w-]+\s*(?=$|,)/g))
        places.set(name.trim(), (places.get(name.trim()) ?? new Set()).add(area))
  }

  expect(places.size).toBeGreaterThan(100)
  expect([...places].filter(([, areas]) => areas.size > 1)).toEqual([])
})
