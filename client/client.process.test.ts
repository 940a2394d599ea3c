import { execFile, execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../lab/processes.ts'
import { browse } from '../server/src/testing/browse.ts'
import { hasBrowser, launchBrowser } from '../server/src/testing/browser.ts'
import { urlOf } from '../server/src/testing/database-url.ts'
import { guardedFolder, guardProcess } from '../server/src/testing/guard.ts'
import { cloneDatabase } from '../server/src/testing/harness.ts'
import { startReceiver, until } from '../server/src/testing/receiver.ts'
import { type Running, removeFolder, startHere } from '../server/src/testing/service-process.ts'
import {
  AuthenticationError,
  BadRequestError,
  type Client,
  ConflictError,
  createClient,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  signEmbedToken,
  UnknownOutcomeError,
  verifyWebhook,
} from './src/index.ts'

/** The client in front of a real service, from its sources and as a package that is built and installed. */

const CARD = {
  method: 'card',
  number: '4111111111111111',
  expiration_date: '12/30',
  security_code: '123',
} as const
const README = readFileSync('client/README.md', 'utf8')

let dataDir: string
let service: Running
let privateKey: string
let switchyard: Client
/** A project of a merchant, in which the built package is installed. */
let project: string

beforeAll(async () => {
  dataDir = guardedFolder()
  service = await startHere(dataDir, { DATABASE_URL: urlOf(await cloneDatabase()) })
  privateKey = readFileSync(join(dataDir, 'admin-key.pem'), 'utf8')
  switchyard = createClient({ url: service.url, privateKey })
  project = installPackage()
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (dataDir) removeFolder(dataDir)
  if (project) removeFolder(project)
})

/** The service runs in this process, so what calls it must not block. */
const runProgram = promisify(execFile)

/** Builds the client as `npm run client` does. */
function installPackage(): string {
  const folder = guardedFolder()
  const home = join(folder, 'node_modules/@switchyard/client')
  mkdirSync(home, { recursive: true })
  execFileSync('node_modules/.bin/tsc', ['-p', 'client', '--outDir', join(home, 'dist')], {
    encoding: 'utf8',
  })
  cpSync('client/package.json', join(home, 'package.json'))
  for (const name of ['jose', '@types', 'undici-types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

/** Sends requests, and loses the answers of the first ones. */
function losing(count: number): typeof fetch & { readonly keys: string[] } {
  const keys: string[] = []
  const lossy = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    keys.push(new Headers(init?.headers).get('idempotency-key') ?? '')
    const response = await fetch(input, init)
    if (keys.length > count) return response
    await response.text()
    throw new TypeError('fetch failed')
  }
  return Object.assign(lossy, { keys })
}

test('the examples of the README compile against the built package, and run', async () => {
  const programs = [
    ...README.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```\n+(?:It prints ([\s\S]*?)[.](?: |\n))?/g),
  ]
  for (const [, file = '', text = ''] of programs) writeFileSync(join(project, file), text)
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
    '--module',
    'nodenext',
  ]
  const files = programs.map(([, file = '']) => file)

  execFileSync(resolve('node_modules/.bin/tsc'), [...options, '--types', 'node', ...files], { cwd: project })

  const env = {
    PATH: process.env['PATH'],
    SWITCHYARD_URL: service.url,
    SWITCHYARD_KEY: join(dataDir, 'admin-key.pem'),
  }
  const promised = programs.filter(([, , , output]) => output !== undefined)
  expect(promised).toHaveLength(5)
  for (const [, file = '', , output = ''] of promised) {
    const { stdout: printed } = await runProgram(process.execPath, [file], { cwd: project, env })
    expect(printed.trim().split('\n'), file).toEqual(
      [...output.matchAll(/`([^`]+)`/g)].map(([, line]) => line),
    )
  }
})

test('a payment whose answers are lost is made once, under one key', async () => {
  const lossy = losing(2)
  const client = createClient({ url: service.url, privateKey, fetch: lossy })
  const external_identifier = 'answers-lost'

  const payment = await client.transactions.create({
    amount: 1299,
    currency: 'USD',
    external_identifier,
    payment_method: CARD,
  })

  expect(new Set(lossy.keys).size).toBe(1)
  expect(lossy.keys).toHaveLength(3)
  const found = await switchyard.transactions.list({ external_identifier }).toArray(10)
  expect(found.map(({ id }) => id)).toEqual([payment.id])
})

test('without an answer the outcome is unknown, and can be asked for under the same key', async () => {
  const lossy = losing(1)
  const client = createClient({ url: service.url, privateKey, fetch: lossy, retries: 0 })
  const external_identifier = 'asked-again'

  const error = await client.transactions
    .create({ amount: 1299, currency: 'USD', external_identifier, payment_method: CARD })
    .then(
      () => undefined,
      (caught: unknown) => caught,
    )

  expect(error).toBeInstanceOf(UnknownOutcomeError)
  const unknown = error as UnknownOutcomeError<{ id: string }>
  expect(unknown).toMatchObject({ status: 0, code: 'unknown', idempotencyKey: lossy.keys[0] })
  const { id } = await unknown.again()
  const found = await switchyard.transactions.list({ external_identifier }).toArray(10)
  expect(found.map((one) => one.id)).toEqual([id])
  expect(new Set(lossy.keys).size).toBe(1)
})

test('a delete whose answer is lost counts as done; one of nothing does not', async () => {
  const { id } = await switchyard.buyers.create({ display_name: 'Ada' })
  const client = createClient({ url: service.url, privateKey, fetch: losing(1) })

  await expect(client.buyers.delete(id)).resolves.toBeUndefined()

  await expect(client.buyers.delete(id)).rejects.toBeInstanceOf(NotFoundError)
})

test('refusals are errors of their own class, with the fields that they name', async () => {
  const reader = createClient({ url: service.url, privateKey, scopes: ['buyers.read'] })
  const stranger = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const key = { idempotencyKey: 'one-key' }
  const { id } = await switchyard.buyers.create({ external_identifier: 'taken' }, key)

  const wrong = switchyard.transactions.create({ amount: -1, currency: 'usd', payment_method: CARD })
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    code: 'bad_request',
    requestId: expect.any(String),
  })
  await expect(wrong).rejects.toMatchObject({ details: [{ pointer: '/amount' }, { pointer: '/currency' }] })
  await expect(wrong).rejects.toBeInstanceOf(BadRequestError)
  await expect(
    createClient({ url: service.url, privateKey: stranger }).buyers.list().page(),
  ).rejects.toBeInstanceOf(AuthenticationError)
  await expect(reader.buyers.create({})).rejects.toBeInstanceOf(PermissionError)
  await expect(switchyard.buyers.get(service.url)).rejects.toBeInstanceOf(BadRequestError)
  const taken = switchyard.buyers.create({ external_identifier: 'taken' })
  await expect(taken).rejects.toBeInstanceOf(ConflictError)
  await expect(taken).rejects.toMatchObject({ code: 'duplicate_record', resourceId: id })
  await expect(switchyard.buyers.create({ display_name: 'Other' }, key)).rejects.toBeInstanceOf(
    IdempotencyError,
  )
  await expect(async () => switchyard.buyers.get('..')).rejects.toBeInstanceOf(TypeError)
})

test('a list is walked page by page, and one that comes whole in the same way', async () => {
  const account = { merchantAccountId: 'walked' }
  await switchyard.merchantAccounts.create({ id: 'walked', display_name: 'Walked' })
  for (const display_name of ['A', 'B', 'C', 'D', 'E'])
    await switchyard.buyers.create({ display_name }, account)

  const names: (string | null)[] = []
  for await (const buyer of switchyard.buyers.list({ limit: 2 }, account)) names.push(buyer.display_name)
  const sizes: number[] = []
  for await (const page of switchyard.buyers.list({ limit: 2 }, account).pages())
    sizes.push(page.items.length)
  const definitions = await switchyard.cardSchemeDefinitions.list().toArray(1_000)

  expect(names).toEqual(['E', 'D', 'C', 'B', 'A'])
  expect(sizes).toEqual([2, 2, 1])
  expect(definitions.length).toBeGreaterThan(5)
})

test('webhooks of the service are verified, also while their secret is changed', async () => {
  const receiver = await startReceiver()
  const { id, secret: first } = await switchyard.webhookSubscriptions.create({ url: receiver.url })
  await switchyard.webhookSubscriptions.sendTest(id)
  await receiver.waitFor(1)
  const { secret: second } = await switchyard.webhookSubscriptions.rotateSecret(id, { delta: 60 })
  await switchyard.webhookSubscriptions.sendTest(id)
  await receiver.waitFor(2)
  await switchyard.webhookSubscriptions.delete(id)
  await receiver.close()

  const [before, after] = receiver.received
  for (const [request, secret] of [
    [before, first],
    [after, first],
    [after, second],
    [after, ['other', second]],
  ] as const) {
    const { body = '', headers = {} } = request ?? {}
    const { 'webhook-signature': _standard, ...plain } = headers
    const given = { body, secret: (secret ?? '') as string }
    await expect(verifyWebhook({ ...given, headers })).resolves.toMatchObject({
      name: 'webhook-subscription.test',
    })
    await expect(verifyWebhook({ ...given, headers: plain })).resolves.toMatchObject({ type: 'event' })
  }
  const forged = { body: before?.body ?? '', headers: before?.headers ?? {}, secret: String(second) }
  await expect(verifyWebhook(forged)).rejects.toMatchObject({ reason: 'signature_mismatch' })
})

test('the receiver of the README takes a webhook of the service, and refuses others', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { id, secret } = await switchyard.webhookSubscriptions.create({ url, events: ['buyer.created'] })
  const env = { PATH: process.env['PATH'], WEBHOOK_SECRETS: String(secret), PORT: String(port) }
  const child = spawn(process.execPath, ['webhook.ts'], { cwd: project, env })
  const forget = guardProcess(child.pid ?? 0)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await until(
    async () => (await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined))?.status === 400,
  )

  await switchyard.buyers.create({ display_name: 'Ada' })

  await until(() => output.includes('buyer.created'))
  await switchyard.webhookSubscriptions.delete(id)
  child.kill()
  await once(child, 'exit')
  forget()
})

/** Bundles a program against the built package, as a merchant's build would. */
async function bundle(name: string, program: string): Promise<string> {
  const entry = join(project, name)
  writeFileSync(entry, program)
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib: { entry, formats: ['es'], fileName: 'bundle' } },
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('nothing was built')
  return first.output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
}

test('a bundle holds the operations that its program calls, and no other', async () => {
  const one = await bundle(
    'one.js',
    `import { connect } from '@switchyard/client'
     import * as transactions from '@switchyard/client/transactions'
     const connection = connect({ url: 'https://payments.example', token: 'x' })
     export const pay = (body) => transactions.create(connection, body)`,
  )
  const all = await bundle('all.js', `export { createClient } from '@switchyard/client'`)

  expect(one).toContain('/transactions')
  expect(one).not.toContain('/payouts')
  expect(one).not.toContain('/refunds')
  expect(one).not.toContain('subtle')
  expect(one.length).toBeLessThan(10_000)
  expect(all).toContain('/payouts')
})

test.runIf(hasBrowser)('a page pays with a token that the server has signed for it', async () => {
  const code = await bundle('page.js', `export { createEmbedClient } from '@switchyard/client/embed'`)
  expect(code).not.toMatch(/payouts|importKey/)
  const page = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/client.js' ? 'text/javascript' : 'text/html')
    response.end(request.url === '/client.js' ? code : '<!doctype html><link rel="icon" href="data:,">')
  })
  page.listen(0, '127.0.0.1')
  await once(page, 'listening')
  const { port } = page.address() as { port: number }
  const token = await signEmbedToken({ privateKey, pins: { amount: 1299, currency: 'USD' } })
  const browser = await launchBrowser()

  const paid = await browse(browser, {}, async (tab) => {
    await tab.goto(`http://127.0.0.1:${port}/`)
    // As text, because the test's own transformation changes imports.
    return tab.evaluate(`(async () => {
      const { createEmbedClient } = await import('/client.js')
      const client = createEmbedClient({ url: '${service.url}', token: async () => '${token}' })
      const { status, amount } = await client.transactions.create({ payment_method: ${JSON.stringify(CARD)} })
      return { status, amount }
    })()`)
  })

  await browser.close()
  page.closeAllConnections()
  page.close()
  expect(paid).toEqual({ status: 'authorization_succeeded', amount: 1299 })
})

test('the package names files that its build makes', () => {
  const { exports } = JSON.parse(readFileSync('client/package.json', 'utf8'))

  for (const { types, default: file } of Object.values<{ types: string; default: string }>(exports)) {
    for (const one of [types, file]) {
      const path = join(project, 'node_modules/@switchyard/client', one.replace('*', 'transactions/refunds'))
      expect(existsSync(path), one).toBe(true)
    }
  }
})
