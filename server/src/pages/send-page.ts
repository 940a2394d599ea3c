import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BuiltPages, Content } from './built-pages.ts'
import type { Manifest } from './manifest.ts'
import { sendContent } from './send-content.ts'

/** What is particular to one answer. */
export type PageRules = {
  /** The origins whose pages may show this one in a frame. */
  readonly frameAncestors: readonly string[]
  /** Directives of the policy in place of those that every page has. */
  readonly policy?: Readonly<Record<string, string>>
  /** Origins whose scripts the page loads. They have no digest and keep no rule of ours, so such a page holds nothing. */
  readonly foreignScripts?: readonly string[]
  /** Windows that the page opens know who opened them. */
  readonly opensWindows?: boolean
  /** Scripts that this answer needs beside those of every one. */
  readonly parts?: readonly string[]
  /** For the script of the page: JSON in place of `<!--data-->`, in the element `data`. */
  readonly data?: unknown
  /** The language of the page, and its direction. English if left out. */
  readonly language?: {
    readonly code: string
    readonly isRightToLeft: boolean
    /** What a browser without scripts shows in place of the English sentence. */
    readonly noScript?: string | undefined
  }
  /** Shows the page as light or as dark, whatever the browser asks for. */
  readonly colorScheme?: 'light' | 'dark' | null
  /** The icon of the browser's tab. */
  readonly iconUrl?: string | null
  readonly status?: number
}

/** Nothing from elsewhere, no script that is not named, no text that becomes a script. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
}
const TRUSTED_TYPES = { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" }

const HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'integrity-policy': 'blocked-destinations=(script)',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), usb=()',
  'referrer-policy': 'no-referrer',
}

/** Sends a built page, by its place in `web/`, with the headers that keep it as it was built. */
export function sendBuiltPage(
  built: BuiltPages,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  name: string,
  rules: PageRules,
): FastifyReply {
  const page = built.pages.get(name)
  if (!page) throw new Error(`there is no built page ${name}`)
  reply.headers(pageHeaders(built.manifest, name, rules))
  if (rules.data === undefined && rules.language === undefined && rules.status === undefined) {
    return sendContent(request, reply.header('cache-control', 'no-cache'), page)
  }
  return reply
    .code(rules.status ?? 200)
    .headers({ 'content-type': page.type, 'cache-control': 'no-store' })
    .send(withParts(built, name, rules.parts, fillIn(page, name, rules)))
}

/** The headers that decide what a browser lets the page do. */
export function pageHeaders(manifest: Manifest, name: string, rules: PageRules): Record<string, string> {
  // Some proxies and scanners know only the older header. It cannot name origins.
  const framing = rules.frameAncestors.length === 0 && { 'x-frame-options': 'DENY' }
  const { 'integrity-policy': integrity, ...others } = HEADERS
  return {
    ...others,
    ...(integrity && !rules.foreignScripts && { 'integrity-policy': integrity }),
    ...(rules.opensWindows && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
    ...framing,
    'content-security-policy': policyOf(manifest, name, rules),
  }
}

function policyOf({ files, pages }: Manifest, name: string, rules: PageRules): string {
  const { scripts = [], inline = [] } = pages[name] ?? {}
  const digests = [...scripts.map((script) => files[script]?.integrity), ...inline]
  const sources = [...digests.map((digest) => `'${digest}'`), ...(rules.foreignScripts ?? [])]
  const directives = {
    ...POLICY,
    ...(!rules.foreignScripts && TRUSTED_TYPES),
    'script-src': sources.length > 0 ? sources.join(' ') : "'none'",
    'frame-ancestors': rules.frameAncestors.length > 0 ? rules.frameAncestors.join(' ') : "'none'",
    ...rules.policy,
  }
  const broken = Object.values(directives).find((value) => /[;,\r\n]/.test(value))
  if (broken !== undefined) throw new Error(`a policy cannot hold ${JSON.stringify(broken)}`)
  return Object.entries(directives)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')
}

function fillIn(page: Content, name: string, { data, language, colorScheme, iconUrl }: PageRules): string {
  let html = String(page.bodies.identity)
  if (iconUrl) {
    // An address has no quotes once it is read.
    const address = new URL(iconUrl).href.replaceAll('&', '&amp;')
    html = html.replace('</head>', () => `<link rel="icon" href="${address}" /></head>`)
  }
  if (language) {
    const direction = language.isRightToLeft ? ' dir="rtl"' : ''
    const theme = colorScheme ? ` data-theme="${colorScheme}"` : ''
    html = html.replace('<html lang="en">', () => `<html lang="${language.code}"${direction}${theme}>`)
    const { noScript } = language
    if (noScript) html = html.replace(/(?<=<noscript><p[^>]*>)[^<]*/, () => noScript)
  }
  if (data === undefined) return html
  if (!html.includes('<!--data-->')) throw new Error(`${name} has no place for data`)
  // No `<` is left, so no text can end the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html.replace('<!--data-->', () => `<script type="application/json" id="data">${json}</script>`)
}

/** A script that the page imports is in the list of its modules by then, with its digest. */
function withParts({ manifest }: BuiltPages, name: string, parts: PageRules['parts'], html: string): string {
  const tags = (parts ?? []).map((part) => {
    const script = manifest.pages[name]?.parts[part]
    const file = script && manifest.files[script]
    if (!file) throw new Error(`${name} has no script ${part}`)
    return `<script type="module" crossorigin src="/${script}" integrity="${file.integrity}"></script>`
  })
  return tags.length === 0 ? html : html.replace('</head>', () => `${tags.join('')}</head>`)
}

/** The page as it was built, in English. Data hold no `<`, so a script beside them stays in the page. */
export function withoutData(sent: Buffer): Buffer {
  // Latin-1 keeps every byte.
  const html = sent.toString('latin1')
  const built = html.replace(/<script type="application\/json" id="data">[^<]*<\/script>/, '<!--data-->')
  return Buffer.from(built, 'latin1')
}
