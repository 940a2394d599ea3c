import { maskNumbers } from '#platform/observability/mask.ts'
import type { AllowList } from './allow-list.ts'
import { isPlainName, maskOf, shownText } from './scrub-text.ts'

/** `content` is null if the body cannot be read, or is too long to be shown. */
export type ShownBody = {
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
export function scrubBody(body: unknown, contentType: string | null, rules: Rules): ShownBody | null {
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
export function scrubForm(form: URLSearchParams, rules: Rules): Record<string, unknown> {
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
