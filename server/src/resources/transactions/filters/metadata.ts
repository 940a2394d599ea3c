import { type DetailType, errors } from '#platform/http/errors.ts'

/** All pairs of the given objects. If a key is given twice, the last value counts. */
export function readMetadata(items: readonly string[]): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const item of items) {
    const found = parse(item)
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      throw refuse('type_error.object', 'must be a JSON object')
    }
    for (const [key, value] of Object.entries(found)) {
      if (typeof value !== 'string') throw refuse('type_error.string', 'must have only text as values')
      pairs.set(key, value)
    }
  }
  return pairs
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('value_error.jsondecode', 'must be JSON, such as {"key":"value"}, URL encoded')
  }
}

function refuse(type: DetailType, message: string) {
  return errors.invalid({ location: 'query', pointer: '/metadata', type, message })
}
