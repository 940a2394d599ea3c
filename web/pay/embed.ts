/**
 * The page on which a buyer pays, inside a page of the shop: `import { checkout } from 'https://pay.example.com/embed.js'`.
 * It is a frame of the payment server, so the shop's page never sees a card number.
 */
const CHANNEL = 'switchyard-checkout'
const SERVER = new URL(import.meta.url).origin
/** Until the form is shown. A slow network may take as long; a page that the browser refuses never comes. */
const PATIENCE_MS = 20_000

export type CheckoutOptions = {
  /** The `url` of the page of a checkout session, which your server asked for. */
  readonly url: string
  /** The element for the form, or a selector of it. What was in the element is replaced. */
  readonly place: string | Element
  /** What screen readers call the frame. */
  readonly label?: string
  /** From `/f.js` or from the script of your anti-fraud service. Left out: the form asks the service itself, if there is one. */
  readonly antiFraudFingerprint?: string
}

/** The `detail` of all events but `resize`, which has a `height` in pixels, and `error`, which has a `message`. */
export type CheckoutState = {
  readonly status: 'open' | 'processing' | 'paid' | 'expired' | 'closed'
  /** The buyer's own payment. Null: there is none, or another browser made it. */
  readonly transactionId: string | null
}

/** `redirect`: the window goes where the buyer approves the payment. It is the last event. */
const STATES = new Set(['ready', 'paid', 'declined', 'waiting', 'expired', 'closed', 'redirect'])

/** Dispatches `ready`, `resize`, `paid`, `declined`, `waiting`, `expired`, `closed`, `redirect` and `error`. */
export class CheckoutForm extends EventTarget {
  readonly #url: string
  readonly #frame = document.createElement('iframe')
  readonly #timer: ReturnType<typeof setTimeout>

  constructor({ url, place, label = 'Payment', antiFraudFingerprint }: CheckoutOptions) {
    super()
    this.#url = url
    const element = typeof place === 'string' ? document.querySelector(place) : place
    if (!element) throw new TypeError(`There is no element ${String(place)} for the form.`)
    const { colorScheme } = getComputedStyle(element)
    const frame = this.#frame
    frame.title = label
    frame.allow = 'payment; publickey-credentials-get'
    frame.src = addressOf(url, colorScheme, antiFraudFingerprint)
    // Hidden until it has its look: before, or if the browser refuses it, it would be a white box.
    frame.style.cssText = 'display: block; width: 100%; height: 320px; border: 0; opacity: 0'
    // A frame whose colour scheme differs from its place would be painted on white.
    frame.style.colorScheme = colorScheme
    this.#timer = setTimeout(() => this.#dispatch('error', { message: NOT_SHOWN }), PATIENCE_MS)
    addEventListener('message', this.#hear)
    element.replaceChildren(frame)
  }

  /** Removes the form from the page. A payment that has begun goes on. */
  destroy(): void {
    clearTimeout(this.#timer)
    removeEventListener('message', this.#hear)
    this.#frame.remove()
  }

  readonly #hear = ({ origin, source, data }: MessageEvent): void => {
    if (origin !== SERVER || source !== this.#frame.contentWindow || data?.channel !== CHANNEL) return
    const { type, status, transactionId, height, url } = data
    const { style } = this.#frame
    if (transactionId) remember(this.#url, transactionId)
    if (type === 'ready') {
      clearTimeout(this.#timer)
      style.opacity = ''
    }
    if (type === 'resize') {
      style.height = `${Number(height)}px`
      this.#dispatch(type, { height })
    }
    if (STATES.has(type)) this.#dispatch(type, { status, transactionId })
    if (type === 'redirect' && /^https?:/.test(url)) location.assign(url)
  }

  #dispatch(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }
}

export function checkout(options: CheckoutOptions): CheckoutForm {
  return new CheckoutForm(options)
}

const NOT_SHOWN =
  'The form was not shown. See that allowed_origins of the session’s page names this origin, and the url is whole.'

/** Tells the page who shows it, and the payment with which the buyer has come back to the shop. */
function addressOf(url: string, scheme: string, fingerprint: string | undefined): string {
  const address = new URL(url)
  if (address.origin !== SERVER) throw new TypeError(`The url must begin with ${SERVER}/.`)
  const here = new URLSearchParams(location.search)
  const status = here.get('transaction_status')
  const id = here.get('transaction_id') ?? remember(url)
  if (id) address.searchParams.set('transaction_id', id)
  if (status) address.searchParams.set('transaction_status', status)
  address.searchParams.set('embed', location.origin)
  address.searchParams.set('scheme', scheme)
  if (fingerprint) address.searchParams.set('fingerprint', fingerprint)
  return address.href
}

/** Keeps the id of the payment for this tab. Browsers let our frame keep nothing in a page of a shop; here, it is the shop's own. */
function remember(url: string, id?: string): string | null {
  try {
    if (id) sessionStorage.setItem(url, id)
    return sessionStorage.getItem(url)
  } catch {
    return null
  }
}
