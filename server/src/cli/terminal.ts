import { ApiError } from '#platform/http/errors.ts'
import { ConfigError } from '../config.ts'

/** Where a command gets its settings and writes what it has to say. Commands do not touch the process itself. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line of the command's result. */
  readonly print: (text: string) => void
  /** Writes a line for people to standard error, so that a command's result can be piped. */
  readonly say: (text: string) => void
  /** Writes to standard error as it is, to overwrite a line. Does nothing where no person watches. */
  readonly draw: (text: string) => void
  /** Asks the person. Empty if there is none to answer. */
  readonly ask: (question: string) => Promise<string>
  /** Whether a person reads what is said. Otherwise it may end up in a log. */
  readonly isWatched: boolean
}

type Streams = {
  readonly stdout: { readonly write: (text: string) => unknown }
  readonly stderr: { readonly write: (text: string) => unknown; readonly isTTY?: boolean }
  /** What a person types. Undefined: there is none. */
  readonly stdin?: (NodeJS.ReadableStream & { readonly isTTY?: boolean }) | undefined
  readonly env: Terminal['env']
}

export function terminalOf({ stdout, stderr, stdin, env }: Streams): Terminal {
  return {
    env,
    print: (text) => {
      stdout.write(`${text}\n`)
    },
    say: (text) => {
      stderr.write(`${text}\n`)
    },
    draw: (text) => {
      if (stderr.isTTY) stderr.write(text)
    },
    ask: async (question) => {
      if (!stdin?.isTTY) return ''
      stderr.write(question)
      const { createInterface } = await import('node:readline')
      const lines = createInterface({ input: stdin })
      const answer = await new Promise<string>((resolve) => {
        lines.once('line', resolve).once('close', () => resolve(''))
      })
      lines.close()
      return answer.trim()
    },
    isWatched: stderr.isTTY === true,
  }
}

/** Names come from callers of the API. Control characters must not reach a terminal. */
export function oneLine(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, ' ')
}

/** The error as a sentence, without its stack, which does not help an operator. */
export function explanationOf(error: unknown): string {
  return error instanceof ConfigError
    ? `The configuration is not valid.\n${reasonOf(error)}`
    : reasonOf(error)
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

const PAGE = 100

type PageOf<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null }

/** All items of a list, read page by page. */
export async function allPages<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const all: Item[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: PageOf<Item> = await read({ limit: PAGE, ...(cursor !== undefined && { cursor }) })
    all.push(...page.items)
    cursor = page.next_cursor
  }
  return all
}

/** Rows below headings, in columns as wide as their content. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n')
}

const WIDTH = 30

/** A bar that is overwritten, only on a terminal. */
export function progressBar({ draw }: Terminal) {
  let isShown = false
  return {
    show: (share: number, text: string): void => {
      isShown = true
      const filled = Math.round(Math.min(1, Math.max(0, share)) * WIDTH)
      draw(`\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${text}`)
    },
    clear: (): void => {
      if (isShown) draw('\r\x1b[K')
      isShown = false
    },
  }
}
