import type { GiftCardBalance, OrderFacts, PageState } from '../../server/src/domain/pay-page.ts'
import { within } from '../api/within.ts'

/** What the server says is wrong, by the fields of the form. */
export type Refused = { readonly pointer: string }

export type Answer =
  | { readonly kind: 'state'; readonly state: PageState }
  | { readonly kind: 'refused'; readonly fields: readonly Refused[] }
  | { readonly kind: 'too_many' }
  /** The payment may have been made: no answer came, or one that says nothing about it. */
  | { readonly kind: 'lost' }

/** The server answers within its own deadlines. A connection that is silent for longer is dead. */
const PAY_TIMEOUT_MS = 90_000
const ASK_TIMEOUT_MS = 15_000

export type Form = {
  readonly tries: number
  readonly attempt: string
  /** What the page shows. If that is no longer so, nothing is charged. */
  readonly amount: number
  readonly currency: string
  /** The origin whose page shows us in a frame. */
  readonly embed: string | undefined
  readonly payment_method?: object
  readonly gift_cards?: readonly object[]
  readonly save?: boolean
  /** What the order lacks of the buyer. */
  readonly contact?: object | undefined
  readonly anti_fraud_fingerprint?: string | undefined
}

export async function pay(path: string, form: Form): Promise<Answer> {
  try {
    const body = { ...form, browser_info: browserInfo() }
    const response = await ask(`${path}/payments`, PAY_TIMEOUT_MS, body)
    if (response.status === 200 || response.status === 409) {
      return { kind: 'state', state: await response.json() }
    }
    if (response.status === 429) return { kind: 'too_many' }
    if (response.status !== 400) return { kind: 'lost' }
    const { details = [] } = (await response.json()) as { details?: Refused[] }
    return { kind: 'refused', fields: details }
  } catch {
    return { kind: 'lost' }
  }
}

/** How the order stands. Undefined: the server did not answer. */
export function readState(path: string, query: URLSearchParams): Promise<PageState | undefined> {
  return read(`${path}/state?${query}`)
}

/** The order as it is now. */
export function readOrder(path: string, query: URLSearchParams): Promise<OrderFacts | undefined> {
  return read(`${path}/order?${query}`)
}

/** Gives up a payment that waits for approval. Undefined: the server did not answer. */
export function cancelPayment(path: string, query: URLSearchParams): Promise<PageState | undefined> {
  return read(`${path}/cancel`, Object.fromEntries(query))
}

/** Sends the receipt of the payment that this browser has made. Tells the status of the answer. */
export async function mailReceipt(
  path: string,
  query: URLSearchParams,
  email_address: string,
): Promise<number> {
  try {
    return (await ask(`${path}/receipt`, ASK_TIMEOUT_MS, { ...Object.fromEntries(query), email_address }))
      .status
  } catch {
    return 0
  }
}

/** The gift cards of the buyer. None if they cannot be had: they can be typed. */
export async function storedGiftCards(path: string): Promise<readonly GiftCardBalance[]> {
  const list = await read<{ readonly items: readonly GiftCardBalance[] }>(`${path}/gift-cards`)
  return list?.items ?? []
}

export function giftCardBalance(
  path: string,
  card: { readonly number: string; readonly pin: string },
): Promise<GiftCardBalance | undefined> {
  return read(`${path}/gift-cards`, card)
}

export async function removeCard(path: string, id: string): Promise<boolean> {
  try {
    const signal = within(ASK_TIMEOUT_MS)
    const { status } = await fetch(`${path}/cards/${id}`, { method: 'DELETE', signal })
    return status === 204 || status === 404
  } catch {
    return false
  }
}

export async function appleSession(path: string, validation_url: string): Promise<unknown> {
  const session = await read(`${path}/apple-pay-session`, { validation_url })
  if (!session) throw new Error('no session')
  return session
}

/** Undefined: the server did not answer, or refused. */
async function read<Answer>(url: string, body?: object): Promise<Answer | undefined> {
  try {
    const response = await ask(url, ASK_TIMEOUT_MS, body)
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

function ask(url: string, timeoutMs: number, body?: object): Promise<Response> {
  const signal = within(timeoutMs)
  if (!body) return fetch(url, { signal })
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

/** For 3-D Secure: the issuer's page is made for this browser. */
function browserInfo() {
  const { userAgent, language } = navigator
  return {
    javascript_enabled: true,
    java_enabled: false,
    language,
    color_depth: screen.colorDepth,
    screen_height: screen.height,
    screen_width: screen.width,
    time_zone_offset: new Date().getTimezoneOffset(),
    user_agent: userAgent,
    user_device: /Mobi|Android/.test(userAgent) ? 'mobile' : 'desktop',
  }
}
