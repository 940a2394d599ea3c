import { jsonBlock } from './code.ts'
import { type Content, type Html, html, slug } from './html.ts'
import { renderPage } from './layout.ts'
import { inline, prose, renderMarkdown } from './markdown.ts'
import type { OpenApiDocument } from './openapi.ts'
import { errorsIn, operationArticle, requestExamples, viewOf } from './operation.ts'
import { fieldTree, objectLink } from './schema.ts'
import type { Found } from './search.ts'
import { type Guide, type Listed, linkFrom, type Part, type ResourcePage, type Site } from './site.ts'

/** What applies to all operations, and where each resource is. */
export function renderHome(site: Site): string {
  const { info } = site.document
  return renderPage(site, {
    title: `${info.title} reference`,
    description: info.summary,
    href: '/docs',
    content: html`${hero(site)}${basics(site.document)}
<section class="resources" id="operations" aria-labelledby="operations-title"><h2 id="operations-title">Resources</h2>
<p><a href="/docs/all">All operations</a> · <a href="/docs/objects">All objects</a> · <a href="/docs/api/errors">Errors</a></p>
${site.groups.map(
  ({ name, pages }) =>
    html`<h3>${name}</h3><ul class="cards">${pages.map(
      (page) =>
        html`<li class="card"><a href="${page.href}">${page.name}</a><p class="quiet">${page.parts[0]?.description}</p></li>`,
    )}</ul>`,
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
<dl class="facts"><div><dt>Base URL</dt><dd><code>${servers[0]?.url}</code></dd></div><div><dt>OpenAPI 3.1</dt><dd><a href="/openapi.json">/openapi.json</a></dd></div><div><dt>All operations</dt><dd><a href="/docs/all">on one page</a></dd></div></dl>
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
export function renderErrors(site: Site): string {
  const { document, guides } = site
  const guide = guides.find(({ file }) => file === 'docs/errors.md')
  return renderPage(site, {
    title: `Errors · ${document.info.title}`,
    description: 'What the API answers to a request that it refuses, or cannot do.',
    href: '/docs/api/errors',
    content: html`<div class="title"><h1>Errors</h1>
<p>Every operation can answer 400, 500 and 503; if it takes a token, also 401, 403 and 429. The page of an operation names its other errors. An unknown path answers 404, and a known one with another method 405.</p>
${guide && html`<p class="quiet">Guide: <a href="${guide.href}">${guide.title}</a>, with the order of checks and every type of <code>details</code>.</p>`}</div>
<div class="errors" id="error-answers">${errorsIn(document).map(
      ({ status, description, examples }) =>
        html`<section id="error-${status}" aria-labelledby="error-${status}-title"><h2 id="error-${status}-title"><span class="status">${status}</span> ${Object.keys(
          examples,
        ).map((code) => html`<code>${code}</code> `)}</h2><p>${inline(description)}</p>${Object.entries(
          examples,
        ).map(
          ([code, { value }]) =>
            html`<details><summary>Example of ${code}</summary>${jsonBlock(code, value)}</details>`,
        )}</section>`,
    )}</div>`,
  })
}

/** A resource: what it is, its operations, its objects. */
export function renderResource(site: Site, page: ResourcePage): string {
  const { document } = site
  const objects = objectsOf(page)
  return renderPage(site, {
    title: `${page.name} · ${document.info.title}`,
    description: page.parts[0]?.description ?? document.info.summary,
    href: page.href,
    resource: page,
    content: html`<div class="title"><h1>${page.name}</h1>
${page.parts.map((part) => partSection(site, part, part === page.parts[0]))}
${
  objects.length > 0 &&
  html`<section class="tag" id="schemas" aria-labelledby="schemas-title"><h2 id="schemas-title">Objects</h2><ul class="names">${objects.map((name) => html`<li>${objectLink(name)}</li>`)}</ul></section>`
}</div>`,
  })
}

/** What its operations take and answer. */
function objectsOf({ parts }: ResourcePage): string[] {
  const bodies = parts.flatMap(({ operations }) =>
    operations.flatMap(({ operation: { requestBody, responses } }) => [
      requestBody,
      ...Object.values(responses),
    ]),
  )
  const names = bodies.flatMap((body) => {
    const content = body && 'content' in body ? body.content : undefined
    return /\/schemas\/(\w+)$/.exec(content?.['application/json'].schema.$ref ?? '')?.[1] ?? []
  })
  return [...new Set(names)].sort((a, b) => (a < b ? -1 : 1))
}

/** The first part is under the title of the page, which is its name, too. */
function partSection({ guides }: Site, part: Part, isFirst: boolean): Html {
  const { id, name, description = '', operations, guides: wanted = [] } = part
  const found = wanted.flatMap((path) => guides.filter(({ file }) => file === `docs/${path}.md`))
  return html`<section class="tag" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"${isFirst && html` class="unseen"`}>${name}</h2>
${prose(description)}${
  found.length > 0 &&
  html`<p class="quiet">${found.length === 1 ? 'Guide' : 'Guides'}: ${found.map(
    ({ href, title }, index) => html`${index > 0 && ', '}<a href="${href}">${title}</a>`,
  )}</p>`
}${operationList(operations)}</section>`
}

/** Its items have the ids that operations had on longer pages, so that old links still lead to them. */
function operationList(operations: readonly Listed[]): Html {
  return html`<ul class="index">${operations.map(
    ({ verb, path, operation: { operationId, summary } }) =>
      html`<li id="${operationId}"><a href="/docs/operations/${operationId}">${summary}</a> <code><b class="${verb}">${verb}</b> ${breakable(path)}</code></li>`,
  )}</ul>`
}

/** A long path may break before a slash. */
function breakable(path: string): Content {
  const [, first, ...parts] = path.split('/')
  return html`/${first}${parts.map((part) => html`<wbr>/${part}`)}`
}

/** Every operation in a line, for the browser's own search. */
export function renderIndex(site: Site): string {
  const { info } = site.document
  return renderPage(site, {
    title: `All operations · ${info.title}`,
    description: `Every operation of the ${info.title}.`,
    href: '/docs/all',
    content: html`<div class="title"><h1>All operations</h1>${site.groups.map(({ pages }) =>
      pages.map(
        ({ name, href, parts }) =>
          html`<h2><a href="${href}">${name}</a></h2>${operationList(parts.flatMap(({ operations }) => operations))}`,
      ),
    )}</div>`,
  })
}

/** An operation: what it takes, what it answers, and a request to try. */
export function renderOperation(site: Site, page: ResourcePage, entry: Listed): string {
  const { operationId, summary } = entry.operation
  return renderPage(site, {
    title: `${summary} · ${site.document.info.title}`,
    description: `${summary}: ${entry.verb.toUpperCase()} ${entry.path}`,
    href: `/docs/operations/${operationId}`,
    resource: page,
    content: operationArticle(site, page, entry),
  })
}

/** The objects by name. */
export function renderObjects(site: Site): string {
  const { info, components } = site.document
  return renderPage(site, {
    title: `All objects · ${info.title}`,
    description: `Every object of the ${info.title}.`,
    href: '/docs/objects',
    content: html`<div class="title"><h1>All objects</h1><ul class="names">${Object.keys(
      components.schemas,
    ).map((name) => html`<li>${objectLink(name)}</li>`)}</ul></div>`,
  })
}

export function renderObject(site: Site, name: string): string {
  const { info, components } = site.document
  const schema = components.schemas[name] ?? {}
  return renderPage(site, {
    title: `${name} · ${info.title}`,
    description: `The fields of ${name}.`,
    href: `/docs/objects/${name}`,
    content: html`<article class="operation"><div class="about"><p class="trail"><a href="/docs/objects">Objects</a></p><h1>${name}</h1>
${prose(schema.description ?? '')}${fieldTree({ $ref: `#/components/schemas/${name}` }, viewOf(site))}</div>${
      schema.examples?.length && html`<div class="examples">${jsonBlock('Example', schema.examples[0])}</div>`
    }</article>`,
  })
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
