import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { switchyard } from '#testing/command-line.ts'

/** A folder beside the contract, in a temporary place. */
const place = mkdtempSync(join(tmpdir(), 'switchyard-connector-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
symlinkSync(resolve('connectors/contract'), join(place, 'contract'))
symlinkSync(resolve('node_modules'), join(place, 'node_modules'))
writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module' }))

const run = (...args: string[]) => switchyard(['connector', 'new', ...args])

const made = await run('acme-pay-card', '--in', place)

describe('the suite of a new connector', async () => {
  // The file runs the suite: what it describes becomes tests of this file.
  await import(join(place, 'acme-pay-card/connector.test.ts'))
})

test('a new connector has the name that was given, and nothing of the example', () => {
  const files = readdirSync(join(place, 'acme-pay-card')).sort()
  const text = files.map((name) => readFileSync(join(place, 'acme-pay-card', name), 'utf8')).join('')

  expect(made).toMatchObject({ code: 0, stdout: '' })
  expect(made.stderr).toContain('acme-pay-card is made. Next: npx vitest run connectors/acme-pay-card')
  expect(files).toEqual(['connector.test.ts', 'connector.ts'])
  expect(text).toContain("id: 'acme-pay-card'")
  expect(text).toContain("displayName: 'Acme Pay'")
  expect(text).not.toMatch(/example/i)
})

test.each([
  'acme',
  'card',
  '-card',
  'Acme-card',
  'acme_card',
  '../acme-card',
  'acme--card',
  '1-card',
  `${'a'.repeat(50)}-card`,
])('the name %j is refused, and nothing is written', async (name) => {
  const { code, stderr } = await run('--in', place, '--', name)

  expect(code).toBe(2)
  expect(stderr).toContain('NAME must be the provider and "-card", such as acme-card')
  expect(readdirSync(place).sort()).toEqual(['acme-pay-card', 'contract', 'node_modules', 'package.json'])
})

test('a folder that is there stays as it is', async () => {
  const file = join(place, 'acme-pay-card/connector.ts')
  const before = readFileSync(file, 'utf8')

  const { code, stderr } = await run('acme-pay-card', '--in', place)

  expect(code).toBe(1)
  expect(stderr).toContain('is there already. Choose another name, or remove it.')
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a folder without the contract is refused', async () => {
  const elsewhere = join(place, 'acme-pay-card')

  const { code, stderr } = await run('other-card', '--in', elsewhere)

  expect(code).toBe(1)
  expect(stderr).toContain('has no contract/. Name the connectors folder of a checkout with --in, or make')
  expect(existsSync(join(elsewhere, 'other-card'))).toBe(false)
})

test('a package says which Node it needs, as the kit does', async () => {
  const nodeOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).engines

  const { code } = await run('boxed-card', '--package', '--in', mkdtempSync(join(place, 'packages-')))

  const [folder = ''] = readdirSync(place).filter((name) => name.startsWith('packages-'))
  expect(code).toBe(0)
  expect(nodeOf(join(place, folder, 'boxed-card/package.json'))).toEqual(nodeOf('connector-kit/package.json'))
})
