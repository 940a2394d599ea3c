import { SIMULATOR_BOOKS } from '#testing/books.ts'
import type { FrontOptions } from '../lab/front.ts'
import { FAR_PROCESSOR, type Processor, startProcessor } from '../lab/processor.ts'
import { type Provider, type ProviderName, SIMULATED_ACCOUNT } from './provider.ts'
import { startAdyen, startStripe } from './stand-ins.ts'

export async function startProvider(
  name: ProviderName,
  databaseUrl: string,
  options: FrontOptions = {},
): Promise<Provider> {
  if (name === 'adyen') return startAdyen(options)
  if (name === 'stripe') return startStripe(options)
  return simulated(await startProcessor(databaseUrl, options))
}

function simulated({ port, asked }: Processor): Provider {
  return {
    name: 'simulator',
    port,
    asked,
    reach: (at) => ({
      preload: [FAR_PROCESSOR],
      env: { PROCESSOR_PORT: String(at) },
    }),
    account: () => SIMULATED_ACCOUNT,
    can: { payouts: true, tokens: true, faults: true },
    isSlow: false,
    notify: async () => {},
    books: async () => SIMULATOR_BOOKS,
  }
}
