import { expect, test } from 'vitest'
import { useBesideService } from '#testing/beside-service.ts'
import { readConfig } from '../config.ts'
import { addressOf } from './own-address.ts'

const { run, send, place } = useBesideService()

test('a user is invited, listed, reset and disabled, and all of it is in the audit log', async () => {
  const invited = await run(
    'users',
    'invite',
    'mara@example.com',
    '--role',
    'analyst',
    '--account',
    'default',
  )
  const twin = await run('users', 'invite', 'MARA@example.com')
  const reset = await run('users', 'reset', 'mara@example.com')
  const listed = await run('users', 'list', '--json')
  const disabled = await run('users', 'disable', 'mara@example.com')
  const { items } = await send('GET /audit-logs?resource_type=user')

  expect(invited.code, invited.stderr).toBe(0)
  const link = /^link {2}(http:[/][/]localhost:\d+[/]dashboard[/]invitation#[\w-]{43})$/m
  expect(invited.stdout).toMatch(/^id {4}[0-9a-f-]{36}$/m)
  expect(invited.stdout).toMatch(link)
  expect(twin.code).toBe(1)
  expect(twin.stderr).toContain('switchyard users reset')
  expect(reset.stdout).toMatch(link)
  expect(reset.stdout).not.toContain(link.exec(invited.stdout)?.[1])
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { email_address: 'mara@example.com', status: 'pending', roles: [{ slug: 'analyst' }] },
  ])
  expect(disabled).toMatchObject({ code: 0, stdout: '' })
  expect(items.map(({ action }: { action: string }) => action)).toEqual(['updated', 'updated', 'created'])
  expect(items[0].user.name).toBe('Switchyard command line')
})

test('a link leads to the port that the service took, unless the operator says where it is', async () => {
  const { env, port } = place()
  const from = (settings: Record<string, string>, ports: number[]) =>
    addressOf(readConfig({ ...env, ...settings }), ports)

  expect(await from({}, [1, port])).toBe(`http://127.0.0.1:${port}`)
  expect(await from({}, [1])).toBe('http://127.0.0.1:3000')
  expect(await from({ PORT: '3456' }, [port])).toBe('http://127.0.0.1:3456')
  expect(await from({ PUBLIC_URL: 'https://pay.example.com' }, [port])).toBe('https://pay.example.com')
})

test.each([
  [['users', 'invite', 'no-address'], 'is not an e-mail address'],
  [['users', 'invite', 'a@example.com', '--role', 'king'], 'There is no role "king"'],
  [['users', 'invite', 'a@example.com', '--role', 'pii-viewer'], 'only adds to others'],
  [['users', 'invite', 'a@example.com', '--account', 'nowhere'], 'There is no merchant account "nowhere"'],
  [['users', 'disable', 'nobody@example.com'], 'There is no user "nobody@example.com"'],
])('%j is refused', async (args, message) => {
  const outcome = await run(...args)

  expect(outcome.code).not.toBe(0)
  expect(outcome.stderr).toContain(message)
})
