import pg from 'pg'

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The name of the unique constraint that refused a row, if one did. */
export function violatedUnique(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/** The row refers to another one that was deleted since we read it. */
export function isMissingReference(error: unknown): boolean {
  return errorCode(error) === '23503'
}

/** The code of a statement that took longer than it may. */
export const QUERY_CANCELED = '57014'

/** The code of a write for which the disk of the database has no room. */
export const DISK_FULL = '53100'

/** The code of a write that a standby refuses. */
export const READ_ONLY = '25006'

/** The rows of a prepared statement would be others than before. Other statements that are not supported have this code too. */
export const CHANGED = '0A000'
/** A prepared statement of this name exists already. */
export const EXISTS = '42P05'
const UNKNOWN_STATEMENT = '26000'

/** A statement that was prepared before cannot be run as it was prepared. It did not run: the same text works when it is sent anew. */
export function isStalePlan(error: unknown): boolean {
  const code = errorCode(error)
  if (code === EXISTS || code === UNKNOWN_STATEMENT) return true
  // The message is in the language of the server, the place in its code is not.
  return code === CHANGED && error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery'
}

const CONNECTION_TROUBLE = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  // A machine without power, or an address that was taken away.
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '40001',
  '40P01',
  DISK_FULL,
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // What a pooler says whose own connection has ended.
  '08P01',
  READ_ONLY,
  '25P03',
])

/** The database is unreachable, busy or full: the same request may work in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (CONNECTION_TROUBLE.has(errorCode(error)) || isStalePlan(error)) return true
  // The socket of a database on this machine is a file. Other files that are missing are no trouble of the database.
  if (errorCode(error) === 'ENOENT' && isOfSocket(error)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|not queryable/.test(
      error.message,
    )
  )
}

/** Whether a statement was ended because it took too long, also if the caller is told so in other words. */
export function isTooSlow(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : undefined].some(
    (one) => errorCode(one) === QUERY_CANCELED,
  )
}

/** Whether an error of the system is about a connection, and not about a file. */
export function isOfSocket(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
}

/** Another request or job has changed a row since we read it. Nothing is written. */
export class Overtaken extends Error {
  constructor() {
    super('another request or job has changed the row')
  }
}

/** Another request or job was faster. Its rows can also make a constraint refuse ours. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Overtaken || errorCode(error).startsWith(CONSTRAINT_VIOLATION)
}

const CONSTRAINT_VIOLATION = '23'

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
