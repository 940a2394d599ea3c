import type { AuthorizeOrder, Operation } from './orders.ts'

/** How `switchyard connector check` tries a connector at the provider's own sandbox. */
export type Trial = {
  /** Hosts of the sandbox. A check sends nothing to any other. */
  readonly hosts: readonly string[]
  /** Why fields must not be used: they look like those of a live account. Null if they do not. */
  readonly refuse: (fields: Readonly<Record<string, string>>) => string | null
  /** What the sandbox approves without a buyer, by the provider's documentation. Left out: a buyer has to approve. */
  readonly approved?: () => Partial<AuthorizeOrder>
  /** What the sandbox declines at once. */
  readonly declined?: () => Partial<AuthorizeOrder>
  /** Fields without which the sandbox cannot be asked for an operation. Left out: none, beside what the manifest says. */
  readonly needs?: Readonly<Partial<Record<Operation, readonly string[]>>>
  /** Whether a request can move money. Left out: each does. */
  readonly movesMoney?: (url: string, init?: RequestInit) => boolean
}
