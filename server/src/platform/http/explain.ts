import type { ErrorObject } from 'ajv'
import { REDIRECT_URL_EXPECTED } from '#domain/redirect-url.ts'
import { maskNumbers } from '../observability/mask.ts'
import type { DetailType, ErrorDetail } from './errors.ts'
import { nearestNames, suggestion } from './nearest-name.ts'
import { REDIRECT_URL } from './schemas.ts'

type Location = ErrorDetail['location']

/** The part of a schema that is meant for people. `expected` completes “must be …”, with an example. */
type Explained = {
  readonly expected?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

/** What is wrong, and what to send instead. Messages never repeat the value: it may be a card number. */
export function explain(location: Location, error: ErrorObject, isSuggesting: boolean): ErrorDetail {
  const { keyword, params, instancePath: pointer } = error
  if (keyword === 'required') {
    const at = child(pointer, params['missingProperty'])
    return { location, pointer: at, type: 'value_error.missing', message: 'field required' }
  }
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const message = unknownField(name, isSuggesting ? Object.keys(schemaOf(error).properties ?? {}) : [])
    return { location, pointer: child(pointer, name), type: 'value_error.extra', message }
  }
  const name = nameOf(error)
  if (name !== undefined) {
    const message = `the name ${sentenceAbout(location, error)}`
    return { location, pointer: child(pointer, name), type: typeOf(error), message }
  }
  return { location, pointer, type: typeOf(error), message: sentenceAbout(location, error) }
}

/** The name that is wrong, if it is the name of a field and not its value. */
function nameOf({ propertyName, params }: ErrorObject): string | undefined {
  return propertyName ?? params['propertyName']
}

export function unknownField(name: string, known: readonly string[]): string {
  return `unknown field${suggestion(nearestNames(name, known))}`
}

/** No field has a longer name. What is longer may be a key that was pasted into the wrong place, and is not repeated. */
const NAME_MAX = 60
const NAME_SHOWN = 10

/** The pointer to a field below another pointer. */
export function child(pointer: string, name: string): string {
  const shown = name.length > NAME_MAX ? `${name.slice(0, NAME_SHOWN)}…` : name
  return `${pointer}/${maskNumbers(shown).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const BY_KEYWORD: Readonly<Record<string, DetailType>> = {
  const: 'value_error.const',
  enum: 'type_error.enum',
  pattern: 'value_error.str.regex',
  minLength: 'value_error.any_str.min_length',
  maxLength: 'value_error.any_str.max_length',
  minimum: 'value_error.number.not_ge',
  maximum: 'value_error.number.not_le',
  minItems: 'value_error.list.min_items',
  maxItems: 'value_error.list.max_items',
  maxProperties: 'value_error.list.max_items',
  maxBytes: 'value_error.any_str.max_length',
  uniqueItems: 'value_error.duplicate',
}

const BY_TYPE: Readonly<Record<string, { readonly type: DetailType; readonly words: string }>> = {
  integer: { type: 'type_error.integer', words: 'a whole number' },
  number: { type: 'type_error.integer', words: 'a number' },
  string: { type: 'type_error.string', words: 'text' },
  boolean: { type: 'type_error.bool', words: 'true or false' },
  array: { type: 'type_error.array', words: 'a list' },
  object: { type: 'type_error.object', words: 'an object' },
}

const BY_FORMAT: Readonly<Record<string, { readonly type: DetailType; readonly words: string }>> = {
  uuid: { type: 'type_error.uuid', words: 'a UUID, such as 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001' },
  'date-time': {
    type: 'type_error.datetime',
    words: 'a date and time with its time zone, such as 2026-11-15T09:30:00Z',
  },
  date: { type: 'value_error.str.regex', words: 'a date, such as 2026-11-15' },
  [REDIRECT_URL]: { type: 'value_error.url', words: REDIRECT_URL_EXPECTED },
  uri: { type: 'value_error.url', words: 'an absolute URL, such as https://shop.example.com/back' },
}

function typeOf({ keyword, params }: ErrorObject): DetailType {
  if (keyword === 'type') return BY_TYPE[mainTypeOf(params)]?.type ?? 'type_error.object'
  if (keyword === 'format') return BY_FORMAT[params['format']]?.type ?? 'value_error.str.regex'
  return BY_KEYWORD[keyword] ?? 'value_error.str.regex'
}

function sentenceAbout(location: Location, error: ErrorObject): string {
  const { keyword, params } = error
  const { expected, pattern } = schemaOf(error)
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'type':
      return `must be ${typeWords(params)}${expected === undefined ? '' : `: ${expected}`}`
    case 'format':
      return formatSentence(location, String(params['format']), error.data)
    case 'pattern':
      return expected === undefined ? 'has the wrong format' : `must be ${expected}`
    case 'enum':
      return `must be one of ${[params['allowedValues']]
        .flat()
        .filter((value) => value !== null)
        .join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'minLength':
    case 'maxLength':
      if (pattern !== undefined && expected !== undefined) return `must be ${expected}`
      return lengthSentence(keyword, limit)
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minItems':
      return `must have at least ${entries(limit)}`
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${entries(limit)}`
    case 'maxBytes':
      return `must have at most ${Number(error.schema)} bytes in all, written as JSON`
    case 'uniqueItems':
      return 'must not hold the same entry twice'
    default:
      return 'is not valid'
  }
}

function lengthSentence(keyword: 'minLength' | 'maxLength', limit: number): string {
  if (keyword === 'maxLength') return `must have at most ${limit} characters`
  return limit === 1
    ? 'must not be empty: send text, or leave it out'
    : `must have at least ${limit} characters`
}

function entries(limit: number): string {
  return limit === 1 ? '1 entry' : `${limit} entries`
}

/** A plus in a query means a space unless it is encoded. Most time zones are lost that way. */
function formatSentence(location: Location, format: string, data: unknown): string {
  const words = BY_FORMAT[format]?.words ?? `a valid ${format}`
  const isPlusLost =
    location === 'query' && format === 'date-time' && typeof data === 'string' && data.includes(' ')
  return isPlusLost ? `must be ${words}; in a URL, write + as %2B` : `must be ${words}`
}

function typeWords(params: ErrorObject['params']): string {
  const words = BY_TYPE[mainTypeOf(params)]?.words ?? 'an object'
  return [params['type']].flat().includes('null') ? `${words} or null` : words
}

function mainTypeOf(params: ErrorObject['params']): string {
  return [params['type']].flat().find((type) => type !== 'null') ?? 'object'
}

/** The schema that refused. The validator gives it, as it is verbose. */
function schemaOf({ parentSchema }: ErrorObject): Explained {
  return (parentSchema ?? {}) as Explained
}
