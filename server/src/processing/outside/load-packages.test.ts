import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connectorSource, writePackage } from '#testing/connector-package.ts'
import { loadOutside, registriesFor } from '../connectors.ts'
import { loadPackages } from './load-packages.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-packages-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A folder for each test: a module that was imported once is not read again. */
let folder = root
let folders = 0
beforeEach(() => {
  folder = join(root, String(++folders))
})

const load = (...entries: string[]) => loadOutside({ folder, entries })
const acme = (code: string, manifest?: object | string) =>
  writePackage(folder, '@acme/pay', { code, ...(manifest !== undefined && { manifest }) })

test('offers the connectors of a package beside our own, by the name of the package or by its folder', async () => {
  writePackage(folder, '@acme/pay', {})
  writePackage(folder, 'north', {
    place: 'own/north',
    code: `export const giftCards = [{
      manifest: { id: 'north-gift-card', displayName: 'North', fields: [], isSimulator: false },
      ${['balance', 'redeem', 'refund', 'reverse', 'sync'].map((name) => `${name}: async () => {}`).join()}
    }]`,
  })

  const packages = await load('@acme/pay', './own/north')

  const { connectors, giftCards } = registriesFor('production', { packages })
  expect(connectors.find('acme-card')?.manifest.displayName).toBe('Acme')
  expect(connectors.find('adyen-card')).toBeDefined()
  expect(giftCards.find('north-gift-card')).toBeDefined()
  expect(registriesFor('production').connectors.find('acme-card')).toBeUndefined()
})

test('takes connectors that are objects of a class, in production as in a sandbox', async () => {
  acme(`class Acme {
      #approved = 'approved'
      get manifest() { return (${connectorSource()}).manifest }
      async authorize() { return { outcome: this.#approved, reference: 'x', facts: {} } }
      get reports() { return new Reports() }
    }
    class Reports {
      #text = 'bytes'
      async *read() { yield Buffer.from(this.#text) }
      async *parse() {}
    }
    export const connectors = [new Acme()]`)

  const packages = await load('@acme/pay')

  for (const environment of ['sandbox', 'production'] as const) {
    const acmeCard = registriesFor(environment, { packages }).connectors.find('acme-card')
    expect(await acmeCard?.authorize?.({} as never, {} as never)).toMatchObject({ outcome: 'approved' })
    const bytes: string[] = []
    for await (const chunk of acmeCard?.reports?.read('', {} as never) ?? []) bytes.push(String(chunk))
    expect(bytes).toEqual(['bytes'])
  }
})

test('keeps what it has checked: a package cannot change its manifest later', async () => {
  acme(`const connector = ${connectorSource()}
    export const connectors = [connector]
    export const change = () => { connector.manifest.capabilities.directCapture = false }`)

  const [offered] = await load('@acme/pay')

  const { change } = await import(join(folder, 'node_modules/@acme/pay/index.js'))
  expect(change).toThrow(TypeError)
  expect(offered?.connectors[0]?.manifest.capabilities.directCapture).toBe(true)
})

test('keeps the manifest that it has checked, if a package gives another one each time', async () => {
  acme(`let readings = 0
    const connector = ${connectorSource()}
    const { manifest } = connector
    delete connector.manifest
    Object.defineProperty(connector, 'manifest', { enumerable: true, get: () => ({ ...manifest, displayName: String(++readings) }) })
    export const connectors = [connector]`)

  const packages = await load('@acme/pay')

  const { connectors } = registriesFor('production', { packages })
  const { displayName } = packages[0]?.connectors[0]?.manifest ?? {}
  expect(connectors.find('acme-card')?.manifest.displayName).toBe(displayName)
})

describe('refuses, with the name of the package and what to mend,', () => {
  const manifest = (switchyard: unknown) => ({
    name: '@acme/pay',
    version: '1.0.0',
    type: 'module',
    switchyard,
  })

  test.each<[string, object | string, RegExp]>([
    ['a package.json that is no JSON', '{', /its package.json is no JSON object/],
    ['a package without a name', { version: '1.0.0' }, /must have a name and a version/],
    ['another package in its place', { name: '@other/pay', version: '1.0.0' }, /has the name @other\/pay/],
    ['a package that has no connectors', manifest(undefined), /Is it a package of connectors[?]/],
    ['a package without a contract', manifest({ main: './index.js' }), /must be a version such as "1.0"/],
    [
      'a package for an older contract',
      manifest({ contract: '0.9', main: './index.js' }),
      /written for contract 0.9, and this service has 1.0. Install a version of the package for contract 1/,
    ],
    [
      'a package for a newer contract',
      manifest({ contract: '2.0', main: './index.js' }),
      /written for contract 2.0.*Upgrade the service, or install an older version/,
    ],
    [
      'a package that needs more of the contract than we have',
      manifest({ contract: '1.999', main: './index.js' }),
      /written for contract 1.999.*Upgrade the service/,
    ],
    ['a package without a file', manifest({ contract: '1.0' }), /"switchyard.main" .* must name a file/],
    [
      'a package that is not built',
      manifest({ contract: '1.0', main: './dist/index.js' }),
      /There is no .\/dist\/index.js; was the package built[?]/,
    ],
    [
      'a file outside of the package',
      manifest({ contract: '1.0', main: './../../../outside.js' }),
      /must name a file of the package/,
    ],
  ])('%s', async (_what, described, message) => {
    acme('export const connectors = []', described)
    writeFileSync(join(folder, 'outside.js'), '')

    await expect(load('@acme/pay')).rejects.toThrow(message)
    await expect(load('@acme/pay')).rejects.toThrow(
      /^The package @acme\/pay of CONNECTORS is refused: .+[.]$/s,
    )
  })

  test('a package that is not installed', async () => {
    await expect(load('@acme/pay')).rejects.toThrow(
      `Run "npm install --save-exact @acme/pay" in ${folder}, or correct CONNECTORS.`,
    )
    await expect(load('./acme')).rejects.toThrow('Correct CONNECTORS or CONNECTORS_DIR.')
  })

  const listed = (source: string) => `export const connectors = [${source}]`
  const changed = (from: string, to: string) => listed(connectorSource().replace(from, to))

  test.each([
    [
      'no connectors',
      'export const connector = {}',
      /must export a list with connectors, named connectors or/,
    ],
    ['a connector that is no list', 'export const connectors = {}', /its export connectors must be a list/],
    ['nothing in the list', listed('null'), /connector must be an object/],
    ['a connector without a manifest', listed('{}'), /connector.manifest must be an object/],
    [
      'a misspelt function',
      listed(connectorSource('acme-card', 'authorise: async () => {}')),
      /authorise is not in the contract/,
    ],
    [
      'a function that is none',
      changed('authorize: async', 'capture: 7, authorize: async'),
      /acme-card: connector.capture must be a function/,
    ],
    ['a bad id', changed('"acme-card"', '"Acme Card"'), /manifest.id must be the provider and its purpose/],
    ['an id of another method', changed('"acme-card"', '"acme-paypal"'), /manifest.id must end with -card/],
    [
      'a method that the API does not have',
      changed('"acme-card"', '"acme-cash"').replace("method: 'card'", "method: 'cash'"),
      /manifest.method must be one of GET \/payment-method-definitions/,
    ],
    [
      'a missing capability',
      changed('overCapture: false,', ''),
      /capabilities.overCapture must be true or false/,
    ],
    [
      'a promise that it cannot keep',
      changed('partialRefunds: false', 'partialRefunds: true'),
      /promises refund, which the connector does not have/,
    ],
    [
      'an unknown format of a field',
      changed("format: 'text'", "format: 'password'"),
      /fields\[0\].format must be one of text/,
    ],
    [
      'a field that is secret by a word',
      changed('isSecret: true', "isSecret: 'yes'"),
      /fields\[0\].isSecret must be true or false/,
    ],
    [
      'transcripts with secrets',
      changed('isSimulator: false', "isSimulator: false, shownInTranscripts: ['number']"),
      /would show secrets: number/,
    ],
    [
      'options that accept anything',
      changed(
        'isSimulator: false',
        "isSimulator: false, options: { type: 'object', title: 'AcmeCardOptions' }",
      ),
      /refuses what it does not name/,
    ],
    [
      'options with the name of others',
      changed(
        'isSimulator: false',
        "isSimulator: false, options: { type: 'object', additionalProperties: false, title: 'StripeOptions' }",
      ),
      /every title must begin with AcmeCard/,
    ],
    [
      'options that are no schema',
      changed(
        'isSimulator: false',
        "isSimulator: false, options: { type: 'object', additionalProperties: false, title: 'AcmeCardOptions', properties: { x: { type: 'colour' } } }",
      ),
      /is no schema that can be checked/,
    ],
    [
      'what cannot be read',
      listed('{ get manifest() { throw new Error("no") } }'),
      /it cannot be read without an error/,
    ],
    [
      'the id of a connector of ours',
      changed('"acme-card"', '"adyen-card"'),
      /it offers adyen-card, which this version of Switchyard has already/,
    ],
    [
      'the same id twice',
      listed(`${connectorSource()}, ${connectorSource()}`),
      /it offers acme-card, which the package @acme\/pay has already/,
    ],
    ['code that cannot be read', 'export const connectors = [', /it failed when it was imported: /],
    [
      'a package that it needs and lacks',
      "import 'not-there'",
      /it failed when it was imported: .*not-there/,
    ],
  ])('%s', async (_what, code, message) => {
    acme(code)

    await expect(load('@acme/pay')).rejects.toThrow(message)
  })

  test('an id that another package has', async () => {
    writePackage(folder, '@acme/pay', {})
    writePackage(folder, 'acme-too', {})

    await expect(load('@acme/pay', 'acme-too')).rejects.toThrow(
      'The package acme-too of CONNECTORS is refused: it offers acme-card, which the package @acme/pay has already.',
    )
  })

  test('a package that throws, in one line and without our secrets', async () => {
    acme("throw new Error('no key in hunter2hunter2 or hunter2\\u0007\\nsecond line')")
    const secrets = ['hunter2', 'hunter2hunter2']

    const loading = loadOutside({ folder, entries: ['@acme/pay'] }, secrets)

    await expect(loading).rejects.toThrow(/it failed when it was imported: no key in \*\*\* or \*\*\* ?[.]$/)
  })

  test('a package that hangs', async () => {
    acme('await new Promise(() => {})')

    const loading = loadPackages({ folder, entries: ['@acme/pay'] }, { taken: new Map(), timeoutMs: 50 })

    await expect(loading).rejects.toThrow(
      'it was not loaded within 0.05 seconds. It must not wait for anything',
    )
  })
})
