import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTRACT_VERSION, obstacleOf } from './version.ts'

test('the kit has the version of the contract, and holds the contract alone', () => {
  const { version, dependencies } = JSON.parse(readFileSync('connector-kit/package.json', 'utf8'))
  const imported = readdirSync(import.meta.dirname)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/ from '([^']+)'$/gm),
    ])
    .map(([, name = '']) => name)

  expect(version.split('.').slice(0, 2).join('.')).toBe(CONTRACT_VERSION)
  expect(dependencies).toBeUndefined()
  expect(imported.length).toBeGreaterThan(50)
  expect(imported.filter((name) => !/^[.]\/[\w-]+[.]ts$|^node:|^vitest$/.test(name))).toEqual([])
})

test.each([
  ['2.3', true],
  ['2.0', true],
  ['2.4', false],
  ['1.3', false],
  ['3.0', false],
  ['2', false],
  ['2.x', false],
  ['undefined', false],
])('a service with contract 2.3 runs a package for %s: %s', (wanted, isRun) => {
  expect(obstacleOf(wanted, '2.3') === null).toBe(isRun)
})
