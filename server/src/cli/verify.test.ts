import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addWaiting } from '#testing/audit-links.ts'
import { type Outcome, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'

const OF_LINK_2 = 'id in (select unnest(entry_ids) from audit_seals where position = 2)'
const dataDir = mkdtempSync(join(tmpdir(), 'switchyard-verify-'))
let client: pg.Client
let env: Record<string, string>
beforeAll(async () => {
  const connection = await cloneDatabase()
  client = new pg.Client(connection as pg.ClientConfig)
  await client.connect()
  env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection) }
  await switchyard(['keys', 'create', '--display-name', 'One', '--role', 'administrator'], env)
  await switchyard(['keys', 'create', '--display-name', 'Two', '--role', 'administrator'], env)
})
afterAll(async () => {
  await client.end()
  rmSync(dataDir, { recursive: true })
})

test('accepts an intact chain, and any earlier head of it, even the empty one', async () => {
  const first = await switchyard(['verify'], env)
  const second = await switchyard(['verify', '--head', headIn(first)], env)
  const third = await switchyard(['verify', '--head', '0:'], env)

  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^links {4}2\nentries {2}5\nhead /) })
  expect([second.code, third.code]).toEqual([0, 0])
  expect([first, second, third].map(({ stderr }) => /The audit log is (\w+)/.exec(stderr)?.[1])).toEqual([
    'consistent',
    'intact',
    'consistent',
  ])
})

test('entries that wait, as in a database that was restored to be tried, are told and nothing more', async () => {
  await addWaiting(env)

  const { code, stderr } = await switchyard(['verify'], env)
  const doctor = await switchyard(['doctor'], env)
  await client.query("update audit_waiting set code = decode('00', 'hex')")
  const forged = await switchyard(['verify'], env)
  const found = await switchyard(['doctor'], env)

  await client.query('delete from audit_logs using audit_waiting where audit_logs.id = audit_waiting.id')
  await client.query('delete from audit_waiting')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^1 entry is not sealed yet, .* Their codes fit/m),
  })
  expect(doctor.stdout).toMatch(/^note +audit log +1 entry is not sealed yet/m)
  expect(forged).toMatchObject({ code: 1, stderr: expect.stringContaining('is not intact: entry') })
  expect(found.stdout).toMatch(/^problem +audit log +entry \S+ of \S+ was not recorded by this service/m)
})

test('names the first link that does not fit', async () => {
  const { rowCount } = await client.query(`update audit_logs set actor_name = 'Forger' where ${OF_LINK_2}`)

  const { code, stdout, stderr } = await switchyard(['verify'], env)

  await client.query(`update audit_logs set actor_name = 'Switchyard command line' where ${OF_LINK_2}`)
  expect(rowCount).toBe(1)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The audit log is not intact: link 2 does not fit its entries')
  expect(stderr).toContain('What was checked before fits: 1 links with 4 entries.')
})

test('finds a gift card with a balance that was not paid for', async () => {
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

test('notices a chain that was cut short by a head noted before, or kept on this machine', async () => {
  const head = headIn(await switchyard(['verify'], env))
  await client.query(`delete from audit_logs where ${OF_LINK_2}`)
  await client.query('delete from audit_seals where position = 2')
  await client.query("delete from api_key_pairs where display_name = 'Two'")

  const here = await switchyard(['verify'], env)
  const elsewhere = await switchyard(['verify'], { ...env, DATA_DIR: copyOfKeys() })
  const withHead = await switchyard(['verify', '--head', head], env)

  expect(here).toMatchObject({ code: 1, stdout: '' })
  expect(here.stderr).toContain(`link ${head} is gone`)
  expect(elsewhere).toMatchObject({ code: 0, stderr: expect.stringContaining('is consistent') })
  expect(withHead).toMatchObject({ code: 1, stdout: '' })
  expect(withHead.stderr).toContain(`the chain does not contain the head ${head}`)
})

test('goes on from a restored chain once it is accepted, and records that', async () => {
  const accepted = await switchyard(['verify', '--accept'], env)
  const after = await switchyard(['verify', '--head', headIn(accepted)], env)

  expect(accepted).toMatchObject({ code: 0, stderr: expect.stringContaining('Restart every process') })
  expect(after).toMatchObject({ code: 0, stderr: expect.stringContaining('is intact') })
  const { rows } = await client.query(
    "select resource_name from audit_logs where resource_type = 'audit-log'",
  )
  expect(rows).toEqual([{ resource_name: expect.stringMatching(/^continued after a restore from 1:/) }])
})

test('an emptied log of a used installation is not consistent', async () => {
  await client.query('delete from audit_logs')
  await client.query('delete from audit_seals')

  const { code, stderr } = await switchyard(['verify'], { ...env, DATA_DIR: copyOfKeys() })

  expect(code).toBe(1)
  expect(stderr).toContain('The audit log is not intact: it is empty, and this installation has been used')
})

/** Another machine of the same installation, which has sealed nothing. */
function copyOfKeys(): string {
  const copy = mkdtempSync(join(dataDir, 'other-'))
  for (const name of readdirSync(dataDir).filter((file) => /[.](key|pem)$/.test(file))) {
    copyFileSync(join(dataDir, name), join(copy, name))
  }
  return copy
}

function headIn({ stdout }: Outcome): string {
  return /^head {5}(2:[0-9a-f]{64})$/m.exec(stdout)?.[1] ?? ''
}
