import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Books, type Client } from './books.ts'
import { deliver } from './deliver.ts'
import type { Desk } from './desk.ts'
import { Events } from './events.ts'
import { Idempotency } from './idempotency.ts'
import { answer } from './routes.ts'
import { serve } from './serve.ts'
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
  let server: Server | null = null
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
    listen: async (port = 0, host = '127.0.0.1'): Promise<string> => {
      const started = createServer((request, response) => {
        void serve(handle, request, response).then(deliverNext)
      })
      await new Promise<void>((resolve, reject) => {
        started.once('error', reject)
        started.listen(port, host, resolve)
      })
      server = started
      url = `http://${host}:${(started.address() as AddressInfo).port}`
      return url
    },
    close: async (): Promise<void> => {
      server?.closeAllConnections()
      await delivering
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
    },
  }
}
