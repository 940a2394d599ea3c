import { setImmediate as nextTurn } from 'node:timers/promises'
import { basics, errorSection } from './home-page.ts'
import { type Html, html } from './html.ts'
import { renderPage } from './layout.ts'
import { prose } from './markdown.ts'
import type { OpenApiDocument } from './openapi.ts'
import { operationArticle } from './operation.ts'
import { fieldTree } from './schema.ts'
import { LINKS_WITHIN, type Links, linksAcross, type Part, type ResourcePage, type Site } from './site.ts'

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
