import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { signToken } from '#testing/harness.ts'
import type { Cashier } from './cashier.ts'

/**
 * A shop that talks with our frame as the public drop-in package does, message by message: its address, its sandbox, its
 * windows, and what it passes on. The package is not in the registry of npm, so this stands in for it.
 */
export const SHOP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
<body><main><h1>Check out</h1><div id="place"></div><button type="button">Buy</button></main></body></html>`

const SCRIPT = `(host, options, before) => {
  const origin = 'http://' + host
  const channel = Array.from(crypto.getRandomValues(new Uint32Array(4))).join('').slice(0, 32)
  const frame = document.createElement('iframe')
  const told = (window.told = [])
  let mode = {}
  let popup
  frame.src = origin + '/?' + new URLSearchParams({ parentUrl: location.origin, channel })
  frame.title = 'Payment'
  frame.style.cssText = 'visibility: hidden; width: 100%; height: 0; border: 0'
  frame.setAttribute('sandbox', 'allow-forms allow-popups allow-same-origin allow-scripts allow-top-navigation-by-user-activation')
  const send = (type, data) => frame.contentWindow.postMessage({ channel, type, data }, origin)
  addEventListener('message', async ({ origin: sender, data: message }) => {
    if (sender !== origin || message.channel !== channel) return
    const { type, data } = message
    told.push({ type, data })
    // The package passes on what comes from the address of the API, which is ours, too.
    frame.contentWindow.postMessage(message, origin)
    if (type === 'frameReady') send('updateOptions', { ...options, hasBeforeTransaction: Boolean(before) })
    if (type === 'optionsLoaded') frame.style.visibility = ''
    if (type === 'resize') frame.style.height = data.frame.height + 'px'
    if (type === 'modeUpdated') mode = data
    if (type === 'beforeTransactionPending') send('beforeTransactionDone', before)
    if (type === 'approvalUrl' && popup) popup.location.href = data
    if (type === 'transactionCreated' || type === 'transactionFailed' || type === 'formValidationFailed') popup?.close()
  })
  document.querySelector('button').onclick = () => {
    if (mode.popup) {
      popup = open('', 'loading', 'width=500,height=589')
      const timer = setInterval(() => {
        if (!popup.closed) return
        clearInterval(timer)
        send('approvalCancelled')
      }, 10)
    }
    send('submitForm')
  }
  document.querySelector('#place').replaceChildren(frame)
}`

export type Told = { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
declare const window: { told: Told[] }

type Wishes = {
  readonly options?: object
  /** What its token pins. */
  readonly pinned?: object
  /** What it changes before it pays. */
  readonly before?: object
}

export const ORDER = { amount: 1299, currency: 'EUR', country: 'DE' }

/** Opens the form with these options, and a token for the order. */
export async function setUp(
  { service, origin }: Cashier,
  page: Page,
  { options = {}, pinned = {}, before }: Wishes = {},
): Promise<FrameLocator> {
  const token = await signToken(service.admin, { scopes: ['embed'], embed: { ...ORDER, ...pinned } })
  const given = JSON.stringify([new URL(origin).host, { ...ORDER, token, ...options }, before])
  await page.evaluate(`(${SCRIPT})(...${given})`)
  await until(page, 'optionsLoaded')
  return page.frameLocator('#place iframe')
}

export function toldIn(page: Page, type: string): Promise<Told['data'][]> {
  return page.evaluate(
    (wanted) => window.told.filter(({ type }) => type === wanted).map(({ data }) => data),
    type,
  )
}

export async function until(page: Page, type: string): Promise<Told['data']> {
  await expect.poll(async () => (await toldIn(page, type)).length, { timeout: 15_000 }).toBeGreaterThan(0)
  const [data = {}] = (await toldIn(page, type)).slice(-1)
  return data
}
