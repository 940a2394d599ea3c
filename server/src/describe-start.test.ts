import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instanceNameOf } from '#platform/process/instance.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { signIn } from '#testing/sign-in.ts'
import { adminKeyFile, type Config, PORT_DEFAULT, readConfig } from './config.ts'
import { describeStart } from './describe-start.ts'
import { whoListens } from './who-listens.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-describe-'))
let service: TestService
let config: Config
beforeAll(async () => {
  service = await startTestService()
  config = readConfig({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await service.close()
  rmSync(dataDir, { recursive: true })
})

const describe = (port = PORT_DEFAULT) =>
  describeStart(config, port, { ...service, publicUrl: 'http://127.0.0.1:3000' })

test('a key file is shown only if this database knows its key', async () => {
  const none = await describe()
  writeFileSync(adminKeyFile(dataDir), service.admin.privateKey)
  const own = await describe()
  const foreign = (await service.addKey({ name: 'Gone' })).privateKey
  await service.context.db
    .updateTable('api_key_pairs')
    .set({ active: false })
    .where('display_name', '=', 'Gone')
    .execute()
  writeFileSync(adminKeyFile(dataDir), foreign)
  const inactive = await describe()
  writeFileSync(adminKeyFile(dataDir), 'no key at all')
  const garbage = await describe()

  expect(own).toMatchObject({ keyFile: adminKeyFile(dataDir), hasKeys: true, atDefaultPort: null })
  expect([none, inactive, garbage].map(({ keyFile, hasKeys }) => ({ keyFile, hasKeys }))).toEqual(
    Array(3).fill({ keyFile: null, hasKeys: true }),
  )
})

test('says what uses the default port when it had to take another one', async () => {
  const place = { host: config.host, port: PORT_DEFAULT }

  const { atDefaultPort } = await describe(PORT_DEFAULT + 1)

  expect(atDefaultPort).toBe(await whoListens(place, instanceNameOf(service.secrets)))
})

test('makes a setup link while there is no user', async () => {
  const { makeSetupLink } = await describe()
  const first = await makeSetupLink?.()
  const second = await makeSetupLink?.()
  await signIn(service)
  const later = await describe()

  expect(first).toMatch(/^http:[/][/]localhost:3000[/]dashboard[/]setup#[\w-]{43}$/)
  expect(second).not.toBe(first)
  expect(later.makeSetupLink).toBeNull()
})
