import { type Html, html } from './html.ts'

/** Can be focused, so that a reader without a mouse can scroll it sideways. */
export function codeBlock(label: string, language: string, text: string): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption>${codeText(label, language, text)}</figure>`
}

export function codeText(label: string, language: string, text: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(language, text)}</code></pre>`
}

export function jsonBlock(label: string, value: unknown): Html {
  return codeBlock(label, 'json', JSON.stringify(value, null, 2))
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`

type Colour = 'key' | 'string' | 'literal' | 'comment'

/** For each language: what its tokens look like, and the colour of each capture group. */
const LANGUAGES: Readonly<Record<string, { pattern: RegExp; colours: readonly Colour[] }>> = {
  json: {
    pattern: /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/g,
    colours: ['key', 'string', 'literal'],
  },
  shell: {
    pattern:
      /(^ *curl\b|(?<=[|(] *)(?:curl|npx)\b)|("[^"\n]*"|'[^'\n]*')|((?<= )--?[A-Za-z][\w-]*)|((?<=^|\s)#.*)/gm,
    colours: ['key', 'string', 'literal', 'comment'],
  },
  typescript: {
    pattern: new RegExp(
      String.raw`\b(await|const|let|import|from|if|throw|new|return|async|function|export|type)\b|(${STRING}|${'`[^`]*`'})|\b(true|false|null|\d[\d_.]*)\b|(//.*)`,
      'g',
    ),
    colours: ['key', 'string', 'literal', 'comment'],
  },
  python: {
    pattern: new RegExp(
      String.raw`\b(import|from|def|return|if|raise|as|with|for|in)\b|(f?(?:${STRING}))|\b(True|False|None|\d[\d_.]*)\b|(#.*)`,
      'g',
    ),
    colours: ['key', 'string', 'literal', 'comment'],
  },
}

const ALIASES: Readonly<Record<string, string>> = { sh: 'shell', ts: 'typescript', js: 'typescript' }

function highlight(language: string, text: string): Html[] {
  const known = LANGUAGES[ALIASES[language] ?? language]
  if (!known) return [html`${text}`]
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(known.pattern)) {
    const group = match.slice(1).findIndex((captured) => captured !== undefined)
    parts.push(html`${text.slice(end, match.index)}<span class="${known.colours[group]}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return [...parts, html`${text.slice(end)}`]
}
