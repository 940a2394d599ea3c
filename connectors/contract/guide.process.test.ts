import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const GUIDE = readFileSync('docs/guide/write-a-connector.md', 'utf8')
const FILES = ['connector.ts', 'connector.test.ts']

/** The guide's example as a reader would save it, beside the contract, in a temporary place. */
const place = mkdtempSync(join(tmpdir(), 'switchyard-guide-'))
const folder = join(place, 'example-card')
afterAll(() => rmSync(place, { recursive: true, force: true }))
mkdirSync(folder)
symlinkSync(resolve('connectors/contract'), join(place, 'contract'))
symlinkSync(resolve('node_modules'), join(place, 'node_modules'))
writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }))
for (const name of FILES) {
  const code = blocks().find((text) => text.startsWith(`// connectors/example-card/${name}\n`))
  if (code === undefined) throw new Error(`the guide has no ${name}`)
  writeFileSync(join(folder, name), code)
}
// The file runs the suite: what it describes becomes tests of this file.
await import(join(folder, 'connector.test.ts'))

test('the example compiles as strictly as everything else', () => {
  const config = { extends: resolve('tsconfig.json'), include: ['example-card/*.ts'] }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))

  const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['-p', place], { encoding: 'utf8' })

  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
})

test('the example is formatted and linted like everything else', () => {
  const args = ['check', '--error-on-warnings', `--config-path=${resolve('biome.json')}`, folder]

  const { stdout, stderr, status } = spawnSync('node_modules/.bin/biome', args, { encoding: 'utf8' })

  expect({ output: status === 0 ? '' : stdout + stderr, status }).toEqual({ output: '', status: 0 })
})

test('the guide names the list of connectors as it is written', () => {
  const [, start = ''] = /^(const CONNECTORS.*\n) {2}exampleCard,\n\]$/ms.exec(blocks().at(-1) ?? '') ?? []

  expect(start).not.toBe('')
  expect(readFileSync('server/src/processing/connectors.ts', 'utf8')).toContain(start)
})

function blocks(): string[] {
  return [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
}
