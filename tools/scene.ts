import type { Page } from 'playwright-core'

// biome-ignore lint/suspicious/noExplicitAny: the schemas of the API are tested elsewhere
export type Json = any

/** A sandbox, and who asks it. */
export type Shop = {
  readonly url: string
  readonly send: (route: string, body?: object) => Promise<Json>
  /** Runs a command of the service. */
  readonly run: (...command: readonly string[]) => Promise<void>
}

/** Leads a window to what is to be seen. */
export type Scene = (page: Page, shop: Shop) => Promise<void>
