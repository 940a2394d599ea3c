import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { directionOf, isLocale, type Locale } from '#domain/locale.ts'
import type { Look } from '#domain/pay-page.ts'
import { Html, html } from './reference/html.ts'

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; place-items: center; min-height: 100vh;
  background: #f4f5f5; color: #1c2423 }
main { background: #fff; padding: 2rem; border-radius: 12px; max-width: 24rem; box-shadow: 0 1px 6px #0002 }
h1 { font-size: 1.25rem; margin: 0 0 1rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.5rem }
dt { color: #5a6665 } dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums }
form { display: grid; gap: .5rem }
button { font: inherit; padding: .75rem; border-radius: 8px; border: 1px solid var(--accent, #0b7a6f); cursor: pointer }
button[value=approve] { background: var(--accent, #0b7a6f); color: var(--on-accent, #fff) } button[value=refuse] { background: #fff; color: var(--accent, #0b7a6f) }
small { color: #5a6665 }
nav { display: grid; gap: .5rem; text-align: center } nav a { padding: .75rem; border-radius: 8px; color: var(--accent, #0b7a6f) }
nav a.main { background: var(--accent, #0b7a6f); color: var(--on-accent, #fff); text-decoration: none }
svg { display: block; width: 100%; max-width: 18rem; margin: 0 auto 1rem; border-radius: 8px }
output { display: block; font: 600 1.5rem/1.4 ui-monospace, monospace; text-align: center; overflow-wrap: anywhere;
  user-select: all; padding: 1rem; border: 1px dashed #5a6665; border-radius: 8px }
[hidden] { display: none }
@media (prefers-color-scheme: dark) {
  body { background: #0d1314; color: #e4ecea } main { background: #141c1d }
  dt, small { color: #9dafab } nav a { color: var(--accent, #62cdbd) } output { border-color: #9dafab }
  button[value=refuse] { background: #141c1d; color: var(--accent, #62cdbd); border-color: var(--accent, #62cdbd) }
}
@media print { nav { display: none } main { box-shadow: none } }`

/** How a page looks, and its language. Without it: as usual, in English. */
export type Dress = { readonly locale: Locale; readonly look: Look }

/** A page for people: whole, with the style in it, and without scripts from elsewhere. */
type Page = {
  readonly language: string
  readonly title: string
  readonly style: string
  /** More for the head, such as an icon. */
  readonly head?: Html
  readonly body: Html
  /** Runs at the end of the page. The page must work without it, too. */
  readonly script?: string
  readonly status: number
  /** What the page may do or load beyond its own style. */
  readonly policy?: readonly string[]
  /** Who may show the page in a frame. */
  readonly frames: 'SAMEORIGIN' | 'DENY'
}

function sendWholePage(reply: FastifyReply, page: Page): FastifyReply {
  const { language, title, style, head, body, script = '', status, policy = [], frames } = page
  const isRtl = isLocale(language) && directionOf(language) === 'rtl'
  const scripts = script === '' ? html`` : html`<script>${new Html(script)}</script>`
  const content = html`<html lang="${language}"${isRtl && html` dir="rtl"`}><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${head ?? ''}<style>${new Html(style)}</style></head>
<body>${body}${scripts}</body></html>`
  const rules = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === '' ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    ...policy,
  ]
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', rules.join('; '))
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', frames)
    .send(`<!doctype html>${content.text}`)
}

/** Only colours in digits get into the page. */
function styleOf({ accent, on_accent, accent_dark, on_accent_dark }: Look): string {
  const set = (color: string, on: string) => `:root { --accent: ${color}; --on-accent: ${on} }`
  return `${set(accent, on_accent)} @media (prefers-color-scheme: dark) { ${set(accent_dark, on_accent_dark)} }`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

type PlainPage = {
  readonly title: string
  readonly content: Html
  readonly status?: number
  readonly dress?: Dress | undefined
}

/** Sends a small page with a title and some content, without forms. */
export function sendPage(reply: FastifyReply, title: string, content: Html, status = 200): FastifyReply {
  return sendDressedPage(reply, { title, content, status })
}

/** The same in the look and the language of a shop. */
export function sendDressedPage(reply: FastifyReply, { status = 200, ...page }: PlainPage): FastifyReply {
  return sendSmall(reply, { ...page, status, policy: ["form-action 'none'"] })
}

type FormPage = PlainPage & {
  /** Where the answer to the form sends the browser. Null: nowhere. */
  readonly next: string | null
}

/**
 * The same with a form, whose answer redirects to the shop. Browsers hold the rule for forms against redirects, too, and a
 * shop may redirect further, or be an app with a scheme of its own. So the rule names schemes, and no host.
 */
export function sendFormPage(reply: FastifyReply, { status = 200, next, ...page }: FormPage): FastifyReply {
  const scheme = next === null ? undefined : URL.parse(next)?.protocol
  const allowed = new Set(["'self'", 'https:', ...(scheme === undefined ? [] : [scheme])])
  return sendSmall(reply, { ...page, status, policy: [`form-action ${[...allowed].join(' ')}`] })
}

type Scripted = Pick<Page, 'title'> & {
  readonly content: Html
  readonly script: string
  readonly policy: readonly string[]
  /** After this time the browser loads the page again. */
  readonly refreshSeconds?: number
}

/** The same with a script that helps, and that the page works without. */
export function sendScriptedPage(reply: FastifyReply, { refreshSeconds, ...page }: Scripted): FastifyReply {
  const head = html`<meta http-equiv="refresh" content="${refreshSeconds}">`
  return sendSmall(reply, { ...page, status: 200, ...(refreshSeconds !== undefined && { head }) })
}

type Small = Pick<Page, 'title' | 'status' | 'head' | 'script'> & {
  readonly content: Html
  readonly policy: readonly string[]
  readonly dress?: Dress | undefined
}

function sendSmall(reply: FastifyReply, { title, content, dress, ...page }: Small): FastifyReply {
  const body = html`<main><h1>${title}</h1>${content}</main>`
  return sendWholePage(reply, {
    ...page,
    language: dress?.locale ?? 'en',
    title,
    style: dress ? `${styleOf(dress.look)}${STYLE}` : STYLE,
    body,
    frames: 'SAMEORIGIN',
  })
}
