import type { AccountManifest } from '#connectors/contract/manifest.ts'

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
