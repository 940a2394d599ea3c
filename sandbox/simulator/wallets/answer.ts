import type { Call } from '../requests.ts'
import { answerApplePay } from './apple-pay.ts'
import { answerClickToPay } from './click-to-pay.ts'
import type { WalletDesk } from './desk.ts'
import { answerPaze } from './paze.ts'

/** The address of the providers of wallets, which does not exist outside this process. */
export const WALLETS_URL = 'https://wallets.simulator.invalid/'

/** The providers of digital wallets, for sandboxes. They keep no books: what they hand out carries its own seal. */
export async function answerWallets(desk: WalletDesk, call: Call): Promise<Response> {
  const [, wallet, ...rest] = new URL(call.url).pathname.split('/')
  const route = `${call.method} ${rest.join('/')}`
  switch (wallet) {
    case 'apple-pay':
      return answerApplePay(desk, call, route)
    case 'click-to-pay':
      return answerClickToPay(desk, call, route)
    case 'paze':
      return answerPaze(desk, call, route)
    default:
      return Response.json({ error: 'unknown_path' }, { status: 404 })
  }
}
