import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { switchyard, switchyardProcess } from '#testing/command-line.ts'
import { connectorSource, writePackage } from '#testing/connector-package.ts'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { call, type Running, removeFolder, startProcess } from '#testing/service-process.ts'

/**
 * What an author and an operator do: make a package beside no checkout, test it, pack it, install it, and pay with it. No
 * registry is asked: the kit is built here, and the tools are linked.
 */

const run = promisify(execFile)
/** The author's folder, and the operator's. */
let desk: string
let installed: string
let dataDir: string
let service: Running | undefined
beforeAll(() => {
  desk = guardedFolder()
  installed = guardedFolder()
  dataDir = guardedFolder()
})
afterAll(async () => {
  await service?.end('SIGTERM')
  for (const folder of [desk, installed, dataDir]) removeFolder(folder)
})

/** As from a terminal: the npm that runs this test would lend its own package and settings. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)))
const npm = (folder: string, ...args: string[]) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--silent'], { cwd: folder, env: ENV })

test('a new package compiles, and its suite is green by its own npm test', async () => {
  const made = await switchyard(['connector', 'new', 'acme-card', '--package', '--in', desk])
  const folder = join(desk, 'acme-card')
  const modules = join(folder, 'node_modules')
  const kit = join(modules, '@switchyard/connector-kit')
  mkdirSync(kit, { recursive: true })
  execFileSync('node_modules/.bin/tsc', ['-p', 'connector-kit', '--outDir', join(kit, 'dist')])
  cpSync('connector-kit/package.json', join(kit, 'package.json'))
  for (const name of ['typescript', 'vitest', '@types', 'undici-types', '.bin'])
    symlinkSync(resolve('node_modules', name), join(modules, name))

  const { stdout } = await npm(folder, 'test')

  expect(made, made.stderr).toMatchObject({ code: 0 })
  expect(made.stderr).toContain('switchyard-connector-kit-1.0.0.tgz')
  expect(stdout).toMatch(/Tests.+\d\d passed/)
  expect(readFileSync(join(folder, 'src/connector.ts'), 'utf8')).not.toMatch(/example|[.][.]\//i)
})

test('is packed and installed, and pays beside another package, with options of its own', async () => {
  await npm(join(desk, 'acme-card'), 'pack', '--pack-destination', desk)
  writeFileSync(join(installed, 'package.json'), '{ "private": true }')
  await npm(installed, 'install', join(desk, 'switchyard-acme-card-0.1.0.tgz'))
  writePackage(installed, 'shelf', {
    place: 'shelf',
    code: `import { block, TEXT } from '@switchyard/connector-kit/option-schemas'
      const connector = ${connectorSource('shelf-card')}
      connector.manifest.options = block('ShelfCardOptions', { shelf: TEXT })
      const { authorize } = connector
      connector.authorize = async (order, link) => {
        if (link.options.shelf === 'lost') void Promise.reject(new Error('hunter2'))
        return authorize(order, link)
      }
      export const connectors = [connector]`,
  })
  const settings = {
    DATABASE_URL: urlOf(await cloneDatabase()),
    CONNECTORS: 'switchyard-acme-card,./shelf',
    CONNECTORS_DIR: installed,
  }

  service = await startProcess(dataDir, settings)

  const running = service
  expect(running.output()).toContain('Connectors of switchyard-acme-card 0.1.0: acme-card.')
  const post = async (path: string, body: object) => {
    const answer = await call(running, dataDir, path, body)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const connect = async (definition: string, keys: readonly string[]) => {
    const { status, body } = await post('/payment-services', {
      display_name: definition,
      payment_service_definition_id: definition,
      fields: keys.map((key) => ({ key, value: 'any' })),
      accepted_currencies: ['EUR'],
      accepted_countries: ['DE'],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body['id']
  }
  const pay = (payment_service_id: unknown, connection_options: object) =>
    post('/transactions', {
      amount: 1299,
      currency: 'EUR',
      country: 'DE',
      intent: 'capture',
      payment_service_id,
      payment_method: { method: 'card', number: '4111111111111111', expiration_date: '12/40' },
      connection_options,
    })

  const shelf = await connect('shelf-card', ['api_key'])
  const paid = await pay(shelf, { 'shelf-card': { shelf: 'B12' } })
  expect(paid.body).toMatchObject({ status: 'capture_succeeded', raw_response_code: 'B12' })
  // A promise that it does not wait for ends neither the payment nor the process.
  const careless = await pay(shelf, { 'shelf-card': { shelf: 'lost' } })
  expect(careless.body).toMatchObject({ status: 'capture_succeeded' })
  await expect.poll(running.output).toContain('a promise failed that no code waited for')
  expect(running.output()).not.toContain('hunter2')
  const misspelt = await pay(shelf, { 'shelf-card': { shelve: 'B12' } })
  expect([misspelt.status, JSON.stringify(misspelt.body)]).toEqual([400, expect.stringContaining('/shelve')])
  // Its provider is made up, so nothing answers: the outcome is not known.
  const lost = await pay(await connect('acme-card', ['api_key', 'signing_secret']), {})
  expect(lost.body).toMatchObject({ status: 'processing' })
  const reference = await (await fetch(`${running.url}/openapi.json`)).text()
  expect(reference).toContain('ShelfCardOptions')

  const found = await switchyardProcess(['doctor'], { DATA_DIR: dataDir, ...settings })
  expect(found.stdout).toMatch(
    /^ok +connectors +from packages: switchyard-acme-card 0.1.0 \(acme-card\); shelf/m,
  )
  const { CONNECTORS: _names, CONNECTORS_DIR: _folder, ...without } = settings
  const missing = await switchyard(['doctor'], { DATA_DIR: dataDir, ...without })
  expect(missing.stdout).toMatch(/^problem +services +.+: 1 of acme-card, 1 of shelf-card/m)
})

test('a start with a package that is refused ends with its name, and without a stack', async () => {
  writePackage(installed, 'rude', { place: 'rude', code: 'throw new Error(process.env.SECRET_KEY)' })
  const SECRET_KEY = Buffer.alloc(32, 'hunter2').toString('base64')

  const refused = await startProcess(join(dataDir, 'other'), {
    CONNECTORS: './rude',
    CONNECTORS_DIR: installed,
    SECRET_KEY,
  })

  expect(await refused.exited).toBe(1)
  expect(refused.output()).toBe(
    'The package rude of CONNECTORS is refused: it failed when it was imported: ***.\n',
  )
})
