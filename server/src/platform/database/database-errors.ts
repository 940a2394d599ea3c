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
