import { html } from './html.ts'
import { renderPage } from './layout.ts'
import type { Found } from './search.ts'
import type { Site } from './site.ts'

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
