import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const GUIDE = readFileSync('docs/guide/write-a-connector.md', 'utf8')

/** The guide's examples as a reader would save them, beside the contract, in a temporary place. */
const place = mkdtempSync(join(tmpdir(), 'switchyard-guide-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
symlinkSync(resolve('connectors/contract'), join(place, 'contract'))
symlinkSync(resolve('node_modules'), join(place, 'node_modules'))
writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }))
const FOLDERS = ['example-card', 'example-anti-fraud']
for (const folder of FOLDERS) {
  mkdirSync(join(place, folder))
  for (const name of ['connector.ts', 'connector.test.ts']) {
    const code = blocks().find((text) => text.startsWith(`// connectors/${folder}/${name}\n`))
    if (code === undefined) throw new Error(`the guide has no ${name} of ${folder}`)
    writeFileSync(join(place, folder, name), code)
  }
  // The file runs the suite: what it describes becomes tests of this file.
  await import(join(place, folder, 'connector.test.ts'))
}

test('the examples compile as strictly as everything else', () => {
  const config = { extends: resolve('tsconfig.json'), include: FOLDERS.map((folder) => `${folder}/*.ts`) }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))

  const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['-p', place], { encoding: 'utf8' })

  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
})

test('the examples are formatted and linted like everything else', () => {
  const args = ['check', '--error-on-warnings', `--config-path=${resolve('biome.json')}`].concat(
    FOLDERS.map((folder) => join(place, folder)),
  )

  const { stdout, stderr, status } = spawnSync('node_modules/.bin/biome', args, { encoding: 'utf8' })

  expect({ output: status === 0 ? '' : stdout + stderr, status }).toEqual({ output: '', status: 0 })
})

test('the guide names the list of connectors as it is written', () => {
  const [start = ''] = blocks().flatMap(
    (text) => /^const CONNECTORS.*?\n(?= {2}exampleCard,\n\]\n$)/s.exec(text) ?? [],
  )

  expect(start).not.toBe('')
  expect(readFileSync('server/src/processing/connectors.ts', 'utf8')).toContain(start)
})

function blocks(): string[] {
  return [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
}
