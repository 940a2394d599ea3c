import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Outcome, switchyard } from '../testing/command-line.ts'
import { urlOf } from '../testing/database-url.ts'
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
  const second = await switchyard(['verify', '--head', headIn(first)], env)
  const third = await switchyard(['verify', '--head', '0:'], env)

  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^links {4}2\nentries {2}5\nhead /) })
  expect([second.code, third.code]).toEqual([0, 0])
})

test('names the first link that does not fit', async () => {
  const { rowCount } = await client.query(
    "update audit_logs set actor_name = 'Nobody' where seal_position = 2",
  )

  const { code, stdout, stderr } = await switchyard(['verify'], env)

  await client.query("update audit_logs set actor_name = 'Switchyard command line' where seal_position = 2")
  expect(rowCount).toBe(1)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The audit log is not intact: link 2 does not fit its entries')
  expect(stderr).toContain('What was checked before fits: 1 links with 4 entries.')
})

test('notices a gift card with money on it that nobody paid for', async () => {
  const id = '01900000-0000-7000-8000-00000000000a'
  await client.query(
    `with program as (insert into issuer.programs values ('${id}', 'x', 'Shop', now())),
       card as (
         insert into issuer.cards values ('${id}', '${id}', 'x', '0000', 'EUR', 'inactive', '', null, null, now())
       )
     insert into issuer.accounts values ('card:${id}', '${id}', 'card', '${id}', 'EUR', 100)`,
  )

  const { code, stdout, stderr } = await switchyard(['verify'], env)

  await client.query(`delete from issuer.accounts where card_id = '${id}'`)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The ledger of gift cards does not add up')
  expect(stderr).toContain(`card:${id} does not have the balance that its entries add up to`)
})

test('notices a chain that was cut short only by the head noted before', async () => {
  const head = headIn(await switchyard(['verify'], env))
  await client.query('delete from audit_logs where seal_position = 2')
  await client.query('delete from audit_seals where position = 2')

  const without = await switchyard(['verify'], env)
  const withHead = await switchyard(['verify', '--head', head], env)

  expect(without.code).toBe(0)
  expect(withHead).toMatchObject({ code: 1, stdout: '' })
  expect(withHead.stderr).toContain(`the chain does not contain the head ${head}`)
})

function headIn({ stdout }: Outcome): string {
  return /^head {5}(2:[0-9a-f]{64})$/m.exec(stdout)?.[1] ?? ''
}
