import pg from 'pg'
import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'
import { inSources } from './source-places.ts'

export type { Logger }

/**
 * Structured logs. Headers and bodies are never passed in. The redaction is a second safeguard. `worker` tells the processes
 * of one service apart.
 */
export function createLogger(level: string, instanceId?: string, worker?: string): Logger {
  return pino({
    level,
    ...OPTIONS,
    base: { service: 'switchyard', ...(instanceId && { instance: instanceId }), ...(worker && { worker }) },
  })
}

/** For commands, which say what is wrong beside their result. */
export function createCommandLogger(say: (line: string) => void): Logger {
  return pino({ level: 'warn', ...OPTIONS }, { write: (line) => say(line.trimEnd()) })
}

/** For lines whose fields are known: to look for secrets in them takes longer than to write them. */
export function withoutRedaction(logger: Logger): Logger {
  return logger.child({}, { redact: [] })
}

const OPTIONS: LoggerOptions = {
  base: { service: 'switchyard' },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: [
      'headers',
      'body',
      '*.headers',
      '*.body',
      '*.authorization',
      '*.private_key',
      '*.number',
      '*.security_code',
    ],
    censor: '***',
  },
  serializers: { err: describeError },
}

/** PostgreSQL's messages about bad data repeat the data, so we keep only the name of the problem. */
export function describeError(error: unknown): object {
  if (error instanceof pg.DatabaseError) {
    const { code, constraint, table, dataType, column, routine } = error
    return { type: 'DatabaseError', code, constraint, table, data_type: dataType, column, routine }
  }
  if (!(error instanceof Error)) return { type: typeof error }
  const { type, message, stack } = stdSerializers.err(error)
  const errors = error instanceof AggregateError && { errors: error.errors.map(describeError) }
  return {
    type,
    message,
    stack: inSources(stack),
    ...errors,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

/**
 * A promise that fails while no code waits for it would end the process, and with it the payments of all other requests: a connector that
 * asks its provider twice at once and waits for one answer alone would stop the service when the provider is away. What is written is in
 * the database, so the process goes on, and says where it happened. The message is left out: it may repeat what was sent.
 */
export function outliveLostPromises(logger: Logger): () => Promise<void> {
  const tell = (reason: unknown) => logger.error(placeOf(reason), 'a promise failed that no code waited for')
  process.on('unhandledRejection', tell)
  return async () => void process.off('unhandledRejection', tell)
}

function placeOf(reason: unknown): object {
  if (!(reason instanceof Error)) return { type: typeof reason }
  const frames = (reason.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { type: reason.name, stack: inSources(frames.join('\n')) }
}
