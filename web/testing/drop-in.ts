import type { Frame, FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openHostedPage } from '#testing/hosted-page.ts'
import { CARD } from '#testing/till.ts'
import type { Cashier } from './cashier.ts'

/** A page of a shop that shows the page for paying in a frame, with our loader `/embed.js`. */

type Told = { readonly name: string; readonly detail: Readonly<Record<string, unknown>> }

/** What runs in the page is typed here: this file runs in Node. */
type Form = {
  readonly destroy: () => void
  readonly addEventListener: (name: string, listen: (event: { detail: Told['detail'] }) => void) => void
}
declare const window: { checkout: (options: object) => Form; form: Form; told: Told[] }

const EVENTS = [
  'ready',
  'resize',
  'paid',
  'declined',
  'waiting',
  'expired',
  'closed',
  'redirect',
  'error',
] as const

export const SHOP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<style>main { max-width: 420px; font: 16px system-ui } .low { margin-top: 3000px }
.dark { color-scheme: dark; background: #0b100f; color: #e8efec }</style></head>
<body><main><h1>Check out</h1><div id="place"></div></main></body></html>`

/** A session whose page the shop of this window may show. */
export async function openFor(
  { service, origin }: Cashier,
  page: Page,
  { order = {}, settings = {} }: { readonly order?: object; readonly settings?: object } = {},
): Promise<{ readonly sessionId: string; readonly url: string }> {
  const allowed_origins = [new URL(page.url()).origin]
  const { sessionId, path } = await openHostedPage(service, order, { allowed_origins, ...settings })
  return { sessionId, url: `${origin}${path}` }
}

/** Begins to show the form, and waits for nothing. */
export async function mount(page: Page, url: string): Promise<void> {
  const content = `import { checkout } from '${new URL(url).origin}/embed.js'; window.checkout = checkout`
  await page.addScriptTag({ type: 'module', content })
  await expect.poll(() => page.evaluate(() => typeof window.checkout)).toBe('function')
  await page.evaluate(
    ({ url, names }) => {
      window.told = []
      window.form = window.checkout({ url, place: '#place' })
      for (const name of names)
        window.form.addEventListener(name, ({ detail }) => void window.told.push({ name, detail }))
    },
    { url, names: EVENTS },
  )
}

export async function show(page: Page, url: string): Promise<void> {
  await mount(page, url)
  await until(page, 'ready')
}

export function until(page: Page, name: (typeof EVENTS)[number]): Promise<void> {
  return expect.poll(async () => (await toldIn(page)).map((told) => told.name)).toContain(name)
}

/** What the shop was told, without changes of the height. */
export async function toldIn(page: Page): Promise<Told[]> {
  return (await page.evaluate(() => window.told)).filter(({ name }) => name !== 'resize')
}

export function heightsIn(page: Page): Promise<unknown[]> {
  return page.evaluate(() =>
    window.told.filter(({ name }) => name === 'resize').map(({ detail }) => detail['height']),
  )
}

export function destroyIn(page: Page): Promise<void> {
  return page.evaluate(() => window.form.destroy())
}

export function formIn(page: Page): FrameLocator {
  return page.frameLocator('#place iframe')
}

export function frameIn(page: Page): Frame | undefined {
  return page.frames().find((frame) => frame !== page.mainFrame() && frame.url().includes('/pay/'))
}

export async function payIn(page: Page, number = CARD.number): Promise<void> {
  const form = formIn(page)
  await form.getByLabel('Card number', { exact: true }).pressSequentially(number)
  await form.getByLabel('Expiry date').pressSequentially('1240')
  await form.getByLabel('Security code').pressSequentially('737')
  await form.locator('button.pay').click()
}
