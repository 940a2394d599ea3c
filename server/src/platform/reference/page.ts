import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../operation.ts'
import { codeBlock, Html, html, inline, json, prose, slug } from './html.ts'
import { type ApiFacts, describeApi, type OpenApiDocument } from './openapi.ts'
import { type Listed, listed, operationArticle } from './operation.ts'
import { fieldTree } from './schema.ts'
import { servedText } from './served-text.ts'
import { STYLE } from './style.ts'

/** The description of the API, for programs and for people. Both are made at the first request. */
export function serveReference(
  app: FastifyInstance,
  operations: readonly Operation[],
  facts: ApiFacts,
): void {
  const document = once(() => describeApi(operations, facts))
  const sendDocument = servedText(() => JSON.stringify(document()))
  const sendPage = servedText(() => renderReference(document()))

  app.get('/openapi.json', async (request, reply) =>
    sendDocument(
      request,
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*'),
    ),
  )

  app.get('/docs', async (request, reply) =>
    sendPage(
      request,
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('cache-control', 'public, max-age=300')
        .header('content-security-policy', POLICY)
        .header('referrer-policy', 'no-referrer'),
    ),
  )

  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  // Browsers request it on their own, also on pages that name no icon.
  app.get('/favicon.ico', async (_request, reply) =>
    reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .header('content-security-policy', "default-src 'none'")
      .send(ICON_SVG),
  )
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Allows only the style below, by its hash. If a script ever got onto the page, no browser would run it. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ')

const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b7a6f"/>' +
  '<path d="M6 22h20M8 22C16 22 15 11 25 11" fill="none" stroke="white" stroke-width="3" stroke-linecap="round"/></svg>'
const ICON = `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}`

/** The whole reference as one page that needs no script and loads nothing. */
export function renderReference(document: OpenApiDocument): string {
  const { info } = document
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${info.summary}">
<title>${info.title} reference</title>
<link rel="icon" href="${ICON}">
<style>${STYLE_HTML}</style>
</head>
<body id="top">
<a class="skip" href="#content">Skip to the content</a>
<div class="bar">${brand(document)}<a class="button" href="#menu">Menu</a></div>
${navigation(document)}
<main id="content">
${introductionSection(document)}
${errorSection(document)}
${document.tags.map(({ name }) => tagSection(document, name))}
${schemaSection(document)}
</main>
</body>
</html>
`
  return page.text
}

/** Not escaped, because a style element takes its text unchanged. It is a constant of ours. */
const STYLE_HTML = new Html(STYLE)

function brand({ info }: OpenApiDocument): Html {
  return html`<a class="brand" href="#top"><svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M6 22h20M8 22C16 22 15 11 25 11"/></svg><span>${info.title}</span></a>`
}

function navigation(document: OpenApiDocument): Html {
  return html`<nav id="menu" aria-label="Reference">
<div class="head">${brand(document)}<a class="button close" href="#top">Close</a></div>
<details open><summary>Guide</summary><ul>${guideOf(document).map(
    ({ heading }) => html`<li><a href="#${slug(heading)}">${heading}</a></li>`,
  )}</ul></details>
${document.tags.map(
  ({ name }) =>
    html`<details open><summary>${name}</summary><ul>${listed(document, name).map(navigationItem)}</ul></details>`,
)}
<details><summary>Schemas</summary><ul>${Object.keys(document.components.schemas).map(
    (name) => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></details>
</nav>`
}

function navigationItem({ verb, operation }: Listed): Html {
  return html`<li><a href="#${operation.operationId}"><span class="verb ${verb}">${SHORT[verb] ?? verb}</span><span>${operation.summary}</span></a></li>`
}

const SHORT: Readonly<Record<string, string>> = { delete: 'del' }

type GuideSection = { readonly heading: string; readonly text: string }

/** The introduction is Markdown with `## ` headings. The text before the first one is the lead. */
function guideOf({ info }: OpenApiDocument): GuideSection[] {
  const [, ...sections] = info.description.split(/^## /m)
  return sections.map((section) => {
    const end = section.indexOf('\n')
    return { heading: section.slice(0, end), text: section.slice(end + 1) }
  })
}

function introductionSection(document: OpenApiDocument): Html {
  const { info, servers } = document
  const [lead = ''] = info.description.split(/^## /m)
  return html`<header class="hero">
<p class="version">Version ${info.version}</p>
<h1>${info.title}</h1>
<p class="tagline">${info.summary}</p>
<div class="lead">${prose(lead)}</div>
<dl class="facts"><div><dt>Base URL</dt><dd><code>${servers[0]?.url}</code></dd></div><div><dt>OpenAPI 3.1</dt><dd><a href="/openapi.json">/openapi.json</a></dd></div></dl>
</header>
<div class="guide">${guideOf(document).map(
    ({ heading, text }) =>
      html`<section id="${slug(heading)}" aria-labelledby="${slug(heading)}-title"><h2 id="${slug(heading)}-title">${heading}</h2>${prose(text)}</section>`,
  )}</div>`
}

function errorSection({ components, paths }: OpenApiDocument): Html {
  const [anyPath] = Object.values(paths)
  const [anyOperation] = Object.values(anyPath ?? {})
  const rows = Object.entries(anyOperation?.responses ?? {}).flatMap(([status, response]) => {
    const known = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : undefined
    return known ? [{ status, ...known }] : []
  })
  return html`<div class="errors" id="error-answers">${rows.map(({ status, description, content }) => {
    const examples = Object.entries(content?.['application/json'].examples ?? {})
    return html`<details id="error-${status}"><summary><span class="status">${status}</span><span>${inline(description)}</span></summary>${examples.map(
      ([code, { value }]) => codeBlock(code, json(value)),
    )}</details>`
  })}</div>`
}

function tagSection(document: OpenApiDocument, tag: string): Html {
  const id = `tag-${slug(tag)}`
  return html`<section class="tag" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${tag}</h2>${listed(
    document,
    tag,
  ).map((entry) => operationArticle(document, entry))}</section>`
}

/** Each schema once: answers link here, so that the page grows in proportion to the API. */
function schemaSection({ components: { schemas } }: OpenApiDocument): Html {
  return html`<section class="tag" id="schemas" aria-labelledby="schemas-title"><h2 id="schemas-title">Schemas</h2>${Object.entries(
    schemas,
  ).map(
    ([name, schema]) =>
      html`<article class="schema" id="schema-${name}"><h3>${name} <a class="anchor" href="#schema-${name}" aria-label="Link to ${name}">#</a></h3>${prose(schema.description ?? '')}${fieldTree(schema, { schemas, nested: 'linked' })}</article>`,
  )}</section>`
}
