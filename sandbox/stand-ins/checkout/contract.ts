import contract from './contract.json' with { type: 'json' }

/**
 * Checkout.com's published contract as data: names, types, enumerations and limits, without its prose. `contract.json` has
 * them from github.com/checkout/checkout-api-reference and from the types of checkout-sdk-net (both MIT). A line is
 * `names: type`; `!` marks what is required. Whatever is not named is refused.
 */
const SHAPES: Readonly<Record<string, string | readonly string[]>> = contract.shapes
const OPERATIONS: Readonly<Record<string, string>> = contract.operations
/** Events by their source. */
export const EVENTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(contract.events).map(([source, names]) => [source, names.split(' ')]),
)

/** What is wrong with a value, each with the place. */
export type Problem = { readonly place: string; readonly what: 'required' | 'invalid' | 'unknown' }

type Operation = { readonly takes: string; readonly answers: ReadonlyMap<string, string> }

/** Null if the contract has no such operation. */
export function operationFor(method: string, path: string): Operation | null {
  const named = path
    .replace(
      /^(\/(payments|instruments|workflows|network-tokens|reports))\/(?!(?:event-types|search)$)[^/]+(\/files(?=\/))?/,
      '$1/{id}$3',
    )
    .replace(/(\/files)\/[^/]+$/, '$1/{id}')
  const [takes = '', answers = ''] = OPERATIONS[`${method} ${named}`]?.split(' -> ') ?? []
  if (answers === '') return null
  const rows = answers.split(', ').flatMap((row) => {
    const [name = '', ...statuses] = row.split(' ').reverse()
    return statuses.map((status) => [status, name] as const)
  })
  return { takes, answers: new Map(rows) }
}

/** Compares a value with a shape of the contract. */
export function problemsWith(value: unknown, shape: string, place = ''): readonly Problem[] {
  const known = SHAPES[shape]
  if (Array.isArray(known)) return problemsOfObject(value, known, place)
  if (typeof known === 'string') return problemsWith(value, known, place)
  if (shape.includes(' or ')) return problemsOfChoice(value, shape.split(' or '), place)
  const list = /^list of (.+)$/.exec(shape)?.[1]
  const map = /^map of (.+)$/.exec(shape)?.[1]
  if (list && Array.isArray(value)) {
    return value.flatMap((item, index) => problemsWith(item, list, `${place}[${index}]`))
  }
  if (map && isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => problemsWith(item, map, `${place}.${key}`))
  }
  return isSimple(value, shape) ? [] : [{ place, what: 'invalid' }]
}

function problemsOfObject(value: unknown, lines: readonly string[], place: string): readonly Problem[] {
  if (!isObject(value)) return [{ place, what: 'invalid' }]
  const fields = lines.flatMap((line) => {
    const [names = '', type = ''] = line.split(/: (.*)/)
    return names
      .split(' ')
      .map((name) => ({ name: name.replace('!', ''), type, isRequired: name.startsWith('!') }))
  })
  const at = (name: string) => (place === '' ? name : `${place}.${name}`)
  const strangers = Object.keys(value).filter((key) => !fields.some(({ name }) => name === key))
  return [
    ...fields.flatMap(({ name, type, isRequired }): readonly Problem[] => {
      if (value[name] === undefined) return isRequired ? [{ place: at(name), what: 'required' }] : []
      return problemsWith(value[name], type, at(name))
    }),
    ...strangers.map((name): Problem => ({ place: at(name), what: 'unknown' })),
  ]
}

/** The shape whose `type` fits, or the one with the fewest problems. */
function problemsOfChoice(value: unknown, shapes: readonly string[], place: string): readonly Problem[] {
  const found = shapes.map((shape) => problemsWith(value, shape, place))
  return (
    found.find((problems) => problems.length === 0) ??
    found.find((problems) => !problems.some((one) => one.place.endsWith('type'))) ??
    found.toSorted((one, other) => one.length - other.length)[0] ??
    []
  )
}

function isSimple(value: unknown, type: string): boolean {
  const [name = '', limits = ''] = type.split(/ (.*)/)
  const [min = '', max = ''] = limits.split('-')
  switch (name) {
    case 'text':
      return typeof value === 'string' && (limits === '' || isWithin(value.length, min, max))
    case 'integer':
      return Number.isSafeInteger(value) && (limits === '' || isWithin(Number(value), min, max))
    case 'boolean':
      return typeof value === 'boolean'
    case 'list':
      return type === 'list' && Array.isArray(value)
    case 'any':
      return isObject(value)
    case 'metadata':
      return isObject(value) && Object.keys(value).length <= 20 && Object.values(value).every(isPrimitive)
    case '=':
      return value === limits
    default:
      if (type.startsWith('/')) return typeof value === 'string' && new RegExp(type.slice(1, -1)).test(value)
      return type.split(' | ').includes(String(value))
  }
}

function isWithin(number: number, min: string, max: string): boolean {
  return number >= Number(min) && (max === '' || number <= Number(max))
}

function isPrimitive(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 255
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
