import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { urlsOf } from '#platform/database/addresses.ts'
import { errorCode } from '#platform/database/database-errors.ts'
import type { S3Settings } from '#platform/file-storage/s3.ts'
import { isOnThisMachine, type MailSettings } from '#platform/mail/mailer.ts'
import type { Collector } from '#platform/observability/send-spans.ts'
import type { GoogleRootKey } from '#processing/wallet-tokens/open-google-pay.ts'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'
import type { KeySource } from '#vault'
import { type Env, isOpenToOthers, reader, readOidc } from './config-reader.ts'

type Environment = 'sandbox' | 'production'
export type Role = 'all' | 'api' | 'worker'

export type Config = {
  readonly host: string
  /** Null if the operator set none: then the service takes the next free port if 3000 is in use. */
  readonly port: number | null
  readonly publicUrl: string | null
  /** Where the pages of buyers are. Null: beside everything else. */
  readonly checkoutUrl: string | null
  /** Where frames with scripts of wallets are. Null: there are none. */
  readonly walletUrl: string | null
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly databasePoolSize: number
  readonly databaseQueueMax: number
  /** A replica for long questions. Null: they go to the database itself. */
  readonly analyticsDatabaseUrl: string | null
  readonly analyticsPoolSize: number
  /** A replica for lists, reports and the metrics explorer. Null: the database itself. */
  readonly readDatabaseUrl: string | null
  /** A replica that is further behind is not read from. */
  readonly readLagMaxSeconds: number
  readonly environment: Environment
  readonly role: Role
  /** How many processes answer the API. With more than one, a parent runs them, and jobs have another process. */
  readonly workers: number
  readonly instanceId: string
  readonly logLevel: string
  readonly secretKey: Buffer | null
  /** The first key seals; the others only open older values. */
  readonly vaultKeys: readonly Buffer[] | null
  readonly vaultKeyCommand: string | null
  readonly trustProxy: boolean | string[]
  readonly metricsToken: string | null
  /** Where traces are sent. Null: nothing is traced. */
  readonly collector: Collector | null
  /** How long a session of a user may be unused. */
  readonly sessionIdleMinutes: number
  /** Users who refund more than this have to prove again who they are. */
  readonly refundStepUpAmount: number
  /** Null: users sign in here alone. */
  readonly oidc: OidcSettings | null
  /** Null: no e-mails are sent. */
  readonly mail: MailSettings | null
  /** Internal addresses to which webhooks may be sent nevertheless. */
  readonly webhookAllowCidrs: readonly string[]
  readonly eventRetentionDays: number
  /** Of incidents that are closed. */
  readonly incidentRetentionDays: number
  /** How long exchanges with providers are kept. Zero: none is. */
  readonly exchangeRetentionDays: number
  /** How long requests to the API are kept in its log. Zero: none is. */
  readonly apiLogRetentionDays: number
  /** How long checkout sessions are kept after they have expired. */
  readonly sessionRetentionDays: number
  /** How often we ask payment services for new report files. */
  readonly reportPollMinutes: number
  /** Null: in the data folder. */
  readonly reportsDir: string | null
  /** Null: files of reports are kept on the disk. */
  readonly reportsS3: S3Settings | null
  readonly reportRetentionDays: number
  /** How many gift cards one request may ask about. */
  readonly giftCardBalancesMax: number
  /** Who signs the tokens of Google Pay. */
  readonly googlePayRootKeys: readonly GoogleRootKey[]
  /** Null: there are only our own connectors. */
  readonly connectors: ConnectorSettings | null
}

export const PORT_DEFAULT = 3000
/** A sandbox takes the first of these that is free, unless its operator sets one. */
export const PORTS_TO_TRY = 20
/** A burst waits. Requests beyond it would wait longer than their callers do. */
export const DATABASE_QUEUE_MAX_DEFAULT = 200
/** The parent of several processes asks the database for little more than the time. */
export const PARENT_POOL_SIZE = 2
const ANALYTICS_POOL_SIZE_DEFAULT = 2
/** PCI DSS 8.2.8 wants no more than this. */
export const SESSION_IDLE_MINUTES_DEFAULT = 15

const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
export const DATA_DIR_DEFAULT = join(CHECKOUT, '.data')
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const SAME_KEYS =
  'VAULT_KEY and SECRET_KEY must differ: a person who learns one would have both. Make another vault key ' +
  '(openssl rand -base64 32). If cards are stored already, put it first in VAULT_KEY and run: switchyard vault rotate.'

/** Names all wrong variables at once, and what each may be. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** The only place that gives meaning to the environment. */
export function readConfig(given: Env): Config {
  const problems: string[] = []
  const env = withSecretFiles(given, problems)
  // Without these files, others would be called missing that are there.
  if (problems.length > 0) throw new ConfigError(problems)
  const read = reader(env, problems)

  const environment = read.oneOf('ENVIRONMENT', ['sandbox', 'production'] as const, 'sandbox')
  const role = read.oneOf('ROLE', ['all', 'api', 'worker'] as const, 'all')
  const workers = read.workers('WORKERS')
  const config: Config = {
    host: read.text('HOST') ?? '127.0.0.1',
    port: read.integer('PORT', 1, 65_535),
    publicUrl: read.baseUrl('PUBLIC_URL'),
    checkoutUrl: read.baseUrl('CHECKOUT_URL'),
    walletUrl: read.baseUrl('WALLET_URL'),
    dataDir: resolve(read.text('DATA_DIR') ?? DATA_DIR_DEFAULT),
    databaseUrl: read.database('DATABASE_URL', 'written'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 1, 500) ?? defaultPoolSize({ role, workers }),
    databaseQueueMax: read.integer('DATABASE_QUEUE_MAX', 1, 100_000) ?? DATABASE_QUEUE_MAX_DEFAULT,
    analyticsDatabaseUrl: read.database('ANALYTICS_DATABASE_URL', 'one'),
    analyticsPoolSize: read.integer('ANALYTICS_POOL_SIZE', 1, 50) ?? ANALYTICS_POOL_SIZE_DEFAULT,
    readDatabaseUrl: read.database('READ_DATABASE_URL', 'read'),
    readLagMaxSeconds: read.integer('READ_LAG_MAX_SECONDS', 1, 300) ?? 5,
    environment,
    role,
    // Jobs alone run in one process.
    workers: role === 'worker' ? 1 : workers,
    instanceId:
      read.matching('INSTANCE_ID', /^[a-z0-9-]{1,63}$/, 'lower-case letters, digits and dashes') ?? hostId(),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    secretKey: read.key('SECRET_KEY'),
    vaultKeys: read.keys('VAULT_KEY'),
    vaultKeyCommand: read.text('VAULT_KEY_COMMAND'),
    trustProxy: read.proxies('TRUST_PROXY'),
    metricsToken: read.text('METRICS_TOKEN'),
    collector: readCollector(read, problems),
    refundStepUpAmount: read.integer('REFUND_STEP_UP_AMOUNT', 0, 99_999_999) ?? 50_000,
    sessionIdleMinutes: read.integer('SESSION_IDLE_MINUTES', 1, 720) ?? SESSION_IDLE_MINUTES_DEFAULT,
    oidc: readOidc(read, problems),
    mail: readMail(read, environment, problems),
    webhookAllowCidrs:
      read.cidrs('WEBHOOK_ALLOW_CIDRS') ?? (environment === 'sandbox' ? ['127.0.0.0/8', '::1/128'] : []),
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', 7, 3650) ?? 90,
    incidentRetentionDays: read.integer('INCIDENT_RETENTION_DAYS', 1, 3650) ?? 365,
    exchangeRetentionDays: read.integer('EXCHANGE_RETENTION_DAYS', 0, 365) ?? 30,
    apiLogRetentionDays: read.integer('API_LOG_RETENTION_DAYS', 0, 90) ?? 7,
    sessionRetentionDays: read.integer('CHECKOUT_SESSION_RETENTION_DAYS', 1, 365) ?? 7,
    reportPollMinutes: read.integer('REPORT_POLL_MINUTES', 1, 1440) ?? 60,
    reportsDir: absolute(read.text('REPORTS_DIR')),
    reportsS3: readS3(read, environment, problems),
    reportRetentionDays: read.integer('REPORT_RETENTION_DAYS', 1, 3650) ?? 30,
    giftCardBalancesMax: read.integer('GIFT_CARD_BALANCES_MAX', 1, 50) ?? 10,
    googlePayRootKeys: read.googleKeys('GOOGLE_PAY_ROOT_KEYS'),
    connectors: readConnectors(read, problems),
  }
  const { publicUrl, checkoutUrl, walletUrl } = config
  problems.push(
    ...hostProblems('CHECKOUT_URL', checkoutUrl, { PUBLIC_URL: publicUrl }),
    ...hostProblems('WALLET_URL', walletUrl, { PUBLIC_URL: publicUrl, CHECKOUT_URL: checkoutUrl }),
  )
  const allowEmbedded = read.flag('ALLOW_EMBEDDED_IN_PRODUCTION')
  if (environment === 'production') problems.push(...productionProblems(config, allowEmbedded))
  // An older key may be the same: it only opens, and a rotation removes it.
  const [active] = config.vaultKeys ?? []
  if (active && config.secretKey?.equals(active)) problems.push(SAME_KEYS)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** How many processes work for the service, without their parent. */
export function processesOf({ role, workers }: Pick<Config, 'role' | 'workers'>): number {
  if (workers === 1 || role === 'worker') return 1
  return role === 'api' ? workers : workers + 1
}

/** How many connections to the database the service may open, of all its processes. */
export function connectionsOf(config: Config): number {
  const { databasePoolSize, analyticsPoolSize, analyticsDatabaseUrl } = config
  const ofEach = databasePoolSize + (analyticsDatabaseUrl === null ? analyticsPoolSize : 0)
  return processesOf(config) * ofEach + (config.workers > 1 ? PARENT_POOL_SIZE + 1 : 0)
}

/**
 * PostgreSQL takes 100 connections unless told otherwise, of which three are for superusers. With up to twelve workers, all
 * processes stay below that.
 */
function defaultPoolSize(config: Pick<Config, 'role' | 'workers'>): number {
  const ofEach = Math.floor((97 - PARENT_POOL_SIZE - 1) / processesOf(config)) - ANALYTICS_POOL_SIZE_DEFAULT
  return Math.min(20, Math.max(5, ofEach))
}

/** Whether the data folder is used. Production with an external database and keys does not use it. */
export function needsDataDir({
  environment,
  databaseUrl,
  secretKey,
  vaultKeys,
  vaultKeyCommand,
}: Config): boolean {
  const hasKeys = secretKey !== null && (vaultKeys !== null || vaultKeyCommand !== null)
  return environment === 'sandbox' || databaseUrl === null || !hasKeys
}

/**
 * A file of the data folder that belongs to one database. Two databases must not share one: rotating the
 * vault of one would destroy the key of the other.
 */
export function fileOfDatabase({ dataDir, databaseUrl }: Config, stem: string, ending = ''): string {
  if (databaseUrl === null) return join(dataDir, `${stem}${ending}`)
  // The first of several addresses, so that adding a standby changes nothing.
  const { host, pathname } = new URL(urlsOf(databaseUrl)[0])
  return join(dataDir, `${stem}-${hash('sha256', `${host}${pathname}`, 'hex').slice(0, 12)}${ending}`)
}

/** The key that signs tokens at the command line. A sandbox makes it at its first start. */
export function adminKeyFile(dataDir: string): string {
  return join(dataDir, 'admin-key.pem')
}

type Hosts = { readonly PUBLIC_URL: string | null; readonly CHECKOUT_URL?: string | null }

/** Browsers tell pages apart by their origin, which has no path. */
function hostProblems(name: string, url: string | null, others: Hosts): string[] {
  if (url === null) return []
  const { host, origin } = new URL(url)
  if (origin !== url) return [`${name} must have no path, such as https://checkout.example.com.`]
  if (others.PUBLIC_URL === null) return [`Set PUBLIC_URL as well: ${name} is for another host beside it.`]
  const twin = Object.entries(others).find(([, other]) => other && new URL(other).host === host)
  if (!twin) return []
  return [`${name} must have another host than ${twin[0]}. Leave it out to do without a host of its own.`]
}

/** Of 32 random bytes, about 30 differ. */
const DIFFERENT_BYTES_MIN = 16

function productionProblems(config: Config, allowEmbedded: boolean): string[] {
  const problems: string[] = []
  if (config.databaseUrl === null && !allowEmbedded) {
    problems.push(
      'DATABASE_URL is not set, and production does not start on the embedded database. ' +
        'Name a PostgreSQL server, or set ALLOW_EMBEDDED_IN_PRODUCTION=true if one machine is enough.',
    )
  }
  if (config.secretKey === null) {
    problems.push(
      'SECRET_KEY is not set, and production does not use a generated secret. ' +
        'Set it to 32 random bytes in base64 (openssl rand -base64 32) and keep a copy: sealed data needs it.',
    )
  }
  const keys = { SECRET_KEY: [config.secretKey ?? []].flat(), VAULT_KEY: config.vaultKeys ?? [] }
  for (const [name, values] of Object.entries(keys)) {
    if (values.some((key) => new Set(key).size < DIFFERENT_BYTES_MIN))
      problems.push(`${name} is not random: it repeats few bytes. Make one with openssl rand -base64 32.`)
  }
  if (config.vaultKeys === null && config.vaultKeyCommand === null) {
    problems.push(
      'VAULT_KEY is not set, and production does not use a generated key for card numbers. ' +
        'Set it to 32 random bytes in base64 (openssl rand -base64 32), or VAULT_KEY_COMMAND to a command that prints ' +
        'it. Keep a copy apart from the database: without it no stored card can be read.',
    )
  }
  return problems
}

function absolute(path: string | null): string | null {
  return path === null ? null : resolve(path)
}

/** A bucket without the keys to it is a mistake, and so are keys without a bucket. */
function readS3(
  read: ReturnType<typeof reader>,
  environment: Environment,
  problems: string[],
): S3Settings | null {
  const given = {
    REPORTS_S3_URL: read.baseUrl('REPORTS_S3_URL'),
    REPORTS_S3_ACCESS_KEY_ID: read.text('REPORTS_S3_ACCESS_KEY_ID'),
    REPORTS_S3_SECRET_ACCESS_KEY: read.text('REPORTS_S3_SECRET_ACCESS_KEY'),
  }
  const region = read.text('REPORTS_S3_REGION') ?? 'us-east-1'
  const missing = Object.entries(given).filter(([, value]) => value === null)
  if (missing.length === 3) return null
  problems.push(
    ...missing.map(([name]) => `${name} is not set, but other REPORTS_S3_ variables are. Set all three.`),
  )
  const { REPORTS_S3_URL: url, REPORTS_S3_ACCESS_KEY_ID: accessKeyId } = given
  if (url !== null && environment === 'production' && isOpenToOthers(url)) {
    problems.push(
      'REPORTS_S3_URL must begin with https:// in production: over http, others on the way can read reports. Only a storage on this machine (localhost, 127.0.0.1) may use http.',
    )
  }
  const { REPORTS_S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  return url && accessKeyId && secretAccessKey ? { url, accessKeyId, secretAccessKey, region } : null
}

const SMTP = 'smtps://user:password@smtp.example.com:465, or smtp://…:587 for STARTTLS'

/** A server without a sender is a mistake, and so is a sender without a server. */
function readMail(
  read: ReturnType<typeof reader>,
  environment: Environment,
  problems: string[],
): MailSettings | null {
  const [url, from] = [read.text('SMTP_URL'), read.text('MAIL_FROM')]
  if (url === null && from === null) return null
  if (url === null || from === null) {
    problems.push(
      `${url === null ? 'SMTP_URL' : 'MAIL_FROM'} is not set. Set SMTP_URL and MAIL_FROM, or none of them.`,
    )
    return null
  }
  const { protocol, hostname, username, search, pathname } = URL.parse(url) ?? {}
  const isServer = /^smtps?:$/.test(protocol ?? '') && hostname && !search && /^[/]?$/.test(pathname ?? '')
  if (!isServer) problems.push(`SMTP_URL must be ${SMTP}.`)
  if (!/^([^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(from))
    problems.push('MAIL_FROM must be an e-mail address, such as "Shop <payments@example.com>".')
  if (isServer && environment === 'production' && !username && !isOnThisMachine(hostname))
    problems.push(
      'SMTP_URL must name a user and a password in production, unless the server is on this machine.',
    )
  return { url, from }
}

/** The names are those of OpenTelemetry, so that one setting fits all programs of an installation. */
function readCollector(read: ReturnType<typeof reader>, problems: string[]): Collector | null {
  const url = read.baseUrl('OTEL_EXPORTER_OTLP_ENDPOINT')
  const headers = headersIn(read.text('OTEL_EXPORTER_OTLP_HEADERS') ?? '')
  const serviceName = read.text('OTEL_SERVICE_NAME') ?? 'switchyard'
  const share = read.text('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const example = 'authorization=Bearer%20secret,x-tenant=shop'
  if (!headers) problems.push(`OTEL_EXPORTER_OTLP_HEADERS must be headers, such as ${example}.`)
  const isShare = /^(0|1|0?[.]\d{1,9}|1[.]0{1,9})$/.test(share)
  if (!isShare) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, such as 0.1.')
  return url && headers && isShare ? { url, headers, serviceName, share: Number(share) } : null
}

/** Values may be escaped as in URLs. Undefined: the text is none of headers. */
function headersIn(text: string): Record<string, string> | undefined {
  const entries = text.split(',').filter((entry) => entry.trim() !== '')
  try {
    const pairs = entries.map((entry) => entry.split(/=(.*)/s).map((part) => part.trim()))
    const headers = pairs.map(([name = '', value = '']): [string, string] => [
      name,
      decodeURIComponent(value),
    ])
    return Object.fromEntries(new Headers(headers))
  } catch {
    return undefined
  }
}

function hostId(): string {
  return (
    hostname()
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .slice(0, 63) || 'switchyard'
  )
}

/** Packages with connectors, and the folder in which an operator has installed them. */
type ConnectorSettings = { readonly folder: string; readonly entries: readonly string[] }

/** A name as npm has them, or `./folder` for a package that is not installed. No entry leads out of the folder. */
const ENTRY =
  /^(@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*|[a-z0-9][a-z0-9._-]*|[.](\/[A-Za-z0-9@_-][A-Za-z0-9@._-]*)+)$/

/** Both belong together: no code is loaded from a folder that the operator has not named. */
function readConnectors(
  read: Pick<ReturnType<typeof reader>, 'text'>,
  problems: string[],
): ConnectorSettings | null {
  const written = read.text('CONNECTORS')
  const folder = read.text('CONNECTORS_DIR')
  if (written === null && folder === null) return null
  if (written === null || folder === null) {
    const missing = written === null ? 'CONNECTORS' : 'CONNECTORS_DIR'
    problems.push(`${missing} is not set. Set CONNECTORS and CONNECTORS_DIR, or none of them.`)
    return null
  }
  const entries = written.split(',').map((entry) => entry.trim())
  if (!entries.every((entry) => ENTRY.test(entry)) || new Set(entries).size < entries.length) {
    problems.push(
      'CONNECTORS must be names of packages separated by commas, such as @acme/switchyard-acme, each once; or folders in CONNECTORS_DIR, such as ./acme.',
    )
    return null
  }
  return { folder: resolve(folder), entries }
}

/**
 * Settings that may lie in a file, which `NAME_FILE` names. Containers and systemd hand secrets over as files, because
 * the environment of a process is easily shown to others.
 */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'ANALYTICS_DATABASE_URL',
  'READ_DATABASE_URL',
  'SECRET_KEY',
  'VAULT_KEY',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'REPORTS_S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** The environment with what the named files hold. A file that cannot be used is a problem: no other value takes its place. */
function withSecretFiles(env: Env, problems: string[]): Env {
  const found: Record<string, string> = {}
  for (const name of SECRET_SETTINGS) {
    const file = env[`${name}_FILE`]?.trim()
    if (!file) continue
    if (env[name]?.trim()) {
      problems.push(`Set ${name} or ${name}_FILE, not both.`)
      continue
    }
    const text = contentOf(file)
    if (typeof text === 'string') found[name] = text
    else problems.push(`${name}_FILE names ${file}, which ${text.problem}.`)
  }
  return { ...env, ...found }
}

function contentOf(file: string): string | { readonly problem: string } {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? { problem: 'is empty' } : text
  } catch (error) {
    return { problem: `cannot be read (${errorCode(error)})` }
  }
}

/** Shorter ones would also hide parts of ordinary words. */
const LENGTH_MIN = 6

/** The secrets of a configuration as texts, for what may repeat them. */
export function secretsIn(config: Config): string[] {
  const { databaseUrl, analyticsDatabaseUrl, readDatabaseUrl, metricsToken, oidc, reportsS3, collector } =
    config
  const urls = [databaseUrl, analyticsDatabaseUrl, readDatabaseUrl].filter((url) => url !== null)
  const passwords = urls.flatMap(urlsOf).map((url) => URL.parse(url)?.password ?? '')
  const keys = [config.secretKey, ...(config.vaultKeys ?? [])].flatMap((key) =>
    key ? [key.toString('base64'), key.toString('hex')] : [],
  )
  return [
    ...urls,
    ...passwords,
    ...passwords.map(decoded),
    ...keys,
    metricsToken ?? '',
    oidc?.clientSecret ?? '',
    ...passwordsOf(config.mail?.url ?? ''),
    reportsS3?.secretAccessKey ?? '',
    ...Object.values(collector?.headers ?? {}),
  ].filter((text) => text.length >= LENGTH_MIN)
}

function passwordsOf(url: string): string[] {
  const password = URL.parse(url)?.password ?? ''
  return [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const ROOT_WARNING =
  'this process runs as root, and does not need to. Run it as a user of its own: otherwise a flaw in it opens the whole machine'

/** Only production is warned: a sandbox in a container or on a rented machine is often started by root. */
export function isRootInProduction({ environment }: Pick<Config, 'environment'>): boolean {
  return environment === 'production' && process.getuid?.() === 0
}

/** Where this installation's vault keys come from. */
export function vaultKeySource(config: Config): KeySource {
  const { vaultKeys, vaultKeyCommand, secretKey } = config
  if (vaultKeys !== null) return { kind: 'given', keys: vaultKeys }
  if (vaultKeyCommand !== null) return { kind: 'command', command: vaultKeyCommand, other: secretKey }
  return { kind: 'file', path: fileOfDatabase(config, 'vault', '.key') }
}
