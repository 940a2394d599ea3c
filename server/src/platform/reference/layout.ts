import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Content, Html, html } from './html.ts'
import type { Listed, Part, ResourcePage, Site } from './site.ts'
import { FILTER_STYLE, STYLE } from './style.ts'

/** In every page, so without its comments, which are lines of their own. */
function scriptOf(name: string): string {
  const file = new URL(`../../../assets/reference/${name}`, import.meta.url)
  return readFileSync(file, 'utf8').replaceAll(/^ *(?:\/\/|\/\*\*).*\n/gm, '')
}

const PLAIN = { style: STYLE, script: scriptOf('script.js') }
const FILTERING = { style: STYLE + FILTER_STYLE, script: PLAIN.script + scriptOf('filter-tables.js') }

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Allows our own style and script by their hashes, and the search. A script that got onto a page would not run. */
export const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(PLAIN.style)} ${hashOf(FILTERING.style)}`,
  `script-src ${hashOf(PLAIN.script)} ${hashOf(FILTERING.script)}`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b7a6f"/>' +
  '<path d="M6 22h20M8 22C16 22 15 11 25 11" fill="none" stroke="white" stroke-width="3" stroke-linecap="round"/></svg>'
const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`

export type PageParts = {
  readonly title: string
  readonly description: string
  /** The address of the page, which the side list marks. Null: it has no place there. */
  readonly href: string | null
  /** The resource that it belongs to. The side list shows its operations. */
  readonly resource?: ResourcePage
  readonly content: Content
  /** The words that are being searched for. */
  readonly query?: string
}

/** A whole page: header with the search, side list, content. It works without the script. */
export function renderPage(site: Site, page: PageParts): string {
  const { title, description, query = '' } = page
  const content = html`${page.content}`
  // Not escaped, because these elements take their text unchanged. Both are files of ours.
  const { style, script } = content.text.includes(' data-filters="') ? FILTERING : PLAIN
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(style)}</style>
</head>
<body id="top">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs"><svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M6 22h20M8 22C16 22 15 11 25 11"/></svg><span>Switchyard</span></a>
<search><form action="/docs/search"><input type="search" id="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" maxlength="100" autocomplete="off" spellcheck="false" required><kbd aria-hidden="true">/</kbd></form></search>
<button class="button" type="button" popovertarget="menu">Menu</button>
</header>
${navigation(site, page)}
<main id="content" tabindex="-1">
${content}
</main>
<script>${new Html(script)}</script>
</body>
</html>
`.text
}

function navigation({ groups, guideGroups }: Site, { href, resource }: PageParts): Html {
  const isGuide = guideGroups.some(({ guides }) => guides.some((guide) => guide.href === href))
  return html`<nav id="menu" popover aria-label="Documentation">
<ul><li>${navigationLink('/docs', 'Overview', href)}</li><li>${navigationLink('/docs/api/errors', 'Errors', href)}</li><li>${navigationLink('/docs/all', 'All operations', href)}</li><li>${navigationLink('/docs/objects', 'All objects', href)}</li></ul>
${groups.map(({ name, pages }) =>
  navigationGroup(
    name,
    !isGuide,
    pages.map((page) => resourceItem(page, page === resource, href)),
  ),
)}
${guideGroups.map(({ name, guides }) =>
  navigationGroup(
    name,
    guides.some((guide) => guide.href === href) || (name === 'Guides' && href === '/docs'),
    guides.map((guide) => html`<li>${navigationLink(guide.href, guide.title, href)}</li>`),
  ),
)}
<ul><li><a href="/openapi.json">OpenAPI document</a></li></ul>
</nav>`
}

function navigationGroup(name: string, isOpen: boolean, items: readonly Html[]): Html {
  return html`<details${isOpen && html` open`}><summary>${name}</summary><ul>${items}</ul></details>`
}

function navigationLink(to: string, text: string, href: string | null): Html {
  return html`<a href="${to}"${to === href && html` aria-current="page"`}>${text}</a>`
}

/** The resource that is shown has its operations below it. */
function resourceItem({ name, href: to, parts }: ResourcePage, isOpen: boolean, href: string | null): Html {
  return html`<li>${navigationLink(to, name, href)}${isOpen && parts.map((part) => partItems(part, parts.length > 1, href))}</li>`
}

function partItems({ name, operations }: Part, isNamed: boolean, href: string | null): Html {
  const label = name.split(': ')[1]?.replace(/^./, (letter) => letter.toUpperCase())
  return html`${isNamed && label !== undefined && html`<p class="part">${label}</p>`}<ul class="operations">${operations.map((entry) => operationItem(entry, href))}</ul>`
}

function operationItem({ verb, operation: { operationId, summary } }: Listed, href: string | null): Html {
  const to = `/docs/operations/${operationId}`
  return html`<li><a href="${to}"${to === href && html` aria-current="page"`}><span class="verb ${verb}">${SHORT[verb] ?? verb}</span><span>${summary}</span></a></li>`
}

const SHORT: Readonly<Record<string, string>> = { delete: 'del' }
