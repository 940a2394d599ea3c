import { randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { guardedFolder } from '#testing/guard.ts'
import { removeFolder } from '#testing/service-process.ts'
import { readConfig } from './config.ts'

const folder = guardedFolder()
afterAll(() => removeFolder(folder))
const KEY = randomBytes(32).toString('base64')

function fileWith(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  chmodSync(file, 0o600)
  return file
}

test('takes secrets from files, without the line break that editors leave', () => {
  const config = readConfig({
    SECRET_KEY_FILE: fileWith('secret-key', `${KEY}\n`),
    DATABASE_URL_FILE: fileWith('database-url', 'postgresql://me:word@db.internal/payments\n'),
    METRICS_TOKEN_FILE: fileWith('metrics-token', 'watch'),
  })

  expect(config.secretKey?.toString('base64')).toBe(KEY)
  expect(config).toMatchObject({
    databaseUrl: 'postgresql://me:word@db.internal/payments',
    metricsToken: 'watch',
  })
})

test.each([
  [
    'is missing',
    () => join(folder, 'none'),
    /^SECRET_KEY_FILE names .*none, which cannot be read \(ENOENT\)[.]$/,
  ],
  ['is a folder', () => folder, /which cannot be read \(EISDIR\)/],
  ['is empty', () => fileWith('empty', '\n'), /^SECRET_KEY_FILE names .*empty, which is empty[.]$/],
])('stops if the file %s: it makes no secret in its place', (_name, file, message) => {
  expect(() => readConfig({ SECRET_KEY_FILE: file() })).toThrow(message)
})

test('stops if a secret is given both ways, and shows neither', () => {
  const env = { VAULT_KEY: KEY, VAULT_KEY_FILE: fileWith('vault-key', KEY) }

  expect(() => readConfig(env)).toThrow(/^Set VAULT_KEY or VAULT_KEY_FILE, not both[.]$/)
})

test('says what is wrong with the content as with any value, and does not show it', () => {
  const file = fileWith('short', 'hunter2')

  expect(() => readConfig({ SECRET_KEY_FILE: file })).toThrow(/^SECRET_KEY must be 32 bytes in base64/)
  expect(() => readConfig({ SECRET_KEY_FILE: file })).not.toThrow(/hunter2/)
})

test('only secrets can lie in files', () => {
  expect(readConfig({ LOG_LEVEL_FILE: fileWith('level', 'warn') }).logLevel).toBe('info')
})
