import { type Guide, linkFrom } from './guides.ts'
import { html } from './html.ts'
import { renderPage } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import type { Site } from './site.ts'

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
