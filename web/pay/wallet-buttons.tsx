import { useEffect, useState } from 'preact/hooks'
import type { OrderFacts, Wallet } from '../../server/src/domain/pay-page.ts'
import type { Desk } from './desk.ts'
import { appleSession } from './talk.ts'
import type { Request } from './wallets.ts'

type Props = { readonly desk: Desk } & Pick<Request, 'onToken' | 'onTrouble'>
type Ready = {
  readonly wallets: readonly Wallet[]
  readonly openWallet: (wallet: Wallet, request: Request) => void
}

const NAMES = { applepay: 'Apple Pay', googlepay: 'Google Pay' } as const

/** Buttons of the registered wallets that this browser has. A wallet pays the whole amount, and not beside gift cards. */
export function WalletButtons({ desk: { order, words }, onToken, onTrouble }: Props) {
  const [ready, setReady] = useState<Ready>()
  useEffect(() => {
    // Without it, there are the other ways to pay.
    if (order.wallets.length > 0) load(order).then(setReady, () => {})
  }, [order])
  if (!ready || ready.wallets.length === 0) return null
  const open = (wallet: Wallet) => {
    if (order.is_preview) return
    const ask = (url: string) => appleSession(order.path, url)
    ready.openWallet(wallet, { order, price: priceOf(order), appleSession: ask, onToken, onTrouble })
  }
  return (
    <>
      <div class="wallets">
        {ready.wallets.map((wallet) => (
          <button key={wallet.method} type="button" onClick={() => open(wallet)}>
            {NAMES[wallet.method]}
          </button>
        ))}
      </div>
      <p class="or">{words.orElse}</p>
    </>
  )
}

async function load(order: OrderFacts): Promise<Ready> {
  const { openWallet, readyWallets } = await import('./wallets.ts')
  return { openWallet, wallets: await readyWallets(order, priceOf(order)) }
}

function priceOf({ amount, minor_units }: OrderFacts): string {
  const digits = minor_units ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
