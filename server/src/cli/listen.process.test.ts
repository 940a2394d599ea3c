import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startSwitchyard, switchyard } from '#testing/command-line.ts'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { startReceiver, until } from '#testing/receiver.ts'
import { removeDataFolder } from '#testing/remove-data-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-listen-'))
afterAll(() => removeDataFolder(folder))
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = urlOf(await cloneDatabase())
  const made = await switchyard(['migrate'], env())
  expect(made.code, made.stderr).toBe(0)
})

const env = () => ({ DATA_DIR: folder, DATABASE_URL: databaseUrl })
const makeKey = (name: string) =>
  switchyard(
    ['keys', 'create', '--display-name', name, '--role', 'administrator', '--out', `${folder}/${name}.pem`],
    env(),
  )

async function listen(...args: string[]) {
  const child = startSwitchyard(['listen', ...args], env())
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => (output.stdout += chunk))
  child.stderr?.on('data', (chunk) => (output.stderr += chunk))
  const stop = async () => {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    await exited
  }
  onTestFinished(stop)
  await until(() => output.stderr.includes('Waiting for events'))
  return { output, stop }
}

test('prints events as they happen, and forwards them signed', async () => {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const { output } = await listen('--forward-to', `${receiver.url}/hooks`)

  expect((await makeKey('listened')).code).toBe(0)
  await receiver.waitFor(1)
  await until(() => output.stdout.includes('200'))

  const [received] = receiver.received
  const [, secret = ''] = /signing secret is (\S{86})/.exec(output.stderr) ?? []
  const timestamp = received?.headers['x-service-webhook-timestamp']
  expect(received?.event).toMatchObject({ type: 'event', name: 'api-key-pair.created' })
  expect(received?.headers['x-service-webhook-signatures']).toBe(
    createHmac('sha256', secret).update(`${timestamp}.${received?.body}`).digest('hex'),
  )
  expect(output.stdout).toMatch(/^\S+Z {2}api-key-pair[.]created +[0-9a-f-]{36} {2}→ 200 in \d+ ms\n$/)
})

test('says what is wrong when the server cannot be reached, and goes on', async () => {
  const { output } = await listen('--forward-to', 'http://127.0.0.1:9/')

  await makeKey('first')
  await makeKey('second')
  await until(() => output.stdout.split('\n').length > 2)

  expect(output.stdout).toContain('fetch failed')
})

test('says at once that a merchant account is unknown, and that no service runs', async () => {
  const unknown = await switchyard(['listen', '--merchant-account', 'nope'], env())
  const { output } = await listen('--merchant-account', 'default')

  expect(unknown).toMatchObject({ code: 1, stderr: 'There is no merchant account "nope".\n' })
  expect(output.stderr).toContain('No service of this installation runs on this database now')
})

test('does not say that no service runs while one is connected', async () => {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'switchyard 1' })
  await client.connect()
  onTestFinished(() => client.end())

  const { output } = await listen()

  expect(output.stderr).not.toContain('No service')
})

test.each([['nonsense'], ['ftp://127.0.0.1/']])('refuses to forward to %s', async (url) => {
  const { code, stderr } = await switchyard(['listen', '--forward-to', url], env())

  expect(code).toBe(2)
  expect(stderr).toContain('--forward-to must be a URL')
})
