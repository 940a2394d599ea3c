import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { guardedFolder } from '#testing/guard.ts'
import { removeFolder } from '#testing/service-process.ts'
import { inSources } from './source-places.ts'

test('a trace names the source of each place in the built service, and leaves what has none', () => {
  const root = guardedFolder()
  onTestFinished(() => removeFolder(root))
  const parts = join(root, 'server/dist/parts')
  mkdirSync(parts, { recursive: true })
  // Line 1 has no source. Line 2, column 3 is line 5, column 7.
  const map = { version: 3, sources: ['../../src/payments/charge.ts'], names: [], mappings: ';EAIM' }
  writeFileSync(join(parts, 'app.js.map'), JSON.stringify(map))
  const trace = (place: string, other: string) =>
    `Error: no\n    at charge (${place})\n    at async ${other}\n    at node:internal/process:1:2`

  const read = inSources(trace(`file://${parts}/app.js:2:3`, `${parts}/app.js:2:9`))

  expect(read).toBe(trace('server/src/payments/charge.ts:5:7', 'server/src/payments/charge.ts:5:7'))
  const without = trace(`file://${parts}/other.js:2:3`, `${parts}/app.js:1:1`)
  expect(inSources(without)).toBe(without)
})
