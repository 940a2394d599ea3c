import { ApiError } from '#platform/errors.ts'
import { ConfigError } from '../config.ts'

/** Messages for people go to standard error, so that a command's output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Names come from callers of the API. Control characters must not reach a terminal. */
export function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, ' ')
}

/** Prints the error as a sentence, without its stack, which does not help an operator. */
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
