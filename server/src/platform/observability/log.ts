import pg from 'pg'
import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino'

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
    stack,
    ...errors,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}
