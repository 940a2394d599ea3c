import { describe, expect, test } from 'vitest'
import { rememberResolved } from './resolve-once.ts'

const HERE = new URL('./app.ts', import.meta.url).href
const PACKAGE = new URL('../../node_modules/kysely/dist/index.js', import.meta.url).href
const CONNECTOR = new URL('../../.data/connectors/index.js', import.meta.url).href
const ATTRIBUTES = { importAttributes: {} }

/** Resolves, and tells which specifiers Node was asked for. */
function open(answer = (specifier: string, parent: string) => new URL(specifier, parent).href) {
  const asked: string[] = []
  const resolve = rememberResolved()
  return {
    asked,
    resolve: (specifier: string, parentURL = HERE, conditions = ['node', 'import']) =>
      resolve(specifier, { ...ATTRIBUTES, parentURL, conditions }, () => {
        asked.push(specifier)
        return { url: answer(specifier, parentURL), format: 'module-typescript' }
      }),
  }
}

const urlOf = (specifier: string, parent = HERE) => new URL(specifier, parent).href

describe('remembering what Node resolved', () => {
  test('asks once for the files of a folder', () => {
    const { asked, resolve } = open()
    resolve('./config.ts')
    expect(resolve('./start.ts')).toMatchObject({ url: urlOf('./start.ts'), format: 'module-typescript' })
    expect(asked).toEqual(['./config.ts'])
  })

  test('asks again for another folder and for another kind of file', () => {
    const { asked, resolve } = open()
    for (const specifier of ['./config.ts', './cli/serve.ts', './facts.json', './cli/terminal.ts'])
      resolve(specifier)
    expect(asked).toEqual(['./config.ts', './cli/serve.ts', './facts.json'])
  })

  test('learns nothing from a file that lies elsewhere', () => {
    const { asked, resolve } = open((specifier) => `file:///elsewhere/${specifier.slice(2)}`)
    resolve('./config.ts')
    expect(resolve('./start.ts').url).toBe('file:///elsewhere/start.ts')
    expect(asked).toEqual(['./config.ts', './start.ts'])
  })

  test('asks once for a name that our own files import', () => {
    const { asked, resolve } = open(() => 'file:///found.js')
    resolve('kysely')
    resolve('#platform/database/db.ts', urlOf('./cli/serve.ts'))
    expect(resolve('kysely', urlOf('./cli/serve.ts')).url).toBe('file:///found.js')
    expect(asked).toEqual(['kysely', '#platform/database/db.ts'])
  })

  test('asks each time for a name that a package imports: it may have its own version', () => {
    const { asked, resolve } = open(() => 'file:///found.js')
    resolve('jose')
    for (const parent of [PACKAGE, PACKAGE, CONNECTOR, CONNECTOR]) resolve('jose', parent)
    expect(asked).toHaveLength(5)
  })

  test('leaves to Node what is required, and files outside of the service', () => {
    const { asked, resolve } = open()
    const outside = 'file:///srv/connectors/index.js'
    for (const _ of [1, 2]) {
      resolve('./parser.js', PACKAGE, ['node', 'require'])
      resolve('./parser.js', outside)
    }
    expect(asked).toHaveLength(4)
  })
})
