import { createHash } from 'node:crypto'
import type { Office } from './office.ts'
import type { CardText, PageFacts } from './pages.ts'
import * as pages from './pages.ts'
import { isId } from './requests.ts'

/**
 * The page that shows a new card to its buyer. It needs no script. Number and PIN come only after a click, so that
 * programs which open the links in a message do not see them.
 */
export async function answerPage(office: Office, request: Request): Promise<Response> {
  const [, , id = '', key = ''] = new URL(request.url).pathname.split('/')
  if (!isId(id) || !pages.isKeyOf(office, id, key)) return page(404, 'Not found', '')
  const facts = await pages.find(office, id)
  if (!facts)
    return page(
      410,
      'No longer shown',
      '<p>The number and the PIN were shown before, or were not looked at in time.</p>',
    )
  if (request.method !== 'POST') return page(200, 'Your gift card', `${summary(office, facts)}${FORM}`)
  const card = await pages.reveal(office, id)
  return card
    ? page(200, 'Your gift card', `${summary(office, facts)}${details(card)}`)
    : page(410, 'No longer shown', '')
}

const FORM = '<form method="post"><button>Show number and PIN</button></form>'

function summary({ amountText }: Office, { program, amount, currency, expiresAt }: PageFacts): string {
  const rows = [
    ['From', program],
    ['Amount', amount > 0 ? amountText(amount, currency) : 'none yet'],
    ...(expiresAt ? [['Valid until', expiresAt.toISOString().slice(0, 10)]] : []),
  ]
  return list(rows)
}

function details({ number, pin }: CardText): string {
  const rows = [
    ['Number', number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
    ['PIN', pin],
  ]
  return `${list(rows)}<p>Write them down: they stay here for a day.</p>`
}

function list(rows: readonly (readonly string[])[]): string {
  const items = rows.map(([name = '', value = '']) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
  return `<dl>${items.join('')}</dl>`
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; place-items: center; min-height: 100vh;
  background: #f4f5f5; color: #1c2423 }
main { background: #fff; padding: 2rem; border-radius: 12px; max-width: 24rem; box-shadow: 0 1px 6px #0002 }
h1 { font-size: 1.25rem; margin: 0 0 1rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.5rem }
dt { color: #5a6665 } dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums }
button { font: inherit; width: 100%; padding: .75rem; border-radius: 8px; border: 0; cursor: pointer;
  background: #0b7a6f; color: #fff }
p { color: #5a6665; margin: 0 }
@media (prefers-color-scheme: dark) {
  body { background: #0d1314; color: #e4ecea } main { background: #141c1d }
  dt, p { color: #9dafab }
}`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
}

function page(status: number, title: string, content: string): Response {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`
  return new Response(text, { status, headers: HEADERS })
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
