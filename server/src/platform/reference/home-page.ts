import { jsonBlock } from './code.ts'
import { type Html, html, slug } from './html.ts'
import { renderPage } from './layout.ts'
import { inline, prose } from './markdown.ts'
import type { OpenApiDocument } from './openapi.ts'
import { errorsOf, requestExamples } from './operation.ts'
import type { Listed, ResourcePage, Site } from './site.ts'

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
export function basics({ info }: OpenApiDocument): Html {
  const [, ...sections] = info.description.split(/^## /m)
  return html`<div class="guide">${sections.map((section) => {
    const end = section.indexOf('\n')
    const heading = section.slice(0, end)
    const id = slug(heading)
    return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${heading} <a class="anchor" href="#${id}" aria-label="Link to ${heading}">#</a></h2>${prose(section.slice(end + 1))}</section>`
  })}</div>`
}

/** Every error with its codes and examples. */
export function errorSection(document: OpenApiDocument): Html {
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
