import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { testLink } from '#connectors/contract/samples.ts'
import { passesLuhn } from '#domain/card.ts'
import { EVENT_NAMES } from '#domain/event-names.ts'
import { WHO_MAY_SET } from '#payments/prepare/check-request.ts'
import { secretFile } from '#platform/access/secrets.ts'
import { DETAIL_TYPES, ERROR_CODES, ReusedKeyError } from '#platform/http/errors.ts'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import { PINNABLE } from '#resources/checkout/pins.ts'
import { isTimeToReplace } from '#resources/payment-methods/replace.ts'
import { mockAccountUpdater } from '#sandbox/connectors/mock-account-updater/connector.ts'
import { Masked } from '#vault'
import { adminKeyFile, type Config, SECRET_SETTINGS, vaultKeySource } from '../server/src/config.ts'
import { FIRST_GUIDES } from '../server/src/tags.ts'
import { readPage, readPages } from './guide-pages.ts'

const errors = read('docs/errors.md')
const readme = read('README.md')
const settings = read('docs/guide/settings.md')
const authenticate = read('docs/guide/authenticate.md')
const storeCards = read('docs/guide/payment-methods.md')

test('the error page lists every code with its status and message, and no other', () => {
  const documented = tableIn(errors, 'Codes').map(([code, status, message]) => ({ code, status, message }))

  const known = Object.entries(ERROR_CODES).map(([code, { status, message }]) => ({
    code: `\`${code}\``,
    status: String(status),
    message,
  }))
  expect(documented).toEqual(known)
})

test('git ignores what the guides have operators write beside the checkout', () => {
  const dataDir = '.data'
  const config = { dataDir, vaultKeys: null, vaultKeyCommand: null } as unknown as Config
  const keyFiles = [
    secretFile(dataDir),
    adminKeyFile(dataDir),
    join(dataDir, 'shop-backend-key.pem'),
    ...[null, 'postgres://db.example/payments'].map((databaseUrl) => {
      const source = vaultKeySource({ ...config, databaseUrl })
      return source.kind === 'file' ? source.path : ''
    }),
  ]
  const page = read('docs/guide/operate.md')
  const files = ['switchyard.dump', 'switchyard.export.gz', 'switchyard.backup.gz']
  const written = [...files, ...keyFiles.map((file) => basename(file))]

  const ignored = execFileSync('git', ['check-ignore', ...written], { encoding: 'utf8' })

  expect(files.filter((file) => !page.includes(file))).toEqual([])
  expect(ignored.trim().split('\n')).toEqual(written)
})

test('the guide to scale shows what the program prints', () => {
  const guide = read('docs/guide/scale.md')
  const [, given = '', printed] = /capacity -- (--rate [^\n]*)\n```\n\n```text\n(.*?)\n```/s.exec(guide) ?? []

  const output = execFileSync(process.execPath, ['bench/capacity.ts', ...given.split(' ')], {
    encoding: 'utf8',
  })

  expect(output.trimEnd()).toBe(printed)
})

test('the error page lists every detail type, and no other', () => {
  const documented = tableIn(errors, 'Detail types').map(([type]) => type)

  expect(documented).toEqual(DETAIL_TYPES.map((type) => `\`${type}\``))
})

test('the error page shows an example of every code, as it is sent', () => {
  for (const [code, { status, message }] of Object.entries(ERROR_CODES)) {
    const example = JSON.parse(blockIn(sectionOf(errors, `### ${code}`), 'json'))

    expect(example).toMatchObject({ type: 'error', code, status, details: expect.any(Array) })
    expect([message, 'Request failed validation'], code).toContain(example.message)
    expect(example.details.length > 0, code).toBe(status < 500)
    expect('resource_id' in example, code).toBe(status === 409)
    for (const { type } of example.details) expect(DETAIL_TYPES).toContain(type)
  }
})

test('the error page shows the body of a 422 as it is sent', () => {
  const section = sectionOf(errors, '## 422: an idempotency key used twice')

  expect(JSON.parse(blockIn(section, 'json'))).toEqual(new ReusedKeyError().body())
})

test('the guide to events lists every name, and no other', () => {
  const documented = tableIn(read('docs/guide/events.md'), 'Names').map(([name]) => name)

  expect(documented).toEqual(EVENT_NAMES.map((name) => `\`${name}\``))
})

test('the page of settings lists every variable, and no other', () => {
  const documented = tableIn(settings, 'Variables').map(([name]) => name)

  const sources = globSync('server/src/config*.ts').filter((file) => !file.endsWith('.test.ts'))
  const reads = sources
    .map(read)
    .join('')
    .matchAll(/\bread\.\w+\(\s*'([A-Z0-9_]+)'/g)
  const known = [...reads].map(([, name]) => `\`${name}\``)
  expect(known.length).toBeGreaterThan(9)
  expect(new Set(documented)).toEqual(new Set(known))
  expect(documented.length).toBe(known.length)
})

test('the page of settings says which may lie in files', () => {
  const paragraph = settings.split('\n\n').find((text) => text.startsWith('Secrets can lie in files:')) ?? ''
  const named = quotedIn(paragraph.split('So it is for')[1] ?? '')

  expect(named).toEqual([...SECRET_SETTINGS])
})

test('the page of the command line lists every command, and no other', () => {
  const documented = tableIn(read('docs/guide/command-line.md'), 'Commands').flatMap(([names]) =>
    quotedIn(names),
  )

  const table = /COMMANDS[^{]*{\n(.*?)\n}/s.exec(read('server/src/cli/command-line.ts'))?.[1] ?? ''
  const known = [...table.matchAll(/^ {2}'?([a-z -]+)'?: \[/gm)].map(([, name]) => name)
  expect(known.length).toBeGreaterThan(7)
  expect(documented).toEqual(known)
})

test('the README lists every guide once, in the order of the reference', () => {
  const listed = [...(readme.split('## Read next')[1] ?? '').matchAll(/\]\(docs[/](guide[/][\w-]+)[.]md\)/g)]
  const guides = globSync('docs/guide/*.md').map((file) => file.slice('docs/'.length, -'.md'.length))

  expect(listed.map(([, name]) => name)).toEqual(FIRST_GUIDES.filter((name) => name.startsWith('guide/')))
  expect(new Set(listed.map(([, name]) => name))).toEqual(new Set(guides))
  expect(readme.split('\n').length).toBeLessThan(220)
})

test('help in a bare checkout lists every command, and installs nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-bare-'))
  try {
    cpSync('bin', join(folder, 'bin'), { recursive: true })
    cpSync('docs/guide/command-line.md', join(folder, 'docs/guide/command-line.md'))

    const help = execFileSync(join(folder, 'bin/switchyard'), ['--help'], { encoding: 'utf8' })

    expect(help).toMatch(/^Usage: bin[/]switchyard COMMAND/)
    for (const name of ['serve', 'keys create, keys list, keys disable', 'trigger'])
      expect(help).toContain(`\n  ${name}: `)
    expect(help).not.toMatch(/\]\(|`/)
    expect(readdirSync(folder).toSorted()).toEqual(['bin', 'docs'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the first screen of the README offers npm, containers and an archive', () => {
  const firstScreen = readme.split('\n').slice(0, 25).join('\n')

  expect(firstScreen).toMatch(/^npm start\b/m)
  expect(firstScreen).toMatch(/^npm test\b/m)
  expect(firstScreen).toMatch(/docker compose -f deploy[/]compose[.]yaml up/)
  expect(firstScreen).toMatch(/bin[/]switchyard serve/)
})

describe('the commands of the README and the guides', () => {
  const pages = readPages()
  const blocks = pages.flatMap(({ file, blocks }) => blocks.map((block) => ({ file, ...block })))

  test('are found, with what the pages promise of them', () => {
    const page = readPage(
      'x.md',
      [
        '```sh',
        'echo a',
        '```',
        '',
        'It prints `a` and `b`. Then `c`.',
        '',
        '- an item',
        '',
        '  ```sh',
        '  echo d',
        '  ```',
        '',
        '  ```text',
        '  d…',
        '  ```',
        '```shell',
        'npm start',
        '```',
      ].join('\n'),
    )

    expect(page.blocks).toEqual([
      { line: 1, code: 'echo a\n', promised: ['a', 'b'] },
      { line: 9, code: 'echo d\n', promised: ['d…'] },
    ])
    expect(pages.length).toBeGreaterThan(14)
    expect(blocks.flatMap(({ promised }) => promised).length).toBeGreaterThan(40)
  })

  test('name the address of the service once on each page, and the same helpers everywhere', () => {
    const lines = blocks.flatMap(({ file, code }) => code.split('\n').map((line) => ({ file, line })))
    const addresses = lines.filter(({ line }) => line.includes('127.0.0.1:3000'))
    const helpers = new Set(lines.map(({ line }) => line).filter((line) => /^(send|field)\(\)/.test(line)))

    expect(addresses.filter(({ line }) => line !== 'API=http://127.0.0.1:3000')).toEqual([])
    expect(new Set(addresses.map(({ file }) => file)).size).toBe(addresses.length)
    expect(new Set([...helpers].map((line) => line.split('(')[0]))).toEqual(new Set(['field', 'send']))
    expect(helpers.size).toBe(2)
  })

  test('can be run again: no guide has an idempotency key or a reference that is the same each time', () => {
    const fixed = blocks.filter(
      ({ file, code }) =>
        file !== 'README.md' && /Idempotency-Key: [^$"']*["']|"external_identifier": "[^'"]*"/.test(code),
    )

    expect(fixed.map(({ file, line }) => `${file}:${line}`)).toEqual([])
  })

  test('are quiet about progress, and write keys only where git does not see them', () => {
    const loud = blocks.filter(({ code }) => /\bcurl (?!-sS)/.test(code))
    const seen = blocks.filter(({ code }) =>
      [...code.matchAll(/(?:-out|>) +"?([^\s"]+\.pem)/g)].some(([, name]) => !name?.startsWith('.data/')),
    )

    expect([...loud, ...seen].map(({ file, line }) => `${file}:${line}`)).toEqual([])
  })

  test('no page writes a file of another page', () => {
    const written = blocks.flatMap(({ file, code }) =>
      [...code.matchAll(/(?:-out|>) *"?([.]data[/][^\s"]+)/g)].map(([, name = '']) => ({ file, name })),
    )
    const shared = written.filter(({ file, name }) =>
      written.some((other) => other.name === name && other.file !== file),
    )

    expect(written.length).toBeGreaterThan(4)
    expect(shared).toEqual([])
  })

  test('end what they start in the background', () => {
    const endless = pages.filter(({ blocks }) => {
      const code = blocks.map((block) => block.code).join('')
      // Of npx, only npx would be ended.
      return /^npx .* &$/m.test(code) || (/ &$/m.test(code) && !/^kill /m.test(code))
    })

    expect(endless.map(({ file }) => file)).toEqual([])
  })

  test.each(pages)('$file is understood by the shell', ({ blocks }) => {
    const script = blocks.map(({ code }) => code).join('\n')

    expect(() => execFileSync('bash', ['-n'], { input: script })).not.toThrow()
  })
})

test('the guide explains every reason for which a token is refused', () => {
  const reasons = [...read('server/src/platform/access/auth.ts').matchAll(/unauthorized\(\s*'([^']+)'/g)]
  expect(reasons.length).toBeGreaterThan(5)

  expect(reasons.map(([, reason = '']) => reason).filter((reason) => !authenticate.includes(reason))).toEqual(
    [],
  )
})

test('the guide’s test numbers are answered by the simulated account updater as it says', async () => {
  const promised = tableIn(storeCards, 'The account updater').map(([digits, number = '', finding]) => ({
    digits: digits?.replaceAll('`', ''),
    number: number.replaceAll('`', ''),
    finding,
  }))
  expect(promised.map(({ digits }) => digits)).toEqual(['0001', '0002', '0003', '0004', 'any other'])

  const outcomes = []
  for (const { digits, number } of promised) {
    expect(passesLuhn(number), number).toBe(true)
    if (digits !== 'any other') expect(number.slice(8, 12)).toBe(digits)
    const order = { inquiryId: 'inquiry', number: new Masked(number), scheme: 'visa' } as const
    const link = testLink({ fetch: () => Promise.reject(new Error('it asks nobody')) })
    const found = await mockAccountUpdater.findUpdate({ ...order, expirationDate: '12/30' }, link)
    outcomes.push(found.outcome)
    if ('expirationDate' in found) expect(found.expirationDate).toBe('12/34')
  }
  expect(outcomes).toEqual(['new_number', 'new_date', 'closed', 'unknown', 'unchanged'])
})

test('the guide names the declines that make a replacement apply', () => {
  const named = [...storeCards.matchAll(/`(\w+_payment_method)`/g)].map(([, code = '']) => code)
  const codes = new Set(read('server/src/resources/payment-methods/replace.ts').match(/\w+_payment_method/g))

  expect(new Set(named)).toEqual(codes)
  for (const code of named) expect(isTimeToReplace(true, { kind: 'declined', code }), code).toBe(true)
})

test('the guide lists every operation that takes a browser token, and no other', () => {
  const documented = tableIn(storeCards, 'Browser tokens').map(([route]) => route)

  const known = globSync('server/src/resources/**/routes.ts').flatMap((file) =>
    read(file)
      .split('operation({')
      .filter((definition) => /^ +embed: true,$/m.test(definition))
      .map((definition) => `\`${/route: '([^']+)'/.exec(definition)?.[1]}\``),
  )
  expect(known.length).toBeGreaterThan(2)
  expect(new Set(documented)).toEqual(new Set(known))
})

test('the guide says of which operations a browser token is limited', () => {
  const documented = tableIn(storeCards, 'Browser tokens').flatMap(([route = '', within = '']) =>
    within.includes('50 a minute') ? [route] : [],
  )

  const known = globSync('server/src/resources/**/routes.ts').flatMap((file) =>
    read(file)
      .split('operation({')
      .filter((definition) => /^ +embed: true,\n +limit: 'browser',$/m.test(definition))
      .map((definition) => `\`${/route: '([^']+)'/.exec(definition)?.[1]}\``),
  )
  expect(known.length).toBeGreaterThan(2)
  expect(new Set(documented)).toEqual(new Set(known))
})

test('the guide lists everything that a browser token can pin', () => {
  const documented = tableIn(storeCards, 'What a browser token pins').flatMap(([names]) => quotedIn(names))

  expect(new Set(documented)).toEqual(new Set(PINNABLE))
})

test('the guide says of every field of a payment who may set it', () => {
  const guide = read('docs/guide/checkout-sessions.md')
  const documented = tableIn(guide, 'What a page may say')

  const pinnable = new Set<string>(PINNABLE)
  const known = Object.entries(WHO_MAY_SET).map(([name, { session, page }]) => [
    `\`${name}\``,
    pinnable.has(name) ? 'yes' : '',
    session ? 'yes' : '',
    page.words,
  ])
  expect(documented).toEqual(known)
})

test('the guide’s browser-token.mjs signs a token that pins its buyer', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-521' })
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  const token = runExample(storeCards, 'browser-token.mjs', pem, ['customer-4711'])

  const { payload } = await compactVerify(token, pair.publicKey, { algorithms: ['ES512'] })
  expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({
    scopes: ['embed'],
    embed: { merchant_account_id: 'default', buyer_external_identifier: 'customer-4711' },
  })
})

test.each([
  ['token.mjs', 'ed25519', {}],
  ['token.mjs', 'ec', { namedCurve: 'P-256' }],
  ['token.mjs', 'ec', { namedCurve: 'P-521' }],
  ['token.mjs', 'rsa', { modulusLength: 2048 }],
  ['jose-token.mjs', 'ed25519', {}],
  ['jose-token.mjs', 'ec', { namedCurve: 'P-521' }],
])('the guide’s %s signs a good token with a key of type %s %o', async (name, kind, options) => {
  const pair = generateKeyPairSync(kind as 'ec', options as { namedCurve: string })
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  const token = runExample(authenticate, name, pem, ['roles.read', 'audit-logs.read'])

  const { thumbprint, signatureAlgorithm } = await describePrivateKey(pem)
  expect(decodeProtectedHeader(token)).toEqual({ alg: signatureAlgorithm, kid: thumbprint, typ: 'JWT' })
  const { payload } = await compactVerify(token, pair.publicKey, { algorithms: [signatureAlgorithm] })
  const claims = JSON.parse(new TextDecoder().decode(payload))
  expect(claims.scopes).toEqual(['roles.read', 'audit-logs.read'])
  expect(claims.exp).toBeGreaterThan(Date.now() / 1000)
})

/** Runs a script of the guide as if it were a file in the checkout, where it finds the same packages as we do. */
function runExample(guide: string, name: string, pem: string, words: readonly string[]): string {
  const code = [...guide.matchAll(/```js\n(.*?)```/gs)]
    .map(([, text = '']) => text)
    .find((text) => text.startsWith(`// ${name}:`))
  if (code === undefined) throw new Error(`the guide has no ${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-docs-'))
  try {
    const key = join(folder, 'key.pem')
    writeFileSync(key, pem, { mode: 0o600 })
    const args = ['--input-type=module', '--eval', code, '--', name, key, ...words]
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What stands below a heading, up to the next one of the same rank or higher. */
function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n')
  const start = lines.indexOf(heading)
  if (start < 0) throw new Error(`there is no heading "${heading}"`)
  const rank = heading.indexOf(' ')
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= rank)
  return rest.slice(0, end < 0 ? rest.length : end).join('\n')
}

/** The rows of the first table below a heading, as cells. */
function tableIn(text: string, heading: string): string[][] {
  const rows = sectionOf(text, `## ${heading}`)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function quotedIn(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words)
}

function blockIn(section: string, language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1]
  if (block === undefined) throw new Error(`there is no ${language} block`)
  return block
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
