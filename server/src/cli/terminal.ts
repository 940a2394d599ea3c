import { ApiError } from '#platform/errors.ts'
import { ConfigError } from '../config.ts'

/** Words for people go to standard error, so that what a command prints can be piped. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Names come from callers of the API; what steers a terminal must not reach one. */
export function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, ' ')
}

/** Says what went wrong in a sentence. A stack is of no use to whoever runs the service. */
export function explain(error: unknown): void {
  say(error instanceof ConfigError ? `The configuration is not valid.\n${reasonOf(error)}` : reasonOf(error))
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? messages(error).join('\n  because: ') : String(error)
}

function messages(error: Error): string[] {
  const causes = error.cause instanceof Error ? messages(error.cause) : []
  const inner = error instanceof AggregateError ? error.errors.map(String) : []
  // The message of an API error is the same for many causes; its details say what happened.
  const own = error instanceof ApiError ? error.details.map(({ message }) => message) : []
  return [...(own.length > 0 ? own : [error.message]), ...inner, ...causes].filter((text) => text !== '')
}
