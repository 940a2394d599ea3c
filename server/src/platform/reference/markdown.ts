import { codeBlock } from './code.ts'
import { type Content, Html, html } from './html.ts'

type Heading = { readonly level: number; readonly id: string; readonly text: string }

/** Where a link leads. Undefined: nowhere that we serve; its text is shown without a link. */
export type ResolveLink = (target: string) => string | undefined

export type Rendered = { readonly content: Html[]; readonly headings: readonly Heading[] }

/** The Markdown that our documents use: headings, paragraphs, lists, tables, quotes, pictures and fenced code. */
export function renderMarkdown(text: string, resolve: ResolveLink): Rendered {
  const headings: Heading[] = []
  const writer: Writer = {
    resolve,
    heading: (level, title) => {
      const plain = plainText(title)
      const id = freshId(plain, headings)
      headings.push({ level, id, text: plain })
      return id
    },
  }
  return { content: blocks(text.split('\n'), writer), headings }
}

/** A short text of ours, such as a description, without headings and links. */
export function prose(text: string): Html[] {
  return renderMarkdown(text, () => undefined).content
}

export function inline(text: string): Content {
  return spans(text, () => undefined)
}

type Writer = {
  readonly resolve: ResolveLink
  /** Remembers a heading, and gives its id. */
  readonly heading: (level: number, title: string) => string
}

/** One block, and how many lines it has. */
type Block = { readonly html: Html; readonly lines: number }

function blocks(lines: readonly string[], writer: Writer): Html[] {
  const found: Html[] = []
  let at = 0
  while (at < lines.length) {
    if (lines[at]?.trim() === '') {
      at += 1
      continue
    }
    const rest = lines.slice(at)
    const block =
      comment(rest) ??
      fence(rest) ??
      heading(rest, writer) ??
      table(rest, writer) ??
      list(rest, writer) ??
      quote(rest, writer)
    const { html: markup, lines: taken } = block ?? paragraph(rest, writer)
    found.push(markup)
    at += taken
  }
  return found
}

const FENCE = /^( *)```(\w*) *$/

function fence(lines: readonly string[]): Block | undefined {
  const [, indent = '', language = ''] = FENCE.exec(lines[0] ?? '') ?? []
  if (!FENCE.test(lines[0] ?? '')) return undefined
  const length = lines.slice(1).findIndex((line) => line.trim() === '```')
  const end = length === -1 ? lines.length : length + 1
  const code = lines.slice(1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
  return {
    html: codeBlock(LABELS[language] ?? (language || 'Example'), language || 'shell', code.join('\n')),
    lines: end + 1,
  }
}

const LABELS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  shell: 'Shell',
  json: 'JSON',
  text: 'Output',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  csv: 'CSV',
  http: 'HTTP',
  nginx: 'nginx',
}

function heading(lines: readonly string[], writer: Writer): Block | undefined {
  const [, marks = '', title = ''] = /^(#{1,6}) (.+)$/.exec(lines[0] ?? '') ?? []
  if (title === '') return undefined
  const id = writer.heading(marks.length, title)
  const text = spans(title, writer.resolve)
  const link = html` <a class="anchor" href="#${id}" aria-label="Link to ${plainText(title)}">#</a>`
  if (marks.length === 1) return { html: html`<h1 id="${id}">${text}</h1>`, lines: 1 }
  if (marks.length === 2) return { html: html`<h2 id="${id}">${text}${link}</h2>`, lines: 1 }
  return { html: html`<h3 id="${id}">${text}${link}</h3>`, lines: 1 }
}

/** For those who write: readers do not see it. */
function comment(lines: readonly string[]): Block | undefined {
  return /^<!-- .* -->$/.test(lines[0] ?? '') && !FILTERED.test(lines[0] ?? '')
    ? { html: html``, lines: 1 }
    : undefined
}

/** Above a table: the columns that readers choose values of, and those that say `no` where something does not work. */
const FILTERED = /^<!-- filters: (.+); works: (.+) -->$/

function table(lines: readonly string[], writer: Writer): Block | undefined {
  const [, filters, works] = FILTERED.exec(lines[0] ?? '') ?? []
  if (filters !== undefined) {
    const below = table(lines.slice(1), writer)
    const marked = below?.html.text.replace(
      '<div',
      html`<div data-filters="${filters}" data-works="${works}"`.text,
    )
    return below && { html: new Html(marked ?? ''), lines: below.lines + 1 }
  }
  if (!lines[0]?.startsWith('|') || !/^\|[ :|-]+\|$/.test(lines[1] ?? '')) return undefined
  const count = lengthWhile(lines, (line) => line.startsWith('|'))
  const [head = [], , ...body] = lines.slice(0, count).map(cells)
  const cell = (text: string) => spans(text, writer.resolve)
  const columns = head.map((text) =>
    text === '' ? html`<td></td>` : html`<th scope="col">${cell(text)}</th>`,
  )
  // Some tables have no head, which Markdown cannot say in another way.
  const isHeaded = head.some((text) => text !== '')
  const rows = body.map((row) => html`<tr>${row.map((text) => html`<td>${cell(text)}</td>`)}</tr>`)
  return {
    html: html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table class="data">${isHeaded && html`<thead><tr>${columns}</tr></thead>`}<tbody>${rows}</tbody></table></div>`,
    lines: count,
  }
}

/** A bar after a backslash is text. */
function cells(line: string): string[] {
  return line
    .replaceAll(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

const ITEM = /^(?:[-*]|\d+[.]) +/

function list(lines: readonly string[], writer: Writer): Block | undefined {
  if (!ITEM.test(lines[0] ?? '')) return undefined
  const isOrdered = /^\d/.test(lines[0] ?? '')
  const items: string[][] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [mark] = ITEM.exec(line) ?? []
    if (mark !== undefined) items.push([line.slice(mark.length)])
    else if (line.trim() === '' ? !/^ |^(?:[-*]|\d+[.]) /.test(lines[at + 1] ?? '') : !line.startsWith(' '))
      break
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ''))
    at += 1
  }
  const written = items.map((item) => html`<li>${tight(blocks(item, writer))}</li>`)
  return { html: isOrdered ? html`<ol>${written}</ol>` : html`<ul>${written}</ul>`, lines: at }
}

/** An item that is one paragraph needs no paragraph around it. */
function tight(content: readonly Html[]): Content {
  const [only, ...others] = content
  const text = others.length === 0 ? /^<p>([\s\S]*)<\/p>$/.exec(only?.text ?? '')?.[1] : undefined
  return text === undefined ? content : new Html(text)
}

function quote(lines: readonly string[], writer: Writer): Block | undefined {
  const count = lengthWhile(lines, (line) => line.startsWith('>'))
  if (count === 0) return undefined
  const inner = lines.slice(0, count).map((line) => line.replace(/^> ?/, ''))
  return { html: html`<blockquote>${blocks(inner, writer)}</blockquote>`, lines: count }
}

function paragraph(lines: readonly string[], writer: Writer): Block {
  const further = lengthWhile(
    lines.slice(1),
    (line) => line.trim() !== '' && !FENCE.test(line) && !ITEM.test(line) && !/^(?:#{1,6} |[|>])/.test(line),
  )
  const text = lines.slice(0, 1 + further).join('\n')
  return { html: html`<p>${spans(text, writer.resolve)}</p>`, lines: 1 + further }
}

function lengthWhile(lines: readonly string[], holds: (line: string) => boolean): number {
  const end = lines.findIndex((line) => !holds(line))
  return end === -1 ? lines.length : end
}

const SPAN =
  /(`+)([\s\S]+?)\1|(!?)\[((?:[^\]`]|`[^`]*`)+)\]\(\s*([^)\s]+)\s*\)|\*\*([\s\S]+?)\*\*|(?<!\w)\*([^*\s][^*]*)\*|<(https?:[^>\s]+)>/g

function spans(text: string, resolve: ResolveLink): Content {
  const parts: Content[] = []
  let end = 0
  for (const match of text.matchAll(SPAN)) {
    parts.push(text.slice(end, match.index), span(match, resolve))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

function span(match: RegExpExecArray, resolve: ResolveLink): Html {
  const [, , code, picture, label, target, bold, italic, address] = match
  if (code !== undefined) return html`<code>${code.trim()}</code>`
  if (bold !== undefined) return html`<strong>${spans(bold, resolve)}</strong>`
  if (italic !== undefined) return html`<em>${spans(italic, resolve)}</em>`
  const href = resolve(target ?? address ?? '')
  if (picture === '!')
    return href === undefined ? html`${label}` : html`<img src="${href}" alt="${label}" loading="lazy">`
  const text = spans(label ?? address ?? '', resolve)
  return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`
}

/** The text of a heading without its marks. */
export function plainText(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}

/** As code hosts make them, so that a link works there and here. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function freshId(text: string, headings: readonly Heading[]): string {
  const id = anchorOf(text)
  const same = headings.filter((other) => anchorOf(other.text) === id).length
  return same === 0 ? id : `${id}-${same}`
}
