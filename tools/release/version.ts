import type { Commit } from './commits.ts'

/**
 * The version after `last`, by what the commits say. Below 1.0.0, a breaking change counts as a feature does: it raises
 * the second number. The first release has the version that the manifest names.
 */
export function nextVersion(last: string | null, named: string, commits: readonly Commit[]): string {
  if (last === null) return named
  const [major = 0, minor = 0, patch = 0] = readVersion(last)
  const isBreaking = commits.some(({ breaking }) => breaking !== null)
  if (isBreaking && major > 0) return `${major + 1}.0.0`
  if (isBreaking || commits.some(({ type }) => type === 'feat')) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}

export function readVersion(text: string): readonly number[] {
  const found = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(text)
  if (!found) throw new Error(`"${text}" is not a version such as 1.4.0.`)
  return found.slice(1).map(Number)
}

export function isNewer(version: string, than: string): boolean {
  const [mine, others] = [readVersion(version), readVersion(than)]
  const index = mine.findIndex((number, at) => number !== others[at])
  return index >= 0 && Number(mine[index]) > Number(others[index])
}
