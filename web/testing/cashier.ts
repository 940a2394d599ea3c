import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

/** A service whose own addresses lead a browser to it. */
export type Cashier = {
  readonly service: TestService
  readonly browser: Browser
  readonly origin: string
  readonly namedOrigin: string
  readonly close: () => Promise<void>
}

export type ServiceOptions = NonNullable<Parameters<typeof startTestService>[0]>

/** The host of the service's public address in tests. */
const HOST = '127.0.0.1:3000'
/** People open the dashboard by this name: passkeys need one. */
const NAMED_HOST = 'localhost:3000'

/** With a `checkoutUrl`, the pages of buyers have a host of their own, and with a `walletUrl` Google's button; with `oidc`, users can sign in at an identity provider. */
export async function openCashier(options: ServiceOptions = {}): Promise<Cashier> {
  const { checkoutUrl, walletUrl = checkoutUrl } = options
  const service = await startTestService(options)
  const { host } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
  const origin = checkoutUrl ?? `http://${HOST}`
  const browser = await launchBrowser(
    {
      [HOST]: host,
      [NAMED_HOST]: host,
      [new URL(origin).host]: host,
      [new URL(walletUrl ?? origin).host]: host,
    },
    origin,
  )
  return {
    service,
    browser,
    origin,
    namedOrigin: `http://${NAMED_HOST}`,
    close: async () => {
      await browser.close()
      await service.close()
    },
  }
}

/** From now on the service does what addresses with this end ask for, and breaks the connection in place of an answer. */
export function loseAnswers({ app }: TestService, end: string): () => void {
  const lose = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    if (url.endsWith(end)) response.end = () => response.destroy()
  }
  app.server.prependListener('request', lose)
  return () => app.server.off('request', lose)
}
