import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { fieldIn } from './shop.ts'

/** A page of a shop that uses our own loader, `/fields.js`. */

type Told = { readonly name: string; readonly detail: Readonly<Record<string, unknown>> }
type Failure = { readonly code: string; readonly status: number; readonly details: readonly unknown[] }

/** What runs in the page is typed here: this file runs in Node. */
type Form = {
  readonly mount: (type: string, place: string, options: object) => void
  readonly submit: () => Promise<void>
  readonly addEventListener: (name: string, listen: (event: { detail: Told['detail'] }) => void) => void
}
declare const window: { cardForm: (options: object) => Form; form: Form; told: Told[] }

const FIELDS = ['number', 'expiryDate', 'securityCode', 'postalCode'] as const

export const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<style>main { display: grid; gap: 12px; max-width: 360px; font: 16px system-ui } label { display: grid; gap: 4px }
main div { height: 44px; border: 1px solid #7f8985; border-radius: 10px; padding: 0 12px }
.dark { color-scheme: dark; background: #0b100f; color: #e8efec }</style></head>
<body><main><h1>Pay</h1>${FIELDS.map((name) => `<span>${name}</span><div id="${name}"></div>`).join('')}</main></body></html>`

type Showing = {
  readonly origin: string
  readonly session: string
  readonly storedCard?: { readonly id: string; readonly scheme?: string }
  readonly fields?: readonly string[]
  readonly options?: object
}

export async function showForm(
  page: Page,
  { fields = FIELDS, options = {}, ...form }: Showing,
): Promise<void> {
  const content = `import { cardForm } from '${form.origin}/fields.js'; window.cardForm = cardForm`
  await page.addScriptTag({ type: 'module', content })
  await expect.poll(() => page.evaluate(() => typeof window.cardForm)).toBe('function')
  await page.evaluate(
    ({ session, storedCard, fields, options }) => {
      window.form = window.cardForm({ session, ...(storedCard && { storedCard }) })
      window.told = []
      for (const name of ['ready', 'change', 'focus', 'blur', 'input'])
        window.form.addEventListener(name, ({ detail }) => void window.told.push({ name, detail }))
      for (const type of fields) window.form.mount(type, `#${type}`, options)
    },
    { ...form, fields, options },
  )
  await expect.poll(() => toldIn(page).then((told) => told.map(({ name }) => name))).toContain('ready')
  for (const type of fields) await fieldIn(page, `#${type}`).waitFor()
}

export function toldIn(page: Page): Promise<Told[]> {
  return page.evaluate(() => window.told)
}

export async function typeCard(page: Page, number = '4111111111111111'): Promise<void> {
  await fieldIn(page, '#number').pressSequentially(number)
  await fieldIn(page, '#expiryDate').pressSequentially('1240')
  await fieldIn(page, '#securityCode').pressSequentially('737')
}

/** Undefined if the server took the card. */
export function submitIn(page: Page): Promise<Failure | undefined> {
  return page.evaluate(() =>
    window.form.submit().then(
      () => undefined,
      ({ code, status, details }: Failure) => ({ code, status, details }),
    ),
  )
}
