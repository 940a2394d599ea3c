import type { Books } from './books.ts'
import type { Events } from './events.ts'

/** What every operation of the stand-in works with. */
export type Desk = {
  readonly books: Books
  readonly events: Events
  /** Where the stand-in is reached, for links and pages. */
  readonly url: () => string
  /** PayPal's setting "block accidental payments": an invoice is paid once. */
  readonly blocksRepeatedInvoices: boolean
  /** How many movements a search may find. */
  readonly searchedMost: number
}

/** A request that has passed the token check. */
export type Asked = {
  readonly clientId: string
  readonly key: string | null
  readonly body: Record<string, unknown>
}
