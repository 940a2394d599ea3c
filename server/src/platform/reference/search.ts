import { anchorOf, plainText } from './markdown.ts'
import type { Schema } from './openapi-schemas.ts'
import { errorsIn } from './operation.ts'
import type { Site } from './site.ts'

/** Something to find. */
type Entry = {
  readonly kind: 'operation' | 'guide' | 'object' | 'error'
  readonly title: string
  /** The path of an operation, or the page of a section. */
  readonly detail: string
  readonly href: string
  /** More words that lead to it: descriptions, fields, the text of a section. */
  readonly words: string
}

export type Found = Pick<Entry, 'kind' | 'title' | 'detail' | 'href'>

export type Search = (query: string) => Found[]

export const QUERY_LENGTH_MAX = 100
const TERMS_MAX = 8
const RESULTS_MAX = 20

/** Other words for what the documents call otherwise. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  pagination: ['page by page', 'next_cursor'],
  paging: ['page by page', 'next_cursor'],
  partial: ['in part', 'amount'],
  charge: ['pay', 'transaction'],
  payment: ['transaction', 'pay'],
  customer: ['buyer'],
  client: ['clients', 'buyer'],
  token: ['authenticate'],
  login: ['sign in', 'authenticate'],
  auth: ['authenticate'],
  cancel: ['void'],
  callback: ['webhook'],
  notification: ['webhook', 'event'],
  retry: ['again', 'idempotency'],
  '3ds': ['3-d secure', 'three_d_secure'],
  sdk: ['client'],
  config: ['setting'],
  configuration: ['setting'],
  environment: ['setting', 'sandbox'],
  docker: ['compose', 'container'],
  test: ['sandbox', 'simulator'],
}
/** Words of a question that are in every text. */
const EMPTY = new Set([
  'a',
  'an',
  'and',
  'do',
  'for',
  'how',
  'i',
  'in',
  'is',
  'my',
  'of',
  'on',
  'the',
  'to',
  'with',
])

/**
 * Finds what has a word of the query, or another word for it. What has more of the words comes first. A word in the title counts most,
 * at the beginning of a word more than within.
 */
export function searchIn(site: Site): Search {
  const entries = [...operations(site), ...errorCodes(site), ...sections(site), ...objects(site)].map(
    (entry) => ({
      entry,
      title: entry.title.toLowerCase(),
      detail: entry.detail.toLowerCase(),
      words: entry.words.toLowerCase(),
    }),
  )
  return (query) => {
    const words = query.slice(0, QUERY_LENGTH_MAX).toLowerCase().split(/\s+/).filter(Boolean)
    const telling = words.filter((word) => !EMPTY.has(word))
    const terms = (telling.length > 0 ? telling : words).slice(0, TERMS_MAX)
    if (terms.length === 0) return []
    const whole = words.join(' ')
    return entries
      .map(({ entry, ...texts }) => ({ entry, score: scoreOf(texts, terms, whole) }))
      .filter(({ score }) => score > 0)
      .map(({ entry, score }) => ({ entry, score: score + BONUS[entry.kind] }))
      .sort((a, b) => b.score - a.score)
      .slice(0, RESULTS_MAX)
      .map(({ entry: { kind, title, detail, href } }) => ({ kind, title, detail, href }))
  }
}

/** Of what fits equally well, operations come first. */
const BONUS: Readonly<Record<Entry['kind'], number>> = { operation: 3, error: 2, guide: 1, object: 0 }

type Texts = { readonly title: string; readonly detail: string; readonly words: string }

function scoreOf(texts: Texts, terms: readonly string[], whole: string): number {
  const { title, detail } = texts
  const scores = terms.map((term) =>
    // Another word counts less than the one that was asked for.
    Math.max(
      scoreOfTerm(texts, term),
      ...(SYNONYMS[term] ?? []).map((other) => scoreOfTerm(texts, other) * 0.7),
    ),
  )
  const found = scores.filter((score) => score > 0).length
  if (found === 0) return 0
  let score = scores.reduce((sum, one) => sum + one, 0) * (0.5 + found / terms.length / 2)
  if (title === whole || detail === whole) score += 50
  else if (title.startsWith(whole)) score += 15
  // The shorter of two titles is more about what was asked for.
  return score + Math.max(0, 10 - title.length / 5)
}

function scoreOfTerm({ title, detail, words }: Texts, term: string): number {
  const at = title.indexOf(term)
  if (at === 0) return 24
  if (at > 0 && /[^a-z0-9]/.test(title[at - 1] ?? '')) return 20
  if (at > 0) return 10
  if (detail.includes(term)) return 12
  return words.includes(term) ? 4 : 0
}

function operations({ document }: Site): Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([verb, { operationId, summary, description, parameters, requestBody }]): Entry => {
        const fields = fieldNames(
          document.components.schemas,
          requestBody?.content['application/json'].schema,
        )
        const named = parameters.flatMap((parameter) => ('name' in parameter ? [parameter.name] : []))
        return {
          kind: 'operation',
          title: summary,
          detail: `${verb.toUpperCase()} ${path}`,
          href: `/docs/operations/${operationId}`,
          words: [operationId, description, ...named, ...fields].join(' '),
        }
      },
    ),
  )
}

function objects({ document: { components } }: Site): Entry[] {
  return Object.entries(components.schemas).map(([name, schema]) => ({
    kind: 'object',
    title: name,
    detail: 'Object',
    href: `/docs/objects/${name}`,
    words: [schema.description, ...Object.keys(schema.properties ?? {})].join(' '),
  }))
}

function errorCodes({ document }: Site): Entry[] {
  return errorsIn(document).flatMap(({ status, description, examples }) =>
    Object.keys(examples).map(
      (code): Entry => ({
        kind: 'error',
        title: code,
        detail: `Error ${status}`,
        href: `/docs/api/errors#error-${status}`,
        words: description,
      }),
    ),
  )
}

/** The sections of the documents that the side list names. */
function sections({ guideGroups }: Site): Entry[] {
  return guideGroups.flatMap(({ guides }) =>
    guides.flatMap(({ href, title, markdown }) =>
      sectionsOf(markdown).flatMap((section): Entry[] => {
        const [, marks = '', heading = ''] = /^(#{1,3}) (.+)/.exec(section) ?? []
        if (heading === '') return []
        const text = plainText(heading)
        const to = marks.length === 1 ? href : `${href}#${anchorOf(text)}`
        return [
          {
            kind: 'guide',
            title: text,
            detail: marks.length === 1 ? 'Guide' : title,
            href: to,
            words: section,
          },
        ]
      }),
    ),
  )
}

/** Comments in code are no headings. */
function sectionsOf(markdown: string): string[] {
  const plain = markdown.replaceAll(/```[\s\S]*?```/g, (code) => code.replaceAll(/^#+ /gm, ''))
  return `\n${plain}`.split(/\n(?=#{1,3} )/)
}

/** The fields of a body, and those of its parts. */
function fieldNames(schemas: Readonly<Record<string, Schema>>, schema: Schema | undefined): string[] {
  const seen = new Set<string>()
  const names = new Set<string>()
  const visit = (one: Schema | undefined): void => {
    if (!one) return
    const name = one.$ref?.slice(one.$ref.lastIndexOf('/') + 1)
    if (name !== undefined) {
      if (seen.has(name)) return
      seen.add(name)
      visit(schemas[name])
      return
    }
    for (const [field, inner] of Object.entries(one.properties ?? {})) {
      names.add(field)
      visit(inner)
    }
    for (const inner of [one.items, ...(one.anyOf ?? []), ...(one.oneOf ?? [])]) visit(inner)
  }
  visit(schema)
  return [...names]
}
