import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchyard, urlOf } from '../testing/command-line.ts'
import { cloneDatabase } from '../testing/harness.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-verify-'))
let client: pg.Client
let env: Record<string, string>
beforeAll(async () => {
  const connection = await cloneDatabase()
  client = new pg.Client(connection as pg.ClientConfig)
  await client.connect()
  env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection) }
  await switchyard(['keys', 'create', '--display-name', 'One'], env)
  await switchyard(['keys', 'create', '--display-name', 'Two'], env)
})
afterAll(async () => {
  await client.end()
  rmSync(dataDir, { recursive: true })
})

test('finds an intact chain, and any head it has passed, be it the empty one', async () => {
  const first = await switchyard(['verify'], env)
  const head = /^head {5}(2:[0-9a-f]{64})$/m.exec(first.stdout)?.[1] ?? ''
  const second = await switchyard(['verify', '--head', head], env)
  const third = await switchyard(['verify', '--head', '0:'], env)

  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^links {4}2\nentries {2}3\nhead /) })
  expect([second.code, third.code]).toEqual([0, 0])
})

test('notices that the chain was cut short, if it is given the head', async () => {
  const head = `3:${'0'.repeat(64)}`

  const { code, stdout, stderr } = await switchyard(['verify', '--head', head], env)

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`the chain does not contain the head ${head}`)
})

test('names the first link that does not fit', async () => {
  const changed = await client.query("update audit_logs set actor_name = 'Nobody' where seal_position = 2")

  const { code, stdout, stderr } = await switchyard(['verify'], env)

  expect(changed.rowCount).toBe(1)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The audit log is not intact: link 2 does not fit its entries')
  expect(stderr).toContain('What was checked before fits: 1 links with 2 entries.')
})
