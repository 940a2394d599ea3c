import type { Browser } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

/** A service whose own addresses lead a browser to it. */
export type Cashier = {
  readonly service: TestService
  readonly browser: Browser
  readonly origin: string
  readonly close: () => Promise<void>
}

/** The host of the service's public address in tests. */
const HOST = '127.0.0.1:3000'

export async function openCashier(): Promise<Cashier> {
  const service = await startTestService()
  const { host } = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
  const browser = await launchBrowser({ [HOST]: host })
  return {
    service,
    browser,
    origin: `http://${HOST}`,
    close: async () => {
      await browser.close()
      await service.close()
    },
  }
}
