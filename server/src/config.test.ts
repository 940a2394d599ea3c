import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { urlsOf } from '#platform/database/addresses.ts'
import { ConfigError, connectionsOf, fileOfDatabase, readConfig } from './config.ts'

const SECRET = randomBytes(32).toString('base64')
/** In the form of Google's document. The keys are from the tests of Google's Tink. */
const GOOGLE_KEYS = JSON.stringify({
  keys: [
    {
      keyValue:
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPYnHwS8uegWAewQtlxizmLFynwHcxRT1PK07cDA6/C4sXrVI1SzZCUx8U8S0LjMrT6ird/VW7be3Mz6t/srtRQ==',
      protocolVersion: 'ECv1',
    },
    {
      keyValue:
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/1+3HBVSbdv+j7NaArdgMyoSAM43yRydzqdg1TxodSzA96Dj4Mc1EiKroxxunavVIvdxGnJeFViTzFvzFRxyCw==',
      protocolVersion: 'ECv2',
      keyExpiration: '2154841200000',
    },
    {
      keyValue:
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENXvYqxD5WayKYhuXQevdGdLA8ifV4LsRS2uKvFo8wwyiwgQHB9DiKzG6T/P1Fu9Bl7zWy/se5Dy4wk1mJoPuxg==',
      protocolVersion: 'ECv2',
    },
  ],
})
const VAULT = randomBytes(32).toString('base64')

test('needs no settings to run a sandbox for this machine only', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: null,
    publicUrl: null,
    checkoutUrl: null,
    walletUrl: null,
    databaseUrl: null,
    environment: 'sandbox',
    role: 'all',
    workers: 1,
    databasePoolSize: 20,
    logLevel: 'info',
    secretKey: null,
    vaultKeys: null,
    vaultKeyCommand: null,
    trustProxy: false,
    metricsToken: null,
    sessionIdleMinutes: 15,
    mail: null,
    refundStepUpAmount: 50_000,
    webhookAllowCidrs: ['127.0.0.0/8', '::1/128'],
    eventRetentionDays: 90,
    incidentRetentionDays: 365,
    exchangeRetentionDays: 30,
    apiLogRetentionDays: 7,
    sessionRetentionDays: 7,
    reportPollMinutes: 60,
    reportsDir: null,
    reportsS3: null,
    reportRetentionDays: 30,
    giftCardBalancesMax: 10,
    googlePayRootKeys: [],
    connectors: null,
  })
  expect(readConfig({}).dataDir).toMatch(/\/[.]data$/)
})

test('takes every variable', () => {
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: '8080',
    PUBLIC_URL: 'https://pay.example.com/',
    CHECKOUT_URL: 'https://checkout.example.com/',
    WALLET_URL: 'https://wallets.example.com',
    DATA_DIR: '/srv/switchyard',
    DATABASE_URL: 'postgres://user:word@db.example.com/payments',
    DATABASE_POOL_SIZE: '5',
    DATABASE_QUEUE_MAX: '50',
    ANALYTICS_DATABASE_URL: 'postgres://reader@replica.example.com/payments',
    ANALYTICS_POOL_SIZE: '4',
    READ_DATABASE_URL: 'postgres://reader@replica-1.example.com,replica-2.example.com/payments',
    READ_LAG_MAX_SECONDS: '30',
    ENVIRONMENT: 'production',
    ROLE: 'api',
    WORKERS: '4',
    INSTANCE_ID: 'eu-1',
    LOG_LEVEL: 'warn',
    SECRET_KEY: SECRET,
    VAULT_KEY: `${VAULT}, ${SECRET}`,
    VAULT_KEY_COMMAND: 'print-key',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
    METRICS_TOKEN: 'watch',
    SESSION_IDLE_MINUTES: '10',
    REFUND_STEP_UP_AMOUNT: '0',
    OIDC_ISSUER: 'https://id.example.com/realms/pay/',
    OIDC_CLIENT_ID: 'switchyard',
    OIDC_CLIENT_SECRET: 'hunter2',
    OIDC_NAME: 'Example Inc.',
    OIDC_SCOPE: 'email groups',
    OIDC_ROLES: 'payments-admins=administrator, CN=Support=customer-support,CN=Support=report-viewer,',
    OIDC_ROLES_CLAIM: 'realm_access.roles',
    OIDC_ACCOUNTS_CLAIM: 'shops',
    OIDC_ACR_VALUES: 'mfa phr',
    SMTP_URL: 'smtps://shop:word@smtp.example.com',
    MAIL_FROM: 'Shop <payments@example.com>',
    WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8,192.168.1.7',
    EVENT_RETENTION_DAYS: '365',
    INCIDENT_RETENTION_DAYS: '30',
    EXCHANGE_RETENTION_DAYS: '0',
    API_LOG_RETENTION_DAYS: '0',
    CHECKOUT_SESSION_RETENTION_DAYS: '30',
    REPORT_POLL_MINUTES: '15',
    REPORTS_DIR: '/srv/reports',
    REPORTS_S3_URL: 'https://s3.example.com/reports/',
    REPORTS_S3_REGION: 'eu-central-1',
    REPORTS_S3_ACCESS_KEY_ID: 'key-id',
    REPORTS_S3_SECRET_ACCESS_KEY: 'secret',
    REPORT_RETENTION_DAYS: '7',
    GIFT_CARD_BALANCES_MAX: '25',
    GOOGLE_PAY_ROOT_KEYS: GOOGLE_KEYS,
    CONNECTORS: '@acme/switchyard-acme, ./north',
    CONNECTORS_DIR: '/opt/connectors',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20word',
    OTEL_SERVICE_NAME: 'payments',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })

  expect(config).toEqual({
    collector: {
      url: 'https://otlp.example.com',
      headers: { authorization: 'Bearer word' },
      serviceName: 'payments',
      share: 0.25,
    },
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://pay.example.com',
    checkoutUrl: 'https://checkout.example.com',
    walletUrl: 'https://wallets.example.com',
    dataDir: '/srv/switchyard',
    databaseUrl: 'postgres://user:word@db.example.com/payments',
    databasePoolSize: 5,
    databaseQueueMax: 50,
    analyticsDatabaseUrl: 'postgres://reader@replica.example.com/payments',
    analyticsPoolSize: 4,
    readDatabaseUrl: 'postgres://reader@replica-1.example.com,replica-2.example.com/payments',
    readLagMaxSeconds: 30,
    environment: 'production',
    role: 'api',
    workers: 4,
    instanceId: 'eu-1',
    logLevel: 'warn',
    secretKey: Buffer.from(SECRET, 'base64'),
    vaultKeys: [Buffer.from(VAULT, 'base64'), Buffer.from(SECRET, 'base64')],
    vaultKeyCommand: 'print-key',
    trustProxy: ['10.0.0.0/8', '127.0.0.1'],
    metricsToken: 'watch',
    sessionIdleMinutes: 10,
    refundStepUpAmount: 0,
    mail: { url: 'smtps://shop:word@smtp.example.com', from: 'Shop <payments@example.com>' },
    oidc: {
      issuer: 'https://id.example.com/realms/pay',
      clientId: 'switchyard',
      clientSecret: 'hunter2',
      name: 'Example Inc.',
      scope: 'openid email groups',
      roles: new Map([
        ['payments-admins', ['administrator']],
        ['CN=Support', ['customer-support', 'report-viewer']],
      ]),
      rolesClaim: 'realm_access.roles',
      accountsClaim: 'shops',
      acrValues: ['mfa', 'phr'],
    },
    webhookAllowCidrs: ['10.0.0.0/8', 'fd00::/8', '192.168.1.7'],
    eventRetentionDays: 365,
    incidentRetentionDays: 30,
    exchangeRetentionDays: 0,
    apiLogRetentionDays: 0,
    sessionRetentionDays: 30,
    reportPollMinutes: 15,
    reportsDir: '/srv/reports',
    reportsS3: {
      url: 'https://s3.example.com/reports',
      region: 'eu-central-1',
      accessKeyId: 'key-id',
      secretAccessKey: 'secret',
    },
    reportRetentionDays: 7,
    giftCardBalancesMax: 25,
    connectors: { folder: '/opt/connectors', entries: ['@acme/switchyard-acme', './north'] },
    googlePayRootKeys: [
      { key: expect.anything(), expiresAt: new Date(2_154_841_200_000) },
      { key: expect.anything(), expiresAt: null },
    ],
  })
})

test('several processes share the connections that a server usually has', () => {
  const auto = readConfig({ WORKERS: 'auto' })
  expect(auto.workers).toBe(availableParallelism())
  for (const workers of [1, 2, 4, 12]) {
    for (const ROLE of ['all', 'api', 'worker']) {
      const config = readConfig({ WORKERS: String(workers), ROLE })
      expect(connectionsOf(config), `${workers} ${ROLE}`).toBeLessThanOrEqual(97)
      expect(config.databasePoolSize).toBeGreaterThanOrEqual(5)
    }
  }
  // Jobs alone run in one process.
  expect(readConfig({ WORKERS: '4', ROLE: 'worker' })).toMatchObject({ workers: 1, databasePoolSize: 20 })
  expect(readConfig({ WORKERS: '4', DATABASE_POOL_SIZE: '30' }).databasePoolSize).toBe(30)
})

test.each([
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PUBLIC_URL', 'pay.example.com'],
  ['PUBLIC_URL', 'ftp://pay.example.com'],
  ['CHECKOUT_URL', 'checkout.example.com'],
  ['DATABASE_URL', 'mysql://localhost/payments'],
  ['DATABASE_POOL_SIZE', '0'],
  ['DATABASE_QUEUE_MAX', '0'],
  ['ANALYTICS_DATABASE_URL', 'mysql://localhost/payments'],
  ['ANALYTICS_POOL_SIZE', '0'],
  ['READ_DATABASE_URL', 'replica.example.com'],
  ['READ_LAG_MAX_SECONDS', '0'],
  ['ENVIRONMENT', 'staging'],
  ['ROLE', 'boss'],
  ['WORKERS', '0'],
  ['WORKERS', '-1'],
  ['WORKERS', '1.5'],
  ['WORKERS', 'many'],
  ['WORKERS', '10000'],
  ['INSTANCE_ID', 'Not Allowed'],
  ['LOG_LEVEL', 'loud'],
  ['SECRET_KEY', 'short'],
  ['VAULT_KEY', `short,${SECRET}`],
  ['TRUST_PROXY', 'everyone'],
  ['WEBHOOK_ALLOW_CIDRS', 'everyone'],
  ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
  ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8, none'],
  ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8,'],
  ['EVENT_RETENTION_DAYS', '6'],
  ['EVENT_RETENTION_DAYS', '3651'],
  ['EVENT_RETENTION_DAYS', '7.5'],
  ['INCIDENT_RETENTION_DAYS', '0'],
  ['INCIDENT_RETENTION_DAYS', '3651'],
  ['EXCHANGE_RETENTION_DAYS', '-1'],
  ['EXCHANGE_RETENTION_DAYS', '366'],
  ['API_LOG_RETENTION_DAYS', '-1'],
  ['API_LOG_RETENTION_DAYS', '91'],
  ['CHECKOUT_SESSION_RETENTION_DAYS', '0'],
  ['REPORTS_S3_URL', 'bucket'],
  ['REPORT_RETENTION_DAYS', '0'],
  ['GIFT_CARD_BALANCES_MAX', '0'],
  ['GIFT_CARD_BALANCES_MAX', '51'],
  ['GOOGLE_PAY_ROOT_KEYS', 'no JSON'],
  ['GOOGLE_PAY_ROOT_KEYS', '{"keys":[]}'],
  ['GOOGLE_PAY_ROOT_KEYS', GOOGLE_KEYS.replaceAll('ECv2', 'ECv1')],
  ['GOOGLE_PAY_ROOT_KEYS', GOOGLE_KEYS.replaceAll('MFkw', 'AAAA')],
  ['GOOGLE_PAY_ROOT_KEYS', GOOGLE_KEYS.replace('2154841200000', 'never')],
])('refuses %s=%s with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be .+[.]$`))
})

test.each([
  '../acme',
  './../acme',
  '/opt/acme',
  './',
  '@acme',
  '@acme/../other',
  'acme/index.js',
  'Acme',
  'https://acme.example.com/acme.js',
  'acme@1.0.0',
  'acme,',
  'acme,acme',
])('refuses CONNECTORS=%s', (value) => {
  expect(() => readConfig({ CONNECTORS: value, CONNECTORS_DIR: '/opt/connectors' })).toThrow(
    /^CONNECTORS must be names of packages separated by commas/,
  )
})

test('wants packages of connectors with their folder, or neither', () => {
  expect(() => readConfig({ CONNECTORS: 'acme' })).toThrow(/^CONNECTORS_DIR is not set[.] Set CONNECTORS and/)
  expect(() => readConfig({ CONNECTORS_DIR: '/opt/connectors' })).toThrow(/^CONNECTORS is not set[.]/)
})

test('allows webhooks to no internal address if it says none', () => {
  expect(readConfig({ WEBHOOK_ALLOW_CIDRS: 'none' }).webhookAllowCidrs).toEqual([])
})

test('never repeats a value that may be secret', () => {
  const refuse = () => readConfig({ SECRET_KEY: 'hunter2', DATABASE_URL: 'mysql://root:hunter2@localhost' })

  expect(refuse).toThrow(ConfigError)
  expect(refuse).not.toThrow(/hunter2/)
})

test('wants an SMTP server with a sender, or neither', () => {
  expect(() => readConfig({ MAIL_FROM: 'a@example.com' })).toThrow(/^SMTP_URL is not set[.]/)
  expect(() => readConfig({ SMTP_URL: 'smtp://localhost' })).toThrow(/^MAIL_FROM is not set[.]/)
})

test.each([
  ['http://smtp.example.com', 'a@example.com', 'SMTP_URL must be smtps:'],
  ['smtp.example.com', 'a@example.com', 'SMTP_URL must be smtps:'],
  ['smtps://smtp.example.com/?pool=hunter2', 'a@example.com', 'SMTP_URL must be smtps:'],
  ['smtps://', 'a@example.com', 'SMTP_URL must be smtps:'],
  ['smtp://localhost:25', 'Shop', 'MAIL_FROM must be an e-mail address'],
  ['smtp://localhost:25', 'Shop <a@example.com>, b@example.com', 'MAIL_FROM must be an e-mail address'],
  ['smtp://localhost:25', 'a@example.com\r\nBcc: b@example.com', 'MAIL_FROM must be an e-mail address'],
])('refuses mail by %s from %j', (SMTP_URL, MAIL_FROM, complaint) => {
  const refuse = () => readConfig({ SMTP_URL, MAIL_FROM })
  expect(refuse).toThrow(complaint)
  expect(refuse).not.toThrow(/hunter2/)
})

test('production signs in at a mail server that is elsewhere', () => {
  const at = (SMTP_URL: string) => () =>
    readConfig({ ENVIRONMENT: 'production', SMTP_URL, MAIL_FROM: 'a@example.com' })
  expect(at('smtps://smtp.example.com')).toThrow(/SMTP_URL must name a user/)
  expect(at('smtps://shop:word@smtp.example.com')).not.toThrow(/SMTP_URL/)
  expect(at('smtp://localhost:25')).not.toThrow(/SMTP_URL/)
})

test('wants a bucket with the keys to it, or neither', () => {
  const refuse = () => readConfig({ REPORTS_S3_URL: 'https://s3.example.com/reports' })

  expect(refuse).toThrow(/REPORTS_S3_ACCESS_KEY_ID is not set[\s\S]*REPORTS_S3_SECRET_ACCESS_KEY is not set/)
  expect(() => readConfig({ REPORTS_S3_SECRET_ACCESS_KEY: 'hunter2' })).toThrow(
    /^(?!.*hunter2)[\s\S]*REPORTS_S3_URL is not set/,
  )
})

test('takes a database with several addresses, of which one is written to', () => {
  const url = 'postgresql://user:w%40rd@one:5432,[::1]:5433,two/payments?target_session_attrs=read-write'
  const single = readConfig({ DATABASE_URL: 'postgresql://user:w%40rd@one:5432/payments' })

  const config = readConfig({ DATABASE_URL: url })

  expect(config.databaseUrl).toBe(url)
  // A standby that is added does not lead to other keys.
  expect(fileOfDatabase(config, 'vault-key')).toBe(fileOfDatabase(single, 'vault-key'))
  expect(urlsOf(url).map((one) => new URL(one).host)).toEqual(['one:5432', '[::1]:5433', 'two'])
})

test.each([
  [{ DATABASE_URL: 'postgres://one:5432,two:x/payments' }, 'starts with postgres://'],
  [{ DATABASE_URL: 'postgres://one,two/payments?target_session_attrs=any' }, 'the service writes'],
  [{ ANALYTICS_DATABASE_URL: 'postgres://one,two/payments' }, 'one address'],
])('refuses %j', (env, complaint) => {
  expect(() => readConfig(env)).toThrow(complaint)
})

test('names every mistake at once', () => {
  expect(() => readConfig({ PORT: 'x', ROLE: 'y' })).toThrow(/ROLE must[\s\S]*PORT must/)
})

test('refuses one key for the secret and the vault, except as an older key', () => {
  expect(() => readConfig({ SECRET_KEY: SECRET, VAULT_KEY: SECRET })).toThrow(
    /^VAULT_KEY and SECRET_KEY must differ/,
  )
  expect(readConfig({ SECRET_KEY: SECRET, VAULT_KEY: `${VAULT},${SECRET}` }).vaultKeys).toHaveLength(2)
})

describe('in production', () => {
  test('refuses the embedded database and a generated secret', () => {
    expect(() => readConfig({ ENVIRONMENT: 'production' })).toThrow(
      /DATABASE_URL is not set[\s\S]*SECRET_KEY is not set[\s\S]*VAULT_KEY is not set/,
    )
  })

  test('sends reports to a bucket over http only on this machine', () => {
    const env = (url: string) => ({
      ENVIRONMENT: 'production',
      DATABASE_URL: 'postgres://localhost/payments',
      SECRET_KEY: SECRET,
      VAULT_KEY: VAULT,
      REPORTS_S3_URL: url,
      REPORTS_S3_ACCESS_KEY_ID: 'key-id',
      REPORTS_S3_SECRET_ACCESS_KEY: 'hunter2',
    })

    for (const url of ['http://s3.example.com/b', 'http://10.0.0.5/b', 'http://127.evil.example/b']) {
      expect(() => readConfig(env(url)), url).toThrow(/REPORTS_S3_URL must begin with https:/)
    }
    for (const url of [
      'https://s3.example.com/b',
      'http://127.0.0.1:9000/b',
      'http://localhost/b',
      'http://[::1]/b',
    ]) {
      expect(readConfig(env(url)).reportsS3?.url).toBe(url)
    }
    const sandbox = { ...env('http://minio.example/b'), ENVIRONMENT: 'sandbox' }
    expect(readConfig(sandbox).reportsS3?.url).toBe('http://minio.example/b')
  })

  test.each([
    ['SECRET_KEY', { SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), VAULT_KEY: VAULT }],
    ['VAULT_KEY', { SECRET_KEY: SECRET, VAULT_KEY: `${VAULT},${Buffer.alloc(32).toString('base64')}` }],
  ])('refuses a %s that is not random', (name, keys) => {
    const env = { ENVIRONMENT: 'production', DATABASE_URL: 'postgres://localhost/payments', ...keys }

    expect(() => readConfig(env)).toThrow(`${name} is not random`)
    expect(() => readConfig({ ...env, ENVIRONMENT: 'sandbox' })).not.toThrow()
  })

  test('takes the embedded database when it is allowed', () => {
    const env = {
      ENVIRONMENT: 'production',
      SECRET_KEY: SECRET,
      VAULT_KEY: VAULT,
      ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
    }

    expect(readConfig(env).databaseUrl).toBeNull()
    expect(readConfig(env).webhookAllowCidrs).toEqual([])
  })

  test('allows it only with the word true', () => {
    const env = { ENVIRONMENT: 'production', SECRET_KEY: SECRET, ALLOW_EMBEDDED_IN_PRODUCTION: 'yes' }

    expect(() => readConfig(env)).toThrow(/ALLOW_EMBEDDED_IN_PRODUCTION must be true or false/)
  })
})

test.each([
  [{ CHECKOUT_URL: 'https://checkout.example.com/pages' }, 'CHECKOUT_URL must have no path'],
  [{ CHECKOUT_URL: 'https://checkout.example.com' }, 'Set PUBLIC_URL as well'],
  [
    { CHECKOUT_URL: 'http://pay.example.com', PUBLIC_URL: 'https://pay.example.com' },
    'CHECKOUT_URL must have another host than PUBLIC_URL',
  ],
  [{ WALLET_URL: 'https://wallets.example.com' }, 'Set PUBLIC_URL as well: WALLET_URL'],
  [
    {
      WALLET_URL: 'https://checkout.example.com',
      CHECKOUT_URL: 'https://checkout.example.com',
      PUBLIC_URL: 'https://pay.example.com',
    },
    'WALLET_URL must have another host than CHECKOUT_URL',
  ],
])('refuses a host of their own for pages that is none: %j', (env, problem) => {
  expect(() => readConfig(env)).toThrow(problem)
})

describe('an identity provider', () => {
  const OIDC = {
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'switchyard',
    OIDC_CLIENT_SECRET: 'hunter2',
    OIDC_ROLES: 'admins=administrator',
  }

  test('is named after its host, and asked for groups, unless the settings say otherwise', () => {
    expect(readConfig(OIDC).oidc).toMatchObject({
      name: 'id.example.com',
      scope: 'openid profile email',
      rolesClaim: 'groups',
      accountsClaim: null,
      acrValues: [],
    })
    expect(readConfig({}).oidc).toBeNull()
  })

  test.each(['http://127.0.0.1:9000', 'http://localhost/realms/pay', 'http://[::1]:9000'])(
    'may use http on this machine: %s',
    (issuer) => {
      expect(readConfig({ ...OIDC, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
    },
  )

  test.each([
    [{ OIDC_ISSUER: 'http://id.example.com' }, 'OIDC_ISSUER must begin with https://'],
    [{ OIDC_ISSUER: 'http://127.evil.example' }, 'OIDC_ISSUER must begin with https://'],
    [{ OIDC_ISSUER: 'https://a:b@id.example.com' }, 'OIDC_ISSUER must be a URL'],
    [
      { OIDC_ISSUER: 'https://id.example.com/.well-known/openid-configuration' },
      'OIDC_ISSUER must be the address before /.well-known/openid-configuration',
    ],
    [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET is not set. Set OIDC_ISSUER,'],
    [{ OIDC_ROLES: '' }, 'OIDC_ROLES is not set'],
    [{ OIDC_ROLES: 'admins' }, 'OIDC_ROLES must be pairs'],
    [{ OIDC_ROLES: '=administrator' }, 'OIDC_ROLES must be pairs'],
    [{ OIDC_ROLES: 'admins=Administrator!' }, 'OIDC_ROLES must be pairs'],
  ])('is refused: %j', (env, problem) => {
    expect(() => readConfig({ ...OIDC, ...env })).toThrow(problem)
  })
})
