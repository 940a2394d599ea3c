import { type ApiError, errors } from './errors.ts'
import { distance } from './nearest-name.ts'

const LENGTH_MAX = 200
const PREFIX = /^\/(?:api|v\d+(?:\.\d+)?)(?=\/)/

/**
 * 404 for an unknown path, with the one that the caller probably meant. Paths are public: `/openapi.json` has
 * them.
 */
export function noSuchPath(path: string, known: readonly string[]): ApiError {
  return errors.noSuchPath(`there is no such path${hint(path.slice(0, LENGTH_MAX), known)}`)
}

function hint(path: string, known: readonly string[]): string {
  const bare = path.replace(/\/+$/, '')
  const exact = find(bare, known, 0)
  if (exact && bare !== path) return `: paths have no slash at the end; use ${exact}`
  const withoutPrefix = bare.replace(PREFIX, '').replace(PREFIX, '')
  const unversioned = withoutPrefix === bare ? undefined : find(withoutPrefix, known, 0)
  if (unversioned) return `: paths have no version and no prefix; use ${unversioned}`
  const near = find(withoutPrefix, known, 3)
  return near ? `; did you mean ${near}?` : '; see /docs for those that exist'
}

/**
 * The most similar known path, with at most this many differing letters in each word. An id may be anything.
 */
function find(path: string, known: readonly string[], stepsMax: number): string | undefined {
  const words = path.split('/')
  const [nearest] = known
    .map((url) => ({ url, steps: stepsBetween(words, url.split('/'), stepsMax) }))
    .filter(({ steps }) => steps !== undefined)
    .toSorted((a, b) => (a.steps ?? 0) - (b.steps ?? 0))
  return nearest?.url.replaceAll(/:(\w+)/g, '{$1}')
}

function stepsBetween(
  words: readonly string[],
  url: readonly string[],
  stepsMax: number,
): number | undefined {
  if (words.length !== url.length) return undefined
  let steps = 0
  for (const [index, part] of url.entries()) {
    const word = words[index] ?? ''
    if (part.startsWith(':')) {
      if (word === '') return undefined
      // Prefer a path whose words match to one with an id.
      steps += 0.5
      continue
    }
    const apart = word === part ? 0 : distance(word.toLowerCase(), part)
    if (apart > Math.min(stepsMax, Math.floor(part.length / 3))) return undefined
    steps += apart
  }
  return steps
}
