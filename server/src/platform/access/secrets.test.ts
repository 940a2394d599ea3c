import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import { readOrMakeSecretFile, secretsFrom, writeNewFile } from './secrets.ts'

const secrets = secretsFrom(Buffer.alloc(32, 7))

test('a sealed value opens only where it belongs', () => {
  const sealed = secrets.seal('purpose', 'row-1', 'the text')

  expect(secrets.open('purpose', 'row-1', sealed)).toBe('the text')
  expect(() => secrets.open('purpose', 'row-2', sealed)).toThrow()
  expect(() => secrets.open('other', 'row-1', sealed)).toThrow()
  expect(() => secretsFrom(Buffer.alloc(32, 8)).open('purpose', 'row-1', sealed)).toThrow()
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  expect(() => secrets.open('purpose', 'row-1', sealed)).toThrow()
})

test('sealing the same text twice gives different bytes', () => {
  expect(secrets.seal('p', 'b', 'text').equals(secrets.seal('p', 'b', 'text'))).toBe(false)
})

test('a keyed hash depends on its purpose', () => {
  expect(secrets.mac('a', 'text').equals(secrets.mac('a', 'text'))).toBe(true)
  expect(secrets.mac('a', 'text').equals(secrets.mac('b', 'text'))).toBe(false)
})

test('the secret file is made once, for its owner only', () => {
  const folder = tempFolder()

  const made = readOrMakeSecretFile(folder)

  expect(made).toHaveLength(32)
  expect(readOrMakeSecretFile(folder).equals(made)).toBe(true)
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
})

test('a damaged secret file is refused, not replaced', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'secret.key'), 'damaged')

  expect(() => readOrMakeSecretFile(folder)).toThrow(/Restore it from a backup/)
  expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe('damaged')
})

test('a file that exists is left alone', () => {
  const file = join(tempFolder(), 'key.pem')

  expect(writeNewFile(file, 'first')).toBe(true)
  expect(writeNewFile(file, 'second')).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('first')
})
