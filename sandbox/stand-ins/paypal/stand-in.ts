import { listenOn } from '../serve.ts'
import { Books, type Client } from './books.ts'
import type { Desk } from './desk.ts'
import { Events } from './events.ts'
import { Idempotency } from './idempotency.ts'
import { answer } from './routes.ts'
import { AccessTokens } from './tokens.ts'

/** A client that everyone may use: there is nothing behind it. */
export const STAND_IN_CLIENT: Client = {
  id: 'stand-in-client-id',
  secret: 'stand-in-client-secret',
  merchantId: 'STANDNMERCHNT',
  features: ['payments', 'cards', 'apple_pay', 'google_pay', 'vault', 'reporting', 'disputes'],
}

export type StandInOptions = {
  readonly now: () => Date
  readonly clients?: readonly Client[]
  /** PayPal's tokens live about nine hours. */
  readonly tokenSeconds?: number
  readonly blocksRepeatedInvoices?: boolean
  /** PayPal's search finds at most 10,000 movements. */
  readonly searchedMost?: number
  /** Where the stand-in says that it is, until it listens. */
  readonly url?: string
}

/**
 * PayPal by its documentation: Orders, Payments, vault, webhooks, disputes, reports. Its rules, with their sources, are in
 * README.md. It keeps everything in memory, and moves no money.
 */
export function createStandIn(options: StandInOptions) {
  const books = new Books(options.now, options.clients ?? [STAND_IN_CLIENT])
  let url = options.url ?? 'https://paypal.stand-in.invalid'
  const events = new Events(books, () => url)
  const desk: Desk = {
    books,
    events,
    url: () => url,
    blocksRepeatedInvoices: options.blocksRepeatedInvoices ?? true,
    searchedMost: options.searchedMost ?? 10_000,
  }
  const tokens = new AccessTokens(books, options.tokenSeconds ?? 32_400)
  const state = { desk, tokens, idempotency: new Idempotency(books) }
  const handle = (request: Request) => answer(state, request)
  let server: Awaited<ReturnType<typeof listenOn>> | null = null
  let delivering: Promise<void> | null = null
  // One delivery at a time, so that events arrive in order.
  const deliverNext = () => {
    delivering = (delivering ?? Promise.resolve()).then(() => deliver(events))
  }

  return {
    books,
    events,
    tokens,
    url: () => url,
    fetch: (input: string | URL | Request, init?: RequestInit) => handle(new Request(input, init)),
    /** Serves on a port of this machine, and sends events to the registered webhooks. */
    listen: async (port = 0): Promise<string> => {
      server = await listenOn(port, handle, { onAnswered: deliverNext })
      url = server.origin
      return url
    },
    close: async (): Promise<void> => {
      await server?.close()
      await delivering
    },
  }
}

/**
 * Sends every webhook its next events, in order. An event that is not taken with a status of 2xx stays, and is sent again
 * with the next one; PayPal tries up to 25 times in three days.
 */
async function deliver(events: Events): Promise<void> {
  for (const webhook of events.webhooks.values()) {
    for (const event of events.due(webhook)) {
      const { headers, body } = events.message(webhook.id, event.body)
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      if (!response?.ok) break
      event.takenBy.add(webhook.id)
    }
  }
}
