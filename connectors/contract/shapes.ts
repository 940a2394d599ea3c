/**
 * What is wrong with a value, as sentences that name the place and what belongs there. They never repeat the value: it may
 * be a secret.
 */
export type Shape = (value: unknown, place: string) => readonly string[]

const RIGHT: readonly string[] = []

function must(isRight: (value: unknown) => boolean, expected: string): Shape {
  return (value, place) => (isRight(value) ? RIGHT : [`${place} must be ${expected}`])
}

/** The database stores no NUL, and its indexes no text that is much longer. */
const TEXT_MAX = 500

export function text({ max = TEXT_MAX, mayBeEmpty = false } = {}): Shape {
  return must(
    (value) =>
      typeof value === 'string' &&
      value.length <= max &&
      (mayBeEmpty || value.trim() !== '') &&
      !value.includes('\0'),
    `a text${mayBeEmpty ? '' : ' that is not empty'}, of at most ${max} characters and without NUL`,
  )
}

export function matching(pattern: RegExp, expected: string): Shape {
  return must((value) => typeof value === 'string' && pattern.test(value), expected)
}

export function oneOf(values: readonly unknown[]): Shape {
  return must((value) => values.includes(value), `one of ${values.join(', ')}`)
}

export function wholeNumber(min: number, max: number): Shape {
  return must(
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    `a whole number from ${min} to ${max}`,
  )
}

export const flag: Shape = must((value) => typeof value === 'boolean', 'true or false')
export const aFunction: Shape = must((value) => typeof value === 'function', 'a function')
export const pattern: Shape = must((value) => value instanceof RegExp, 'a regular expression')
export const anObject: Shape = must(isObject, 'an object')
export const moment: Shape = must(
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  'a Date with a valid time',
)
export const webAddress: Shape = must(
  (value) => typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  'an address that begins with http',
)

/** Where a buyer goes: a page, or the app of a bank. Never what a browser would run or open from the disk. */
export const buyersAddress: Shape = must(
  (value) =>
    typeof value === 'string' &&
    !/^(javascript|data|vbscript|file|blob|about):$/.test(URL.parse(value)?.protocol ?? 'about:'),
  'the address of a page or of an app',
)

export function orNull(shape: Shape): Shape {
  return (value, place) => (value === null ? RIGHT : shape(value, place))
}

export function optional(shape: Shape): Shape {
  return (value, place) => (value === undefined ? RIGHT : shape(value, place))
}

export function listOf(shape: Shape): Shape {
  return (value, place) => {
    if (!Array.isArray(value)) return [`${place} must be a list`]
    return value.flatMap((item, index) => shape(item, `${place}[${index}]`))
  }
}

export function mapOf(shape: Shape): Shape {
  return (value, place) => {
    if (!isObject(value)) return [`${place} must be an object`]
    return Object.entries(value).flatMap(([key, item]) => shape(item, `${place}.${key}`))
  }
}

type Fields = Readonly<Record<string, Shape>>

/** An object that may hold more than its fields. */
export function record(fields: Fields): Shape {
  return (value, place) => {
    if (!isObject(value)) return [`${place} must be an object`]
    return Object.entries(fields).flatMap(([key, shape]) => shape(value[key], `${place}.${key}`))
  }
}

/** An object that holds nothing else: a misspelt name must not be ignored. */
export function exactly(fields: Fields): Shape {
  const known = Object.keys(fields)
  return (value, place) => {
    if (!isObject(value)) return [`${place} must be an object`]
    const strangers = Object.keys(value).filter((key) => !known.includes(key))
    return [
      ...record(fields)(value, place),
      ...strangers.map((key) => `${place}.${key} is not in the contract, which has ${known.join(', ')}`),
    ]
  }
}

/** An object whose shape one of its fields decides. */
export function oneShapeBy(key: string, shapes: Fields): Shape {
  return (value, place) => {
    if (!isObject(value)) return [`${place} must be an object`]
    const shape =
      typeof value[key] === 'string' ? Object.entries(shapes).find(([name]) => name === value[key]) : null
    return shape ? shape[1](value, place) : oneOf(Object.keys(shapes))(undefined, `${place}.${key}`)
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
