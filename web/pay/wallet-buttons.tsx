import { useEffect, useState } from 'preact/hooks'
import type { OrderFacts, Wallet } from '../../server/src/domain/pay-page.ts'
import type { Desk } from './desk.ts'
import { appleSession } from './talk.ts'
import { openWallet, type Request, readyWallets } from './wallets.ts'

type Props = {
  readonly desk: Desk
  /** Whether everything else that the order needs is there. */
  readonly isReady: () => boolean
} & Pick<Request, 'onToken' | 'onTrouble'>
const NAMES = { applepay: 'Apple Pay', googlepay: 'Google Pay' } as const

/** Buttons of the registered wallets that this browser has. A wallet pays the whole amount, and not beside gift cards. */
export function WalletButtons({ desk: { order, words }, isReady, onToken, onTrouble }: Props) {
  const [ready, setReady] = useState<readonly Wallet[]>([])
  useEffect(() => {
    void readyWallets(order, priceOf(order)).then(setReady)
  }, [order])
  if (ready.length === 0) return null
  const open = (wallet: Wallet) => {
    if (order.is_preview || !isReady()) return
    const ask = (url: string) => appleSession(order.path, url)
    openWallet(wallet, { order, price: priceOf(order), appleSession: ask, onToken, onTrouble })
  }
  return (
    <>
      <div class="wallets">
        {ready.map((wallet) => (
          <button key={wallet.method} type="button" onClick={() => open(wallet)}>
            {NAMES[wallet.method]}
          </button>
        ))}
      </div>
      <p class="or">{words.orElse}</p>
    </>
  )
}

function priceOf({ amount, minor_units }: OrderFacts): string {
  const digits = minor_units ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
