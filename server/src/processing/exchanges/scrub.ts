import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { maskNumbers } from '#platform/observability/mask.ts'
import type { Answer } from '#platform/outgoing/fetch.ts'

export type ShownRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: ShownBody | null
}

export type ShownResponse = {
  readonly status_code: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ShownBody | null
}

const URL_MAX = 2_000
const HEADERS_MAX = 40

/** Headers that any provider may use, and that say nothing about a payment or an account. */
const PLAIN_HEADERS = new Set([
  'accept',
  'content-length',
  'content-type',
  'date',
  'idempotency-key',
  'prefer',
  'request-id',
  'retry-after',
  'x-request-id',
])
/** Not shown even if a connector's list names them. */
const SECRET_HEADERS = /^(proxy-)?authorization$|cookie|api-?key|secret|password|signature/

/** What we sent, with only what the connector allows to show. Pure, and tested with hostile input. */
export function scrubRequest(url: string, init: RequestInit | undefined, rules: Rules): ShownRequest {
  const headers = new Headers(init?.headers)
  const method = (init?.method ?? 'GET').toUpperCase()
  return {
    method: /^[A-Z]{1,10}$/.test(method) ? method : '***',
    url: scrubUrl(url, rules),
    headers: Object.fromEntries(
      [...headers]
        .slice(0, HEADERS_MAX)
        .map(([name, value]) => [name, scrubHeader(name, value, rules) ?? '***']),
    ),
    body: scrubBody(init?.body, headers.get('content-type'), rules),
  }
}

/** What came back. Its headers are many, and most say nothing: those that are not allowed are left out. */
export function scrubResponse(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  body: Buffer | null,
  rules: Rules,
): ShownResponse {
  const shown = [...headers].flatMap(([name, value]) => {
    const text = scrubHeader(name, value, rules)
    return text === null ? [] : [[name, text] as const]
  })
  return {
    status_code: status,
    headers: Object.fromEntries(shown.slice(0, HEADERS_MAX)),
    body: body && scrubBody(body.toString('utf8'), headers.get('content-type'), rules),
  }
}

function scrubHeader(name: string, value: string, { allowed, secrets }: Rules): string | null {
  if (SECRET_HEADERS.test(name)) return null
  return PLAIN_HEADERS.has(name) || allowed.isShown(name, undefined, value) ? shownText(value, secrets) : null
}

/** Without user name, password and fragment. A part of the path is shown if its word is, or the word before it allows. */
function scrubUrl(text: string, rules: Rules): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return maskOf(text)
  const { allowed, secrets } = rules
  const parts = url.pathname.split('/').map(decoded)
  const path = parts.map((part, at) => {
    if (part === '' || allowed.isWord(part)) return part
    const before = parts[at - 1]
    return before !== undefined && allowed.isNamer(before) ? shownText(part, secrets) : maskOf(part)
  })
  const query = Object.entries(scrubForm(url.searchParams, rules)).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${one}`),
  )
  const shown = `${url.origin}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return maskNumbers(shownOrigin(shown, secrets)).slice(0, URL_MAX)
}

/** An account's name may be a part of the host. A secret must not be. */
function shownOrigin(url: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), url)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** `content` is null if the body cannot be read, or is too long to be shown. */
type ShownBody = {
  readonly kind: 'json' | 'form' | 'other'
  /** In bytes, as it was sent. */
  readonly size: number
  readonly content: unknown
}

export type Rules = { readonly allowed: AllowList; readonly secrets: readonly string[] }

/** Longer bodies are not read: reading them would take time from payments. */
const READ_MAX = 64 * 1024
/** As JSON, in characters. The table has a limit above it. */
const SHOWN_MAX = 16 * 1024
const SHORT = 4 * 1024
const DEPTH_MAX = 12
const ITEMS_MAX = 40
const VALUES_MAX = 800

/** Null if there is no body. */
function scrubBody(body: unknown, contentType: string | null, rules: Rules): ShownBody | null {
  const text = body instanceof URLSearchParams ? body.toString() : body
  if (text === null || text === undefined || text === '') return null
  if (typeof text !== 'string') return { kind: 'other', size: sizeOf(text), content: null }
  const size = Buffer.byteLength(text)
  const isForm =
    body instanceof URLSearchParams || /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')
  const kind = isForm ? 'form' : /^\s*[[{]/.test(text) ? 'json' : 'other'
  if (kind === 'other' || size > READ_MAX) return { kind, size, content: null }
  try {
    const content = isForm ? scrubForm(new URLSearchParams(text), rules) : scrubJson(JSON.parse(text), rules)
    return { kind, size, content: unlessLong(content, size) }
  } catch {
    return { kind: isForm ? 'form' : 'other', size, content: null }
  }
}

function sizeOf(body: unknown): number {
  if (body instanceof Blob) return body.size
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? body.byteLength : 0
}

/** What was short before is short enough with its masks. */
function unlessLong(content: unknown, size: number): unknown {
  return size > SHORT && JSON.stringify(content).length > SHOWN_MAX ? null : content
}

/** A number could be spread over the items of a list. */
function unlessNumber(items: readonly unknown[]): readonly unknown[] {
  const text = items.filter((item) => typeof item !== 'object').join(' ')
  return maskNumbers(text) === text ? items : ['***']
}

function scrubJson(value: unknown, rules: Rules): unknown {
  let values = 0
  return visit(value, [])

  function visit(inner: unknown, path: readonly string[]): unknown {
    values += 1
    if (values > VALUES_MAX) throw new Error('too many values')
    if (inner === null) return null
    if (typeof inner !== 'object') return scrubValue(inner, path, rules)
    if (path.length > DEPTH_MAX) return maskOf(inner)
    if (Array.isArray(inner)) {
      const shown = inner.slice(0, ITEMS_MAX).map((item) => visit(item, path))
      const safe = unlessNumber(shown)
      return inner.length > ITEMS_MAX ? [...safe, `*** (${inner.length - ITEMS_MAX} more)`] : safe
    }
    return named(Object.entries(inner), rules, (item, name) => visit(item, [...path, name]))
  }
}

/** Parameters of a form or a query. Those of the same name become a list. */
function scrubForm(form: URLSearchParams, rules: Rules): Record<string, unknown> {
  const names = [...new Set(form.keys())]
  if (names.length > VALUES_MAX) throw new Error('too many parameters')
  const entries = names.map((name) => [name, form.getAll(name).slice(0, ITEMS_MAX)] as const)
  return named(entries, rules, (values, name) => {
    const path = pathOf(name)
    const shown = values.map((value) => scrubValue(value, path, rules))
    return shown.length === 1 ? shown[0] : unlessNumber(shown)
  })
}

/** `items[0][amount]` is the field `amount` of `items`. */
function pathOf(name: string): string[] {
  return name.split(/[[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part))
}

function scrubValue(value: unknown, path: readonly string[], { allowed, secrets }: Rules): unknown {
  const text = String(value)
  const isShown = allowed.isShown(path.at(-1) ?? '', path.at(-2), text) && !path.some(allowed.isClosed)
  if (!isShown) return maskOf(value)
  const shown = shownText(text, secrets)
  return typeof value !== 'string' && shown === text ? value : shown
}

function named<Item>(
  entries: readonly (readonly [string, Item])[],
  { secrets }: Rules,
  work: (item: Item, name: string) => unknown,
): Record<string, unknown> {
  let hidden = 0
  return Object.fromEntries(
    entries.map(([name, item]) => {
      const isPlain = isPlainName(name, secrets)
      if (!isPlain) hidden += 1
      return [isPlain ? name : `*** (name ${hidden})`, work(item, name)]
    }),
  )
}

const MASK = '***'
const TEXT_MAX = 300
/** Longer texts are not searched to their end. */
const SEARCHED_MAX = 2_000

const WORD_MAX = 24
const QUOTED = /["'`‘“«][^"'`‘’“”«»]+["'`’”»]/g

/** A word of plain letters, digits and signs. Most values are one. */
const WORD = /^[\x21-\x7e]{0,300}$/

/** A value that is allowed to be shown, without what must never be. `secrets` are known, and must not be in it. */
function shownText(text: string, secrets: readonly string[]): string {
  if (WORD.test(text) && !secrets.some((secret) => text.includes(secret))) return maskNumbers(text)
  const read = text.slice(0, SEARCHED_MAX)
  const known = withoutSecrets(read, secrets)
  const isSentence = /\s/.test(known.trim())
  const plain = isSentence ? withoutRepeated(known) : known
  const masked = maskNumbers(plain)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')
    .toWellFormed()
  const isCut = masked.length > TEXT_MAX || text.length > SEARCHED_MAX
  return isCut ? `${masked.slice(0, TEXT_MAX).toWellFormed()}…` : masked
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
}

/** A provider's sentence may repeat what we sent: in quotes, or as a word that no sentence needs. */
function withoutRepeated(sentence: string): string {
  return sentence
    .replaceAll(QUOTED, MASK)
    .replaceAll(/[^\s,;:()]+/g, (word) => (isTelling(word) ? MASK : word))
}

/** E-mail addresses, numbers of three digits, longer words with a digit, and words longer than those of a language. */
function isTelling(word: string): boolean {
  const digits = word.match(/\p{Nd}/gu)?.length ?? 0
  return word.includes('@') || digits >= 3 || (digits > 0 && word.length >= 6) || word.length > WORD_MAX
}

/** Stands for a value that is not shown. It tells the kind, and the length of a text. */
function maskOf(value: unknown): string {
  if (typeof value === 'string') return `${MASK} (${value.length} characters)`
  return `${MASK} (${typeof value})`
}

/** Names that were looked at before: providers use the same few in every payment. */
const plainNames = new Set<string>()
const PLAIN_NAMES_MAX = 2_000

/** Whether a name of a field or parameter, as in `card[number]`, is one. Anything else may be a value in its place. */
function isPlainName(name: string, secrets: readonly string[]): boolean {
  if (!plainNames.has(name)) {
    const parts = name.split(/[[\]]+/).filter((part) => part !== '')
    const isPlain = parts.every((part) => /^[\w.-]{1,64}$/.test(part) && (part.match(/\d/g)?.length ?? 0) < 5)
    if (!isPlain) return false
    if (plainNames.size < PLAIN_NAMES_MAX) plainNames.add(name)
  }
  return !secrets.some((secret) => name.includes(secret))
}

/** What a connector allows transcripts to show. The contract explains the entries. */
export type AllowList = {
  readonly isShown: (name: string, parent: string | undefined, value: string) => boolean
  /** Whether nothing within a field of this name is shown. */
  readonly isClosed: (name: string) => boolean
  /** Whether a word of a path is shown, and what follows it. */
  readonly isWord: (word: string) => boolean
  readonly isNamer: (word: string) => boolean
}

const lists = new WeakMap<AccountManifest, AllowList>()

export function allowListOf(manifest: AccountManifest): AllowList {
  const known = lists.get(manifest)
  if (known) return known
  const list = readAllowList(manifest.shownInTranscripts ?? [])
  lists.set(manifest, list)
  return list
}

function readAllowList(entries: readonly string[]): AllowList {
  const starts = new Map<string, string[]>()
  const words = new Set<string>()
  const namers = new Set<string>()
  const closed = new Set<string>()
  for (const entry of entries) {
    if (entry.startsWith('!')) {
      closed.add(entry.slice(1))
      continue
    }
    const [, word, star] = /^\/([^/]+)(\/\*)?$/.exec(entry) ?? []
    if (word !== undefined) {
      words.add(word)
      if (star) namers.add(word)
      continue
    }
    const [, name = entry, start = ''] = /^([^=]+)=(.+)\*$/.exec(entry) ?? []
    starts.set(name, [...(starts.get(name) ?? []), start])
  }
  const isAllowed = (name: string, value: string) =>
    starts.get(name)?.some((start) => value.startsWith(start)) ?? false
  return {
    isShown: (name, parent, value) =>
      isAllowed(name, value) || (parent !== undefined && isAllowed(`${parent}.${name}`, value)),
    isClosed: (name) => closed.has(name),
    isWord: (word) => words.has(word),
    isNamer: (word) => namers.has(word),
  }
}
