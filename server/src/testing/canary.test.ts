import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '#platform/observability/metrics.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import { MODELS } from '#resources/reports/spec.ts'
import { sandbox } from '#sandbox/open.ts'
import { buildApp } from '../app.ts'
import { signToken, startTestService, type TestService } from './harness.ts'
import { requestorIds } from './network-tokens.ts'
import { openReports } from './reports.ts'
import { searchTables } from './search-tables.ts'
import { openWalletPhone } from './wallet-phone.ts'
import { appleCertificate } from './wallet-shop.ts'

/** Values that may only be found sealed in the vault. Each test has its own database. */
const NUMBER = '4929120000017778'
const UPDATED_NUMBER = '4929120000010005'
const GROUPED = NUMBER.replaceAll(/(\d{4})(?=\d)/g, '$1-')
const CODE = '9173'
// The code as a word of its own. The same four digits stand by chance inside an id or a sealed text.
const CODE_AS_WORD = `(^|[^0-9A-Za-z_-])${CODE}([^0-9A-Za-z_-]|$)`
/** What wallets' tokens hold: numbers of a device and of the card itself, and a cryptogram. */
const DEVICE_NUMBER = '4929120000012225'
const WALLET_NUMBER = '4929120000013330'
const CRYPTOGRAM = Buffer.from('canary-cryptogram-20').toString('base64')
/** Numbers of bank accounts, as they are typed and as they are sealed. */
const BANK_NUMBERS = ['57190028364', 'GB82WEST12345698765432', 'GB82 WEST 1234 5698 7654 32', '40298713']
const PLAID_TOKEN = 'public-canary-plaid-token'
const tokens: string[] = []
const KEYS = { loon_client_key: 'canary-client-key', loon_secret_key: 'canary-secret-key' }

let service: TestService
let app: ReturnType<typeof buildApp>
/** Numbers of network tokens and cryptograms: answers show them, as the API promises, and nothing else does. */
const tokenSecrets: string[] = []
const logLines: string[] = []
const answers: string[] = []

beforeAll(async () => {
  service = await startTestService()
  app = buildApp({
    ...service.database,
    clock: service.context.clock,
    ...service.engine,
    outgoing: service.outgoing,
    reportFiles: service.reportFiles,
    apiLog: service.apiLog,
    environment: 'sandbox',
    sandbox,
    instanceId: 'test',
    // Everything that could be logged, through the real redaction.
    logger: pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) }),
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1:3000',
    role: 'all',
    trustProxy: false,
    metricsToken: null,
    isStopping: () => false,
  })
  await useEverythingThatTouchesSecrets()
})
afterAll(async () => {
  await app.close()
  await service.close()
})

async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: unknown) {
  const token = await signToken(service.admin)
  const response = await app.inject({
    method,
    url,
    ...(payload !== undefined && { payload: payload as object }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    },
  })
  answers.push(JSON.stringify(response.headers) + response.body)
  return response
}

/** Good and broken requests: an error that repeats its input is as bad as a log line. */
async function useEverythingThatTouchesSecrets(): Promise<void> {
  const card = { method: 'card', number: NUMBER, expiration_date: '12/40', security_code: CODE }
  await send('PUT', '/merchant-accounts/default', {
    account_updater_enabled: true,
    ...KEYS,
    ...requestorIds('default'),
  })
  const stored = (await send('POST', '/payment-methods', card)).json()
  await send('POST', '/payment-methods', { ...card, number: UPDATED_NUMBER })
  for (const broken of [
    { ...card, number: `${NUMBER}0000` },
    { ...card, number: NUMBER.slice(0, -1) + 4 },
    { ...card, expiration_date: '01/20' },
    { ...card, security_code: `${CODE}1` },
    { ...card, buyer_id: NUMBER },
    { ...card, external_identifier: { nested: NUMBER } },
    { ...card, [NUMBER]: CODE },
    { ...card, redirect_url: NUMBER },
    [card],
    JSON.stringify(card).slice(0, -5),
    `${JSON.stringify(card)} ${NUMBER}`,
  ]) {
    expect((await send('POST', '/payment-methods', broken)).statusCode).toBe(400)
  }
  await send('GET', `/payment-methods?external_identifier=${NUMBER}`)
  await send('GET', `/payment-methods/${NUMBER}`)
  await send('GET', `/payment-methods?${NUMBER}=1`)
  await send('GET', `/nowhere/${NUMBER}`)
  await send('GET', `/payment-methods/${GROUPED}`)
  await send('GET', `/payment-methods/${GROUPED.replaceAll('-', '%20')}`)
  await send('GET', `/payment-methods/${GROUPED.replaceAll('-', '.')}`)
  await send('GET', `/payment-methods/${NUMBER.replaceAll(/\d/g, '%3$&')}`)
  await send('PUT', `/payment-methods/${stored.id}`, { expiration_date: '11/41', number: NUMBER })
  await useBankAccounts()
  await useNetworkTokens(stored.id)
  const all = (await send('GET', '/payment-methods')).json().items.map(({ id }: { id: string }) => id)
  await send('POST', '/account-updater/jobs', { payment_method_ids: all })
  await payOut(stored.id)
  await typeOnAPage()
  await useTokens(stored.id)
  await service.resolveDue()
  await payWithWallets()
  await useReports()
  await new Sealer(service.secrets, null).seal(service.context)
}

/** Stored, refused, charged, and one deleted. */
async function useBankAccounts(): Promise<void> {
  const [ach, , iban, bacs] = BANK_NUMBERS
  const bank = { method: 'bank', account_holder: { last_name: 'Canary' } }
  const good = [
    { ...bank, scheme: 'ach', account_number: ach, routing_number: '021000021', account_type: 'checking' },
    { ...bank, scheme: 'sepa', account_number: iban },
    { ...bank, scheme: 'bacs', account_number: bacs, routing_number: '60-16-13' },
    { method: 'plaid', token: PLAID_TOKEN },
  ]
  for (const [index, body] of good.entries()) {
    const { id, currency } = (await send('POST', '/payment-methods', body)).json()
    for (const broken of [
      { ...body, buyer_id: ach },
      { ...body, [String(iban)]: PLAID_TOKEN },
      { ...body, account_type: bacs },
      { ...body, method: PLAID_TOKEN },
    ]) {
      expect((await send('POST', '/payment-methods', broken)).statusCode).toBe(400)
    }
    await chargeBank(id, currency ?? 'USD', index)
  }
}

async function chargeBank(id: string, currency: string, index: number): Promise<void> {
  const made = await send('POST', '/payment-services', {
    display_name: `Bank ${index}`,
    payment_service_definition_id: index === 3 ? 'test-plaid' : 'test-bank',
    fields: [{ key: 'account', value: 'shop' }],
    accepted_currencies: [currency],
    accepted_countries: ['US'],
  })
  const order = { amount: 1299, currency, country: 'US', payment_method: { method: 'id', id } }
  const paid = (await send('POST', '/transactions', order)).json()
  expect(paid.status).toBe('authorization_succeeded')
  await send('GET', `/transactions/${paid.id}/events`)
  // The other tests use the first service of the list.
  await send('DELETE', `/payment-services/${made.json().id}`)
  if (index === 0) expect((await send('DELETE', `/payment-methods/${id}`)).statusCode).toBe(204)
}

/** To a card by its number and stored; good, refused, lost on the way, and broken requests. */
async function payOut(storedId: string): Promise<void> {
  const [{ id: payment_service_id }] = (await send('GET', '/payment-services')).json().items
  const card = { method: 'card', number: NUMBER, expiration_date: '12/40' }
  const order = { amount: 500, currency: 'USD', payment_service_id, payment_method: card }
  const fault = { on: 'payout', kind: 'lose-answer' }
  for (const sent of [
    order,
    { ...order, payment_method: { id: storedId } },
    { ...order, amount: 530_001 },
    { ...order, connection_options: { 'mock-card': { fault } } },
  ]) {
    expect((await send('POST', '/payouts', sent)).statusCode).toBe(201)
  }
  for (const broken of [
    { ...order, amount: 0 },
    { ...order, payment_method: { ...card, number: `${NUMBER}0000` } },
    { ...order, payment_method: { ...card, security_code: CODE } },
    { ...order, payment_method: { id: NUMBER } },
    { ...order, buyer_id: NUMBER },
    { ...order, [NUMBER]: CODE },
  ]) {
    expect((await send('POST', '/payouts', broken)).statusCode).toBe(400)
  }
  await send('GET', `/payouts?external_identifier=${NUMBER}`)
  await send('GET', `/payouts/${NUMBER}`)
}

/** Types the card on the page of a payment link: wrong, right, in other places than its fields, and once more. */
async function typeOnAPage(): Promise<void> {
  const order = { amount: 1299, currency: 'USD', country: 'US', store: true }
  const link = (await send('POST', '/payment-links', order)).json()
  const typed = { method: 'card', number: NUMBER, expiration_date: '12/40', security_code: CODE }
  const right = { ...typed, security_code: CODE.slice(0, 3) }
  const form = (payment_method: object, more: object = {}) => ({
    tries: 0,
    attempt: 'a-secret-of-the-browser',
    amount: 1299,
    currency: 'USD',
    payment_method,
    ...more,
  })
  const path = new URL(link.url).pathname
  const statuses: number[] = []
  for (const [at, payload] of [
    [path, form(typed)],
    [path, form({ ...right, number: `${GROUPED}0` })],
    [path, form({ ...right, expiration_date: NUMBER }, { tries: NUMBER, [NUMBER]: CODE })],
    [path.slice(0, -1), form(right)],
    [path, form(right)],
    [path, form(right, { attempt: `another-secret-${NUMBER}` })],
  ] as const) {
    const url = `${at}/payments?number=${NUMBER}&transaction_id=${NUMBER}`
    const response = await app.inject({ method: 'POST', url, payload })
    statuses.push(response.statusCode)
    answers.push(JSON.stringify(response.headers) + response.body)
  }
  expect(statuses).toEqual([400, 400, 400, 404, 200, 409])
  answers.push((await app.inject({ method: 'GET', url: `${path}/state?attempt=${NUMBER}` })).body)
  answers.push((await app.inject({ method: 'GET', url: `${path}?number=${NUMBER}` })).body)
}

/** Another key that opens a wallet's tokens: in the wrong places, entered well, and listed. */
async function enterWalletKey(walletId: string): Promise<void> {
  const { certificate, private_key } = appleCertificate()
  const { d: scalar = '' } = createPrivateKey(private_key).export({ format: 'jwk' })
  const [, firstLine = ''] = private_key.split('\n')
  expect([scalar.length, firstLine.length]).toEqual([43, 64])
  tokens.push(
    scalar,
    firstLine,
    ...['hex', 'base64'].map((form) => Buffer.from(scalar, 'base64url').toString(form as 'hex')),
  )
  const key = { purpose: 'apple-payment-processing', certificate, private_key }
  for (const broken of [
    { ...key, certificate: private_key },
    { ...key, certificate: appleCertificate().certificate },
    { ...key, purpose: private_key },
    { ...key, recipient_id: private_key },
    { ...key, private_key: private_key.slice(0, -40) },
    { ...key, private_key: [private_key] },
    { ...key, [firstLine]: private_key },
  ]) {
    expect((await send('POST', `/digital-wallets/${walletId}/keys`, broken)).statusCode).toBe(400)
  }
  const entered = await send('POST', `/digital-wallets/${walletId}/keys`, key)
  expect(entered.statusCode, entered.body).toBe(201)
  await send('GET', `/digital-wallets/${walletId}/keys`)
}

/** Files of everything that can be reported about the payments before, and requests for what cannot. */
async function useReports(): Promise<void> {
  const reports = openReports(service)
  const report = { name: 'Canary', schedule: 'once', schedule_enabled: false }
  for (const params of [
    { [NUMBER]: 1 },
    { fields: [NUMBER] },
    { filters: { created_at: { start: NUMBER }, metadata: { [NUMBER]: 1 } } },
  ]) {
    const broken = await send('POST', '/reports', { ...report, spec: { model: 'transactions', params } })
    expect(broken.statusCode).toBe(400)
  }
  for (const model of MODELS) await send('POST', '/reports', { ...report, spec: { model, params: {} } })
  await reports.write()
  const { items } = (await send('GET', '/report-executions')).json()
  expect(items).toHaveLength(MODELS.length)
  for (const { id, report: owner } of items) {
    const { url } = (await send('POST', `/reports/${owner.id}/executions/${id}/url`)).json()
    const file = await reports.download(url)
    expect(file.statusCode).toBe(200)
    answers.push(file.body)
  }
}

/** Tokens that are opened, refused, and used twice. */
async function payWithWallets(): Promise<void> {
  const phone = await openWalletPhone(service)
  await enterWalletKey(phone.appleKey.walletId)
  const order = { amount: 1000, currency: 'USD', country: 'US' }
  const apple = phone.applePay({ number: DEVICE_NUMBER, cryptogram: CRYPTOGRAM })
  const google = phone.googlePay({ number: DEVICE_NUMBER, cryptogram: CRYPTOGRAM })
  const card = phone.googlePay({ number: WALLET_NUMBER, authMethod: 'PAN_ONLY' })
  for (const [method, token] of [
    ['applepay', apple],
    ['googlepay', google],
    ['googlepay', card],
  ] as const) {
    const payment_method = { method, token, redirect_url: 'https://shop.example.com/back' }
    expect((await send('POST', '/transactions', { ...order, payment_method })).statusCode).toBe(201)
    for (const broken of [
      payment_method,
      { ...payment_method, token: { ...token, version: 'x', protocolVersion: 'x' } },
    ]) {
      expect((await send('POST', '/transactions', { ...order, payment_method: broken })).statusCode).toBe(400)
    }
  }
  tokens.push(...[apple, google, card].flatMap(textsOf))
}

/** What is secret in a token: everything long in it, signatures and keys included. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string' && value.startsWith('{')) return textsOf(JSON.parse(value))
  if (typeof value === 'string') return value.length > 60 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** A provider's token. Only the operations about it answer with it. */
async function useTokens(id: string): Promise<void> {
  const [first] = (await send('GET', '/payment-services')).json().items
  await send('PUT', `/payment-services/${first.id}`, { payment_method_tokenization_enabled: true })
  const path = `/payment-methods/${id}/payment-service-tokens`
  const body = { payment_service_id: first.id, redirect_url: 'https://shop.example.com/stored' }
  const { token } = (await send('POST', path, body)).json()
  expect(token).toMatch(/^tok_/)
  tokens.push(token)
  // This answer shows it, as it is meant to.
  answers.pop()
  await send('POST', path, body)
  await send('POST', '/transactions', { amount: 1299, currency: 'USD', payment_method: { method: 'id', id } })
}

async function useNetworkTokens(paymentMethodId: string): Promise<void> {
  const [simulator] = (await send('GET', '/payment-services')).json().items
  await send('PUT', `/payment-services/${simulator.id}`, { open_loop: true, network_tokens_enabled: true })
  const tokens = `/payment-methods/${paymentMethodId}/network-tokens`
  const made = await send('POST', tokens, { merchant_initiated: false, is_subsequent_payment: false })
  const { id, token } = made.json()
  const proof = await send('POST', `${tokens}/${id}/cryptogram`, { merchant_initiated: false })
  tokenSecrets.push(token, proof.json().cryptogram)
  const paid = await send('POST', '/transactions', {
    amount: 600_003,
    currency: 'USD',
    country: 'US',
    payment_method: { method: 'id', id: paymentMethodId },
  })
  expect(paid.json()).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
  await send('POST', `${tokens}/${id}/suspend`)
  await send('GET', tokens)
  await send('GET', `${tokens}/${token}`)
}

/** The searched text itself, in hex and in base64. */
function forms(value: string): string[] {
  return [value, Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64').replace(/=+$/, '')]
}

const SECRETS = [
  NUMBER,
  UPDATED_NUMBER,
  DEVICE_NUMBER,
  WALLET_NUMBER,
  CRYPTOGRAM.replace(/=+$/, ''),
  GROUPED,
  ...['%20', '.'].map((sign) => GROUPED.replaceAll('-', sign)),
  NUMBER.replaceAll(/\d/g, '%3$&'),
  ...Object.values(KEYS),
  ...BANK_NUMBERS,
  PLAID_TOKEN,
]

test('no table holds a number or a key in the clear, the vault’s own included', async () => {
  await service.engine.exchanges.flush()
  await service.apiLog.flush()
  const secrets = [...[...SECRETS, ...tokenSecrets].flatMap(forms), ...tokens]
  const { found, tables, rows } = await searchTables(service.context.db, secrets)
  expect(found).toEqual([])
  expect(tables).toBeGreaterThan(15)
  expect(rows).toBeGreaterThan(30)
})

test('a security code is stored nowhere', async () => {
  const columns = await sql<{ table: string; column: string; type: string }>`
    select format('%I.%I', table_schema, table_name) as table, column_name as column, data_type as type
    from information_schema.columns
    where table_schema in ('public', 'vault') and data_type in ('text', 'json', 'jsonb', 'bytea')
  `.execute(service.context.db)
  for (const { table, column, type } of columns.rows) {
    // As text: the four digits are found by chance in the hexadecimal form of sealed bytes.
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const found = await sql
      .raw<{ value: string }>(`select ${text} as value from ${table} where ${text} ~ '${CODE_AS_WORD}'`)
      .execute(service.context.db)
    expect(found.rows, `${table}.${column}`).toEqual([])
  }
})

test('no log line, answer or error repeats a secret', () => {
  expect(logLines.length).toBeGreaterThan(15)
  const log = logLines.join('')
  const said = answers.join('\n')
  expect(tokenSecrets).toHaveLength(2)
  for (const secret of tokenSecrets.flatMap(forms)) expect(log).not.toContain(secret)
  for (const secret of [...SECRETS.flatMap(forms), ...tokens]) {
    expect(log).not.toContain(secret)
    expect(said).not.toContain(secret)
  }
  for (const text of [log.replaceAll(`"pid":${process.pid},`, ''), said]) {
    expect(text).not.toMatch(new RegExp(CODE_AS_WORD))
  }
})

test('a copy of the database without the vault’s key yields no card', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { Vault } = await import('#vault')
  const wrong = Vault.open(service.context.db, 'sandbox', {
    kind: 'given',
    keys: [Buffer.from(privateKey.export({ type: 'pkcs8', format: 'der' })).subarray(-32)],
  })

  await expect(wrong).rejects.toThrow(/does not give the vault key/)
})
