/** Common words at the end of filter names, and our own endings. */
const ENDS: Readonly<Record<string, string>> = {
  after: 'gte',
  from: 'gte',
  gt: 'gte',
  min: 'gte',
  since: 'gte',
  start: 'gte',
  before: 'lte',
  end: 'lte',
  lt: 'lte',
  max: 'lte',
  to: 'lte',
  until: 'lte',
}
const NAMES_MAX = 5
const LENGTH_MAX = 60

/**
 * The known names that the caller probably meant: the longer ones that begin with the wrong one (`amount` →
 * `amount_eq`), otherwise the most similar one. Empty if nothing is similar.
 */
export function nearestNames(wrong: string, known: readonly string[]): readonly string[] {
  if (wrong.length > LENGTH_MAX) return []
  const words = wordsOf(wrong)
  const name = words.join('_')
  if (known.includes(`${name}_eq`)) return [`${name}_eq`]
  const longer = known.filter((candidate) => candidate.startsWith(`${name}_`)).toSorted()
  if (longer.length > 0 && longer.length <= NAMES_MAX) return longer
  const inside = known.filter((candidate) => isInside(words, candidate.split('_')))
  const near = (inside.length > 0 ? inside : known.filter((candidate) => isAsLong(name, candidate)))
    .map((candidate) => ({ candidate, steps: distance(name, candidate) }))
    .filter(({ candidate, steps }) => inside.length > 0 || steps <= stepsAllowed(candidate))
    .toSorted((a, b) => a.steps - b.steps)
  return near.slice(0, 1).map(({ candidate }) => candidate)
}

/** “Did you mean …?”, or nothing. */
export function suggestion(names: readonly string[]): string {
  if (names.length === 0) return ''
  const last = names.at(-1)
  const list = names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`
  return `; did you mean ${list}?`
}

/** In our spelling: `createdAfter`, `created-after` and `created_after` are the same name. */
function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const end = ENDS[words.at(-1) ?? '']
  return end !== undefined && words.length > 1 ? [...words.slice(0, -1), end] : words
}

/** Whether all the words are in the candidate, in their order: `created_gte` is in `created_at_gte`. */
function isInside(words: readonly string[], candidate: readonly string[]): boolean {
  if (words.length < 2) return false
  let at = 0
  for (const word of candidate) if (word === words[at]) at += 1
  return at === words.length
}

/** Names whose lengths differ by more steps than are allowed need not be compared. */
function isAsLong(name: string, candidate: string): boolean {
  return Math.abs(name.length - candidate.length) <= stepsAllowed(candidate)
}

function stepsAllowed(name: string): number {
  return name.length < 5 ? 1 : Math.min(3, Math.floor(name.length / 3))
}

/**
 * How many letters must be added, removed, changed, or swapped with their neighbour (Damerau and
 * Levenshtein).
 */
export function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_item, index) => index)]
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const changed = at(rows, i - 1, j - 1) + (isSame ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? at(rows, i - 2, j - 2) + 1 : changed
      row.push(Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, changed, swapped))
    }
    rows.push(row)
  }
  return at(rows, from.length, to.length)
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0
}
