import { ConfigError } from '../config.ts'

/** Words for people go to standard error, so that what a command prints can be piped. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Says what went wrong in a sentence. A stack is of no use to whoever runs the service. */
export function explain(error: unknown): void {
  const text = error instanceof Error ? messages(error).join('\n  because: ') : String(error)
  say(error instanceof ConfigError ? `The configuration is not valid.\n${text}` : text)
}

function messages(error: Error): string[] {
  const causes = error.cause instanceof Error ? messages(error.cause) : []
  const inner = error instanceof AggregateError ? error.errors.map(String) : []
  return [error.message, ...inner, ...causes].filter((message) => message !== '')
}
