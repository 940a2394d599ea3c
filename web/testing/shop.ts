import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { LightMyRequestResponse } from 'fastify'
import type { Browser, BrowserContextOptions, FrameLocator, Page, Request } from 'playwright-core'
import { browse } from '#testing/browse.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

const require = createRequire(import.meta.url)
const PUBLIC_CLIENT = readFileSync(require.resolve('@gr4vy/secure-fields').replace('/esm/', '/lib/'), 'utf8')

/** What runs in the page is typed here: the rest of the file runs in Node, which has none of it. */
declare const noteMessage: (text: string) => void
declare function addEventListener(
  name: 'message',
  listen: (event: { data: unknown }) => void,
  first: true,
): void

export type Counter = {
  readonly service: TestService
  /** Where browsers reach the service. */
  readonly origin: string
  /** Sends a browser's request to the service, as if it had arrived there. */
  readonly pass: (request: Request) => Promise<LightMyRequestResponse>
  readonly newSession: (body?: object) => Promise<string>
  /** The card that a browser has entered into a session, as the shop's server sees it. */
  readonly enteredCard: (session: string) => Promise<Record<string, unknown> | null>
}

/** A service that browsers reach over the network. */
export async function openCounter(): Promise<Counter> {
  const service = await startTestService()
  const address = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
  const get = (id: string) => service.send(`GET /checkout/sessions/${id}`)
  return {
    service,
    origin: `http://pay.localhost:${address.port}`,
    pass: (request) =>
      service.app.inject({
        method: request.method() as 'GET',
        url: new URL(request.url()).pathname,
        headers: { 'content-type': 'application/json' },
        ...(request.postData() !== null && { payload: request.postData() ?? '' }),
      }),
    newSession: async (body = { amount: 1299, currency: 'USD', country: 'US' }) =>
      (await service.send('POST /checkout/sessions', body)).json().id,
    enteredCard: async (session) => (await get(session)).json().payment_method,
  }
}

type Visit = BrowserContextOptions & {
  readonly errors?: readonly RegExp[]
  readonly html: string
}

/**
 * Opens a page of a shop, with the public client at hand. `heard` gets every message that any window of the page
 * receives.
 */
export async function visitShop<Result>(
  browser: Browser,
  { html, ...options }: Visit,
  work: (page: Page, heard: string[]) => Promise<Result>,
): Promise<Result> {
  const shop = await openShop(html)
  try {
    return await browse(browser, options, async (page) => {
      const heard: string[] = []
      await page.context().exposeFunction('noteMessage', (text: string) => void heard.push(text))
      await page.context().addInitScript(() => {
        addEventListener('message', ({ data }) => noteMessage(JSON.stringify(data)), true)
      })
      await page.goto(shop.origin)
      return work(page, heard)
    })
  } finally {
    shop.close()
  }
}

/** Browsers lead names below `localhost` to this machine, and trust them like https. */
async function openShop(html: string): Promise<{ origin: string; close: () => void }> {
  const server = createServer(({ url }, response) => {
    const isClient = url === '/client.js'
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isClient ? PUBLIC_CLIENT : html)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://shop.localhost:${port}`, close: () => server.close() }
}

/** The one input of a field's frame. */
export function fieldIn(page: Page, place: string): ReturnType<FrameLocator['locator']> {
  return page.frameLocator(`${place} iframe`).locator('#field')
}
