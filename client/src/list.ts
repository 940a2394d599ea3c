import type { Connection, Options } from './connect.ts'
import { send } from './send.ts'

type Page = { readonly items: readonly unknown[]; readonly next_cursor?: string | null }

type Item<Answer extends Page> = Answer['items'][number]

/** What a list operation gives: `for await` walks its items, and fetches a page when it needs one. */
export class List<Answer extends Page> implements AsyncIterable<Item<Answer>> {
  readonly #fetch: (cursor: string | undefined) => Promise<Answer>

  constructor(fetch: (cursor: string | undefined) => Promise<Answer>) {
    this.#fetch = fetch
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item<Answer>, void, undefined> {
    for await (const { items } of this.pages()) yield* items as Item<Answer>[]
  }

  /** Page by page, from the first. */
  async *pages(): AsyncGenerator<Answer, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#fetch(cursor)
      yield page
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /** The first page alone, or the one at the `cursor` of the query. */
  page(): Promise<Answer> {
    return this.#fetch(undefined)
  }

  /** All items, at most `max` of them. */
  async toArray(max: number): Promise<Item<Answer>[]> {
    const found: Item<Answer>[] = []
    if (max < 1) return found
    for await (const item of this) {
      found.push(item)
      if (found.length >= max) break
    }
    return found
  }
}

/** A list of an operation. Nothing is sent before its first page is asked for. */
export function list<Answer extends Page>(
  connection: Connection,
  path: string,
  query: object | undefined,
  options: Options | undefined,
): List<Answer> {
  return new List((cursor) =>
    send(
      connection,
      { method: 'GET', path, query: cursor === undefined ? query : { ...query, cursor } },
      options,
    ),
  )
}
