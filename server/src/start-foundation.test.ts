import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { type Config, readConfig } from './config.ts'
import { type Foundation, openFoundation } from './open-foundation.ts'

let folder: string
let env: Record<string, string>
const opened: Foundation[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-foundation-'))
  env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(await cloneDatabase()) }
})
afterEach(async () => {
  for (const foundation of opened.splice(0)) await foundation.close()
  rmSync(folder, { recursive: true })
})

const key = () => randomBytes(32).toString('base64')

async function open(config: Config): Promise<Foundation> {
  const logger = pino({ level: 'silent' })
  const foundation = await openFoundation(config, { say: () => {}, logger, isOwner: true })
  opened.push(foundation)
  return foundation
}

test('a lost secret is not replaced: the start is refused, and nothing is written', async () => {
  await open(readConfig(env))
  const file = join(folder, 'data/secret.key')
  rmSync(file)

  await expect(open(readConfig(env))).rejects.toThrow(`${file} is missing, and the database needs it`)

  expect(existsSync(file)).toBe(false)
})

test('a vault key command that prints the secret is refused', async () => {
  const secret = key()
  const config = readConfig({ ...env, SECRET_KEY: secret, VAULT_KEY_COMMAND: `echo ${secret}` })

  await expect(open(config)).rejects.toThrow('VAULT_KEY_COMMAND prints the same key as SECRET_KEY')
})

test('production with a database and keys from outside needs no data folder', async () => {
  writeFileSync(join(folder, 'file'), '')
  const config = readConfig({
    ...env,
    DATA_DIR: join(folder, 'file/data'),
    ENVIRONMENT: 'production',
    SECRET_KEY: key(),
    VAULT_KEY: key(),
  })

  const { sealer, context } = await open(config)
  await sealer.seal(context)

  expect(existsSync(config.dataDir)).toBe(false)
})

test('a data folder that is needed and cannot be written to is named', async () => {
  writeFileSync(join(folder, 'file'), '')
  const dataDir = join(folder, 'file/data')

  await expect(open(readConfig({ ...env, DATA_DIR: dataDir }))).rejects.toThrow(
    `DATA_DIR ${dataDir} cannot be written to. Set DATA_DIR to a folder that this user may write to.`,
  )
})

test('a database for analytics has to be our own, or a replica of it', async () => {
  const other = { ...env, DATA_DIR: join(folder, 'other'), DATABASE_URL: urlOf(await cloneDatabase()) }
  await open(readConfig(other))
  const unclaimed = urlOf(await cloneDatabase())

  for (const url of [other.DATABASE_URL, unclaimed]) {
    await expect(open(readConfig({ ...env, ANALYTICS_DATABASE_URL: url }))).rejects.toThrow(
      'ANALYTICS_DATABASE_URL does not lead to our own database. Set it to a replica',
    )
  }
  const { analytics } = await open(readConfig({ ...env, ANALYTICS_DATABASE_URL: env['DATABASE_URL'] ?? '' }))
  await analytics.check?.()
})

test('a database for analytics that is away does not keep the service from starting, and is not used', async () => {
  const ANALYTICS_DATABASE_URL = 'postgres://127.0.0.1:1/nothing'

  const { analytics } = await open(readConfig({ ...env, ANALYTICS_DATABASE_URL }))

  await expect(analytics.check?.()).rejects.toSatisfy(isDatabaseAway)
})
