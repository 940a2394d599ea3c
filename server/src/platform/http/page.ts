import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { directionOf, isLocale, type Locale } from '#domain/locale.ts'
import { FONTS, RADII } from '#domain/look.ts'
import type { Look } from '#domain/pay-page.ts'
import { Html, html } from '../reference/html.ts'

/** The colours are those of the page with the card form (`web/design/tokens.css`). */
const STYLE = `
:root { --ground: #f5f6f4; --surface: #fff; --line: #e2e6e2; --line-control: #7f8985; --ink: #131c1a; --ink-2: #48534f;
  --accent: #0a7268; --on-accent: #fff; --radius: 10px; --font: system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --ground: #0b100f; --surface: #121918; --line: #22302d; --line-control: #67766f;
  --ink: #e8efec; --ink-2: #a7b5b0; --accent: #3fc7b5; --on-accent: #04211d } }
* { box-sizing: border-box }
body { font: 16px/1.5 var(--font); margin: 0; padding: 1rem; display: grid; grid-template-columns: minmax(0, 26rem);
  place-content: center; min-height: 100vh; background: var(--ground); color: var(--ink) }
main { background: var(--surface); padding: 2rem; border: 1px solid var(--line); border-radius: calc(var(--radius) + 6px);
  box-shadow: 0 12px 32px -16px #0b1f1a38; overflow-wrap: anywhere }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1.25rem } p { margin: 0 0 1.25rem } main > :last-child { margin-bottom: 0 }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem 1.5rem; margin: 0 0 1.5rem; padding: 1rem 0;
  border: solid var(--line); border-width: 1px 0 }
dt { color: var(--ink-2) } dd { margin: 0; text-align: end; font-weight: 500; font-variant-numeric: tabular-nums }
form, nav { display: grid; gap: .75rem; margin-bottom: 1.25rem; text-align: center }
button, nav a { font: inherit; font-weight: 600; padding: .75rem 1rem; border-radius: var(--radius); cursor: pointer;
  border: 1px solid var(--line-control); background: var(--surface); color: var(--accent); text-decoration: none }
button[value=approve], nav a.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
nav a.quiet { border-color: transparent; text-decoration: underline; text-underline-offset: .2em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
small { font-size: .875rem; color: var(--ink-2) }
svg { display: block; width: 100%; max-width: 16rem; margin: 0 auto 1.25rem; border-radius: min(var(--radius), 10px) }
output { display: block; font: 600 1.5rem/1.4 ui-monospace, monospace; text-align: center; user-select: all; padding: 1.25rem 1rem;
  border: 1px dashed var(--line-control); border-radius: var(--radius) }
[hidden] { display: none }
@media (max-width: 26rem) { main { padding: 1.5rem 1.25rem } }
@media print { nav { display: none } body { min-height: 0 } main { box-shadow: none } }`

/** How a page looks, and its language. Without it: as usual, in English. */
export type Dress = {
  readonly locale: Locale
  readonly look: Look
  /** The origins whose pages may show it in a frame, beside our own. */
  readonly framedBy?: readonly string[]
}

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
  /** The origins whose pages may show it in a frame, beside our own. */
  readonly framedBy: readonly string[]
}

function sendWholePage(reply: FastifyReply, page: Page): FastifyReply {
  const { language, title, style, head, body, script = '', status, policy = [], framedBy } = page
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
    ...(framedBy.length > 0 ? [`frame-ancestors 'self' ${framedBy.join(' ')}`] : []),
  ]
  // This header cannot name other origins.
  if (framedBy.length === 0) reply.header('x-frame-options', 'SAMEORIGIN')
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', rules.join('; '))
    .header('referrer-policy', 'no-referrer')
    .send(`<!doctype html>${content.text}`)
}

/** Only colours in digits, and our own names of fonts, get into the page. */
function styleOf({ accent, on_accent, accent_dark, on_accent_dark, radius, font }: Look): string {
  const set = (color: string, on: string) => `--accent: ${color}; --on-accent: ${on}`
  const fonts = font === 'geist' ? '' : `; --font: ${FONTS[font]}`
  return `
:root { ${set(accent, on_accent)}; --radius: ${RADII[radius]}${fonts} }
@media (prefers-color-scheme: dark) { :root { ${set(accent_dark, on_accent_dark)} } }`
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

type Scripted = Pick<PlainPage, 'title' | 'content' | 'dress'> & {
  readonly script: string
  readonly policy: readonly string[]
  /** After this time a browser without scripts loads the page again. */
  readonly refreshSeconds?: number
}

/** The same with a script that helps, and that the page works without. */
export function sendScriptedPage(reply: FastifyReply, { refreshSeconds, ...page }: Scripted): FastifyReply {
  const head = html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
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
    style: dress ? `${STYLE}${styleOf(dress.look)}` : STYLE,
    body,
    framedBy: dress?.framedBy ?? [],
  })
}

const FRAME_STYLE =
  'html, body { height: 100%; margin: 0 } iframe { display: block; width: 100%; height: 100%; border: 0 }'

type FramePage = {
  readonly title: string
  readonly dress: Dress
  /** What the frame shows, and a form that leads there. */
  readonly body: Html
  readonly script: string
  readonly policy: readonly string[]
}

/** A page that is itself in a frame, and shows nothing but a frame with a page of another origin. */
export function sendFramePage(reply: FastifyReply, { dress, ...page }: FramePage): FastifyReply {
  const framedBy = dress.framedBy ?? []
  return sendWholePage(reply, { ...page, language: dress.locale, style: FRAME_STYLE, status: 200, framedBy })
}
