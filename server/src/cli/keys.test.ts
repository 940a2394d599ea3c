import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useBesideService } from '#testing/beside-service.ts'
import type { Outcome } from '#testing/command-line.ts'
import { until } from '#testing/receiver.ts'

const { dataDir, run, send, statusWith } = useBesideService()

const list = async () => JSON.parse((await run('keys', 'list', '--json')).stdout)

test('a created key is accepted until it is disabled, and both are in the audit log', async () => {
  const created = await run('keys', 'create', '--display-name', 'Shop Bäckend', '--role', 'administrator')
  const file = join(dataDir, 'shop-backend-key.pem')
  const { stdout: token } = await run('token', '--key', file)
  const accepted = await statusWith(token)
  const disabled = await run('keys', 'disable', idIn(created))
  await until(async () => (await statusWith(token)) === 401)
  const actions = await actionsOn(idIn(created))

  expect(created.code, created.stderr).toBe(0)
  expect(created.stdout).toMatch(/^id {10}[0-9a-f-]{36}\nthumbprint {2}[\w-]{43}\nfile {8}.+\n$/)
  expect(created.stdout).toContain(`file        ${file}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(accepted).toBe(200)
  expect(disabled).toMatchObject({ code: 0, stdout: '' })
  expect(disabled.stderr).toContain('refuses its tokens within 5 seconds')
  expect(actions).toEqual(['updated', 'created'])
})

test('a key has the roles, the accounts and the algorithm it was made with', async () => {
  const out = join(dataDir, 'own-name.pem')
  const roles = ['--role', 'processing', '--role', 'reporting']
  const rest = ['--merchant-account', 'default', '--algorithm', 'RSA', '--out', out]
  const created = await run('keys', 'create', '--display-name', 'Narrow', ...roles, ...rest)

  const pair = (await list()).find(({ id }: { id: string }) => id === idIn(created))
  expect(created.code, created.stderr).toBe(0)
  expect(readFileSync(out, 'utf8')).toContain('BEGIN PRIVATE KEY')
  expect(pair).toMatchObject({ display_name: 'Narrow', algorithm: 'RSA', active: true, private_key: null })
  expect(pair.roles.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['processing', 'reporting'])
  expect(pair.merchant_accounts).toMatchObject([{ id: 'default' }])
})

test('a key on the curve Ed25519 is made, and its tokens are accepted', async () => {
  const out = join(dataDir, 'ed25519.pem')
  const created = await run(
    'keys',
    'create',
    '--display-name',
    'Fast',
    '--role',
    'administrator',
    '--algorithm',
    'Ed25519',
    '--out',
    out,
  )
  const { stdout: token } = await run('token', '--key', out)

  const pair = (await list()).find(({ id }: { id: string }) => id === idIn(created))
  expect(created.code, created.stderr).toBe(0)
  expect(pair).toMatchObject({ algorithm: 'EdDSA' })
  expect(await statusWith(token)).toBe(200)
})

test('an existing file is never overwritten, and no key is made for it', async () => {
  const before = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')
  const keys = (await list()).length

  const { code, stdout, stderr } = await run(
    'keys',
    'create',
    '--display-name',
    'Admin',
    '--role',
    'administrator',
  )

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('admin-key.pem exists')
  expect(readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')).toBe(before)
  expect((await list()).length).toBe(keys)
})

test.each([
  [['--role', 'procesing'], 'There is no role "procesing". Did you mean processing?'],
  [['--role', 'king'], 'There is no role "king". There are\n  administrator\n'],
  [['--merchant-account', 'nowhere'], 'There is no merchant account "nowhere".'],
])('%j is refused before a file is written', async (options, sentence) => {
  const out = join(dataDir, 'never.pem')

  const { code, stderr } = await run(
    'keys',
    'create',
    '--display-name',
    'Never',
    '--role',
    'administrator',
    '--out',
    out,
    ...options,
  )

  expect(code).toBe(1)
  expect(stderr).toContain(sentence)
  expect(existsSync(out)).toBe(false)
})

test('a folder that does not exist is refused', async () => {
  const { code, stderr } = await run(
    'keys',
    'create',
    '--display-name',
    'a',
    '--role',
    'processing',
    '--out',
    join(dataDir, 'no/a.pem'),
  )

  expect(code).toBe(1)
  expect(stderr).toContain(`There is no folder ${join(dataDir, 'no')}.`)
})

test('the list is a table', async () => {
  const { code, stdout, stderr } = await run('keys', 'list')

  const [headings = '', ...rows] = stdout.trimEnd().split('\n')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(headings.split(/ {2,}/)).toEqual([
    'ID',
    'NAME',
    'THUMBPRINT',
    'ACTIVE',
    'ROLES',
    'ACCOUNTS',
    'LAST USED',
  ])
  expect(rows.at(-1)).toMatch(/^\S{36} {2}Administrator +\S{43} {2}yes +administrator +all +\S+$/)
})

test.each(['0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002', 'nonsense'])(
  'disabling %s, which is unknown, fails',
  async (id) => {
    const { code, stderr } = await run('keys', 'disable', id)

    expect(code).toBe(1)
    expect(stderr).toBe(`There is no API key pair ${id}. See: switchyard keys list\n`)
  },
)

function idIn({ stdout }: Outcome): string {
  return /^id {10}(\S+)$/m.exec(stdout)?.[1] ?? ''
}

async function actionsOn(id: string): Promise<string[]> {
  const { items }: { items: AuditLog[] } = await send('GET /audit-logs?limit=100')
  return items.filter(({ resource }) => resource.id === id).map(({ action }) => action)
}
type AuditLog = { readonly action: string; readonly resource: { readonly id: string } }
