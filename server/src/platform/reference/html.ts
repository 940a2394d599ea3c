/** Text that is already HTML. Anything else gets escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[]

/** A template for HTML that escapes everything put into it, in text and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)))
}

function textOf(content: Content): string {
  if (content === undefined || content === null || content === false) return ''
  if (content instanceof Html) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escaped(String(content))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** The Markdown that our descriptions use: paragraphs, fenced code, `code`. */
export function prose(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const code = /^```\n([\s\S]*)\n```$/.exec(block.trim())?.[1]
      return code === undefined ? html`<p>${inline(block)}</p>` : codeBlock('Example', shell(code))
    })
}

export function inline(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

/** Can be focused, so that a reader without a mouse can scroll it sideways. */
export function codeBlock(label: string, code: Content): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></figure>`
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

export function json(value: unknown): Html[] {
  return coloured(JSON.stringify(value, null, 2), JSON_TOKEN, ([token, string, colon]) => {
    if (colon !== undefined) return html`<span class="key">${string}</span>${colon}`
    return html`<span class="${string === undefined ? 'literal' : 'string'}">${token}</span>`
  })
}

const SHELL_TOKEN = /^curl\b|(?<= )-[A-Za-z]\b|"[^"\n]*"|'[^'\n]*'/gm

export function shell(text: string): Html[] {
  return coloured(text, SHELL_TOKEN, ([token]) => {
    const kind = token.startsWith('-') ? 'literal' : /^['"]/.test(token) ? 'string' : 'key'
    return html`<span class="${kind}">${token}</span>`
  })
}

function coloured(text: string, pattern: RegExp, colour: (match: RegExpExecArray) => Html): Html[] {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(html`${text.slice(end, match.index)}`, colour(match))
    end = match.index + match[0].length
  }
  return [...parts, html`${text.slice(end)}`]
}

/** For a fragment of the page's URL. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
