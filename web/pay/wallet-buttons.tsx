import { useEffect, useRef, useState } from 'preact/hooks'
import {
  type ButtonMessage,
  type ButtonOrder,
  GOOGLE_CHANNEL,
} from '../../server/src/domain/google-button.ts'
import type { OrderFacts, Wallet } from '../../server/src/domain/pay-page.ts'
import type { Desk } from './desk.ts'
import { appleSession, readOrder } from './talk.ts'
import { claim } from './use-order.ts'
import {
  type GooglePayment,
  googleData,
  openWallet,
  payWithGoogle,
  type Request,
  readyWallets,
} from './wallets.ts'

type Props = { readonly desk: Desk } & Pick<Request, 'onToken' | 'onTrouble'>
const NAMES = { applepay: 'Apple Pay', googlepay: 'Google Pay' } as const

/** Buttons of the registered wallets that this browser has. A wallet pays the whole amount, and not beside gift cards. */
export function WalletButtons({ desk, onToken, onTrouble }: Props) {
  const { order, words } = desk
  const [ready, setReady] = useState<readonly Wallet[]>([])
  /** Undefined: it is not known yet whether Google's own button can be shown. */
  const [isGoogleShown, setGoogleShown] = useState<boolean>()
  useEffect(() => {
    void readyWallets(order, priceOf(order)).then(setReady)
  }, [order])
  const framed = isGoogleShown === false ? undefined : order.wallets.find(({ button }) => button)
  const plain = ready.filter((wallet) => wallet.method !== framed?.method)
  const open = (wallet: Wallet) => {
    if (order.is_preview) return
    const ask = (url: string) => appleSession(order.path, url)
    openWallet(wallet, { order, price: priceOf(order), appleSession: ask, onToken, onTrouble })
  }
  const hasAny = plain.length > 0 || isGoogleShown === true
  if (!hasAny && !framed) return null
  return (
    <>
      <div class="wallets" hidden={!hasAny}>
        {plain.map((wallet) => (
          <button key={wallet.method} type="button" class={wallet.method} onClick={() => open(wallet)}>
            {NAMES[wallet.method]}
          </button>
        ))}
        {framed && (
          <GoogleButton
            {...{ desk, onToken, onTrouble }}
            wallet={framed}
            isShown={isGoogleShown === true}
            onShown={setGoogleShown}
          />
        )}
      </div>
      {hasAny && <p class="or">{words.orElse}</p>}
    </>
  )
}

type GoogleProps = Props & {
  readonly wallet: Wallet
  readonly isShown: boolean
  readonly onShown: (isShown: boolean) => void
}

/** Google may be slow, or not be reached at all. Then the browser's own way to Google Pay is offered. */
const PATIENCE_MS = 8_000
/** What Google is told of the merchant is good for 15 minutes. */
const FRESH_MS = 10 * 60_000

/** Google's own button and script are in a frame of another host, so that they cannot reach this page. */
function GoogleButton({ desk, wallet, isShown, onShown, ...on }: GoogleProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const url = wallet.button?.url ?? ''
  const { origin } = new URL(url)
  const send = (order: OrderFacts) => {
    const google = order.wallets.find(({ button }) => button)
    if (!google) return
    const told: ButtonOrder = {
      request: googleData(google, order, priceOf(order)),
      locale: desk.locale.slice(0, 2),
      isDark: isDarkHere(),
      radius: Number.parseInt(getComputedStyle(frame.current as Element).borderRadius, 10) || 0,
    }
    frame.current?.contentWindow?.postMessage({ channel: GOOGLE_CHANNEL, order: told }, origin)
  }
  const take = (message: ButtonMessage) => {
    if (message.type === 'hello') send(desk.order)
    if (message.type === 'ready') onShown(true)
    if (message.type === 'none') onShown(false)
    if (message.type === 'trouble') on.onTrouble()
    if (message.type === 'paid') void payWithGoogle(message.payment as GooglePayment, on.onToken)
  }
  const { path } = desk.order
  const latest = useRef({ send, take, isShown, onShown, path })
  latest.current = { send, take, isShown, onShown, path }
  // An order that was changed has another price.
  useEffect(() => latest.current.send(desk.order), [desk.order])
  useEffect(() => {
    const hear = ({ origin: from, source, data }: MessageEvent) => {
      const isHis = from === origin && source === frame.current?.contentWindow
      if (isHis && data?.channel === GOOGLE_CHANNEL) latest.current.take(data)
    }
    addEventListener('message', hear)
    const timer = setTimeout(() => latest.current.isShown || latest.current.onShown(false), PATIENCE_MS)
    const interval = setInterval(async () => {
      const order = await readOrder(latest.current.path, claim(latest.current.path))
      if (order) latest.current.send(order)
    }, FRESH_MS)
    return () => {
      removeEventListener('message', hear)
      clearTimeout(timer)
      clearInterval(interval)
    }
  }, [origin])
  const shop = desk.frame ? `?${new URLSearchParams({ shop: desk.frame.origin })}` : ''
  return (
    <iframe
      ref={frame}
      class={isShown ? 'google' : 'google visually-hidden'}
      title={NAMES.googlepay}
      src={`${url}${shop}`}
      allow="payment"
      sandbox="allow-scripts allow-popups allow-same-origin allow-forms"
    />
  )
}

function isDarkHere(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
}

function priceOf({ amount, minor_units }: OrderFacts): string {
  const digits = minor_units ?? 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
