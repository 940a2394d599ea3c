import { errorCode, isDatabaseAway } from './database-errors.ts'

const WITHOUT_TLS = /server does not support SSL connections/i
const UNKNOWN_SETTING = /unsupported startup parameter/i
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** What to do if a database cannot be used, by PostgreSQL's or the system's error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or the password. Check both in DATABASE_URL.',
  '28000':
    'The database does not admit this user or this machine. Check the user in DATABASE_URL, and pg_hba.conf there.',
  '3D000': 'There is no such database on the server. Create it, or correct the name in DATABASE_URL.',
  '42501':
    'The user in DATABASE_URL may not create schemas and tables in the database. Grant it, or name its owner.',
  '53300':
    'The database has no connection left. Lower DATABASE_POOL_SIZE, or raise max_connections on the server.',
  ENOTFOUND: 'The host in DATABASE_URL has no address. Check its name.',
  EAI_AGAIN:
    'The host in DATABASE_URL could not be looked up. Check its name, and the network of this machine.',
  ECONNREFUSED:
    'The database cannot be reached. Check DATABASE_URL: nothing listens at its host and port. Is the server running?',
}
const NO_TLS =
  'The database server has no TLS, and DATABASE_URL asks for it. Turn it on at the server, or take sslmode out of DATABASE_URL if ' +
  'the network between is your own.'
const BAD_CERTIFICATE =
  'The certificate of the database server is not trusted, or is for another name. Check the host in DATABASE_URL, and name the ' +
  "authority's certificate there with sslrootcert."
const POOLER_REFUSES =
  'DATABASE_URL leads through a pooler that refuses the settings of our connections. With PgBouncer, set ignore_startup_parameters = ' +
  'statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options, and set the first three for the user of the database ' +
  '(docs/guide/operate.md).'
const AWAY = 'The database cannot be reached. Check DATABASE_URL and that the server runs.'

/** An error that says what to do, with the given one as its cause. Other errors are returned unchanged. */
export function explainDatabase(error: unknown): unknown {
  const remedy = remedyFor(error)
  return remedy === undefined ? error : new Error(remedy, { cause: error })
}

function remedyFor(error: unknown): string | undefined {
  if (error instanceof AggregateError) return error.errors.map(remedyFor).find((text) => text !== undefined)
  const code = errorCode(error)
  if (error instanceof Error && WITHOUT_TLS.test(error.message)) return NO_TLS
  if (TLS_CODE.test(code)) return BAD_CERTIFICATE
  if (error instanceof Error && UNKNOWN_SETTING.test(error.message)) return POOLER_REFUSES
  return REMEDIES[code] ?? (isDatabaseAway(error) ? AWAY : undefined)
}
