import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonBlock } from './code.ts'
import { type Html, html, slug } from './html.ts'
import { renderPage } from './layout.ts'
import { inline, prose, renderMarkdown } from './markdown.ts'
import type { OpenApiDocument } from './openapi.ts'
import { errorsOf, operationArticle, requestExamples } from './operation.ts'
import { fieldTree } from './schema.ts'
import type { Found } from './search.ts'
import {
  type Guide,
  LINKS_WITHIN,
  type Links,
  type Listed,
  linkFrom,
  linksAcross,
  type Part,
  type ResourcePage,
  type Site,
} from './site.ts'

/** What applies to all operations, and where each of them is. */
export function renderHome(site: Site): string {
  const { info } = site.document
  return renderPage(site, {
    title: `${info.title} reference`,
    description: info.summary,
    href: '/docs',
    content: html`${hero(site)}${basics(site.document)}${errorSection(site.document)}
<section class="index" id="operations" aria-labelledby="operations-title"><h2 id="operations-title">All operations</h2>
${site.groups.map(
  ({ name, pages }) =>
    html`<h3>${name}</h3><div class="cards">${pages.map((page) => resourceCard(page))}</div>`,
)}</section>`,
  })
}

function hero(site: Site): Html {
  const { info, servers } = site.document
  const [lead = ''] = info.description.split(/^## /m)
  const first = firstOperation(site)
  const guides = site.guideGroups[0]?.guides.slice(0, GUIDES_SHOWN) ?? []
  return html`<div class="hero"><div>
<p class="version">Version ${info.version}</p>
<h1>${info.title}</h1>
<p class="tagline">${info.summary}</p>
<div class="lead">${prose(lead)}</div>
<dl class="facts"><div><dt>Base URL</dt><dd><code>${servers[0]?.url}</code></dd></div><div><dt>OpenAPI 3.1</dt><dd><a href="/openapi.json">/openapi.json</a></dd></div><div><dt>To search with your browser</dt><dd><a href="/docs/all">All on one page</a></dd></div></dl>
</div>
${first && html`<div class="examples">${requestExamples(site.document, first)}</div>`}
</div>
${guides.length > 0 && html`<ul class="starts">${guides.map(({ href, title }) => html`<li><a href="${href}">${title}</a></li>`)}</ul>`}`
}

const GUIDES_SHOWN = 6

/** Of the first resource, the first operation that creates something. */
function firstOperation({ groups }: Site): Listed | undefined {
  const operations = groups[0]?.pages[0]?.parts[0]?.operations ?? []
  return operations.find(({ verb }) => verb === 'post') ?? operations[0]
}

/** The introduction is Markdown with `## ` headings. The text before the first one is the lead. */
function basics({ info }: OpenApiDocument): Html {
  const [, ...sections] = info.description.split(/^## /m)
  return html`<div class="guide">${sections.map((section) => {
    const end = section.indexOf('\n')
    const heading = section.slice(0, end)
    const id = slug(heading)
    return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${heading} <a class="anchor" href="#${id}" aria-label="Link to ${heading}">#</a></h2>${prose(section.slice(end + 1))}</section>`
  })}</div>`
}

/** Every error with its codes and examples. */
function errorSection(document: OpenApiDocument): Html {
  const [anyPath] = Object.values(document.paths)
  const [anyOperation] = Object.values(anyPath ?? {})
  const errors = anyOperation ? errorsOf(document, anyOperation) : []
  return html`<div class="errors" id="error-answers">${errors.map(
    ({ status, description, codes, content }) =>
      html`<details id="error-${status}"><summary><span class="status">${status}</span><span>${inline(description)} <span class="codes">${codes.map((code) => html`<code>${code}</code> `)}</span></span></summary>${Object.entries(
        content?.['application/json'].examples ?? {},
      ).map(([code, { value }]) => jsonBlock(code, value))}</details>`,
  )}</div>`
}

/** Its items have the ids that operations had when all were on this page, so that old links still lead to them. */
function resourceCard({ name, href, parts }: ResourcePage): Html {
  return html`<div class="card"><h4><a href="${href}">${name}</a></h4><p class="quiet">${parts[0]?.description ?? 'Objects of errors and events.'}</p>${parts.map(
    ({ id, operations }) =>
      html`<ul id="${id}">${operations.map(
        ({ verb, operation: { operationId, summary } }) =>
          html`<li id="${operationId}"><a href="${href}#${operationId}"><span class="verb ${verb}">${verb}</span><span>${summary}</span></a></li>`,
      )}</ul>`,
  )}</div>`
}

/** A resource: what it is, its operations, its objects. */
export function renderResource(site: Site, page: ResourcePage): string {
  const links = linksAcross(site)
  const { document } = site
  return renderPage(site, {
    title: `${page.name} · ${document.info.title}`,
    description: page.parts[0]?.description ?? document.info.summary,
    href: page.href,
    content: html`<div class="title"><h1>${page.name}</h1></div>
${page.parts.map((part, index) => partSection({ site, part, links, isFirst: index === 0 }))}
${objectSection(document, page.objects, links)}`,
  })
}

/**
 * All resources on one page, for the browser's own search. It takes a while to make, so other requests get a turn after
 * each resource.
 */
export async function renderWhole(site: Site): Promise<string> {
  const { document, groups } = site
  const sections: Html[] = []
  for (const page of groups.flatMap(({ pages }) => pages)) {
    for (const part of page.parts) {
      sections.push(partSection({ site, part, links: LINKS_WITHIN, isFirst: false }))
      await nextTurn()
    }
  }
  return renderPage(site, {
    title: `${document.info.title} reference on one page`,
    description: document.info.summary,
    href: '/docs/all',
    content: html`<div class="title"><h1>${document.info.title} on one page</h1></div>
${basics(document)}${errorSection(document)}${sections}
${objectSection(document, Object.keys(document.components.schemas), LINKS_WITHIN)}`,
  })
}

type Section = {
  readonly site: Site
  readonly part: Part
  readonly links: Links
  /** Under the title of the page, which is the name of this part, too. */
  readonly isFirst: boolean
}

function partSection({ site, part, links, isFirst }: Section): Html {
  const { id, name, description = '', operations } = part
  return html`<section class="tag" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"${isFirst && html` class="unseen"`}>${name}</h2>
${prose(description)}${guideLinks(site, part)}${operations.map((entry) => operationArticle(site.document, entry, links))}</section>`
}

function guideLinks({ guides }: Site, { guides: wanted = [] }: Part): Html | undefined {
  const found = wanted.flatMap((path) => guides.filter(({ file }) => file === `docs/${path}.md`))
  if (found.length === 0) return undefined
  return html`<p class="quiet">${found.length === 1 ? 'Guide' : 'Guides'}: ${found.map(
    ({ href, title }, index) => html`${index > 0 && ', '}<a href="${href}">${title}</a>`,
  )}</p>`
}

/** Each object once: answers link here, so that the pages grow in proportion to the API. */
function objectSection(
  { components: { schemas } }: OpenApiDocument,
  names: readonly string[],
  links: Links,
): Html | undefined {
  if (names.length === 0) return undefined
  return html`<section class="tag" id="schemas" aria-labelledby="schemas-title"><h2 id="schemas-title">Objects</h2>${names.map(
    (name) => {
      const schema = schemas[name] ?? {}
      return html`<article class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title">${name} <a class="anchor" href="${links.object(name)}" aria-label="Link to ${name}">#</a></h3>${prose(schema.description ?? '')}${fieldTree(schema, { schemas, nested: 'linked', links })}</article>`
    },
  )}</section>`
}

const DEFAULT_ADDRESS = 'http://127.0.0.1:3000'

/** A document of the project, with a list of its sections. */
export function renderGuide(site: Site, guide: Guide): string {
  // The guides say where a sandbox listens by default. Here, we know where this one does.
  const here = guide.markdown.replaceAll(DEFAULT_ADDRESS, site.document.servers[0]?.url ?? DEFAULT_ADDRESS)
  const { content, headings } = renderMarkdown(here, linkFrom(guide, site.guides))
  const sections = headings.filter(({ level }) => level === 2)
  return renderPage(site, {
    title: `${guide.title} · Switchyard`,
    description: `${guide.title}: a guide to Switchyard.`,
    href: guide.href,
    content: html`<div class="document"><article class="text">${content}</article>${
      sections.length > 1 &&
      html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`
    }</div>`,
  })
}

/** The results as a page, for readers without the script. */
export function renderResults(site: Site, query: string, found: readonly Found[]): string {
  return renderPage(site, {
    title: `${query === '' ? 'Search' : `${query} · Search`} · Switchyard`,
    description: 'Search the documentation of Switchyard.',
    href: null,
    query,
    content: html`<div class="title"><h1>Search</h1>${
      query !== '' &&
      html`<p class="quiet">${found.length === 0 ? `Nothing has one of the words “${query}”. Try others.` : `Results for “${query}”`}</p>`
    }</div><ol class="results">${found.map(
      ({ title, detail, href }) =>
        html`<li><a href="${href}">${title}</a> <span class="quiet">${detail}</span></li>`,
    )}</ol>`,
  })
}

/** For an address below `/docs` that leads nowhere. */
export function renderMissing(site: Site): string {
  return renderPage(site, {
    title: 'No such page · Switchyard',
    description: 'No such page.',
    href: null,
    content: html`<div class="title"><h1>There is no such page</h1><p>Search for what you need, or begin at the <a href="/docs">overview</a>.</p></div>`,
  })
}
