import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { BrokenFile } from '#platform/portable/format.ts'
import { type Archived, checkArchived } from './archived/check.ts'
import type { WrittenLinks } from './archived/store.ts'
import { type Head, textOf } from './head.ts'
import { foreignEntry, isOurs, isWhole } from './seal.ts'
import * as auditLogs from './store.ts'

const SEALS_AT_ONCE = 100
/** Entries that wait are read so many at a time. */
const WAITING_AT_ONCE = 1_000
/** Sealing runs every few seconds. If an entry waits for longer, no worker runs. */
const UNSEALED_MAX_MS = 60_000

export type Verdict = {
  readonly isConsistent: boolean
  readonly seals: number
  readonly entries: number
  /** Note it elsewhere: with it, a later check also finds a chain that was cut. */
  readonly head: string
  readonly problem: string | null
  /** The chain is valid, and entries with codes that fit should be part of it by now. */
  readonly stale: string | null
  /** How many files have the beginning of the chain. */
  readonly archived: number
  /** Those that were not at hand, so that their links were not checked. */
  readonly unread: readonly WrittenLinks[]
}

/** What was checked, and the last link of it. */
type Walk = { readonly seals: number; readonly entries: number; readonly last: Head | undefined }

/** Reads the links in an archived file. Undefined if the file is not at hand. */
type ReadFile = (links: WrittenLinks) => Promise<readonly Omit<Link, 'before'>[] | undefined>

type Expected = {
  /** Heads that were noted elsewhere: the chain must contain them. */
  readonly heads?: readonly Head[]
  readonly readFile?: ReadFile
}

/**
 * Recomputes the chain from the first entry, and names the first link that does not fit. A cut chain fits, so
 * the chain must also contain every expected head, and entries about existing records.
 */
export function verifyChain(
  context: Context,
  secrets: Secrets,
  { heads = [], readFile = async () => undefined }: Expected = {},
): Promise<Verdict> {
  return steadily(context, secrets, async (archived) => {
    const missing = new Set(heads.map(textOf))
    const onLink = (head: Head) => missing.delete(textOf(head))
    const files = await walkFiles(secrets, archived, { readFile, onLink })
    const { problem, ...walk } =
      files.problem === null ? await walkChain(context, secrets, { start: files, onLink }) : files
    const found =
      problem ??
      problemOfHead(heads.find((head) => missing.has(textOf(head))) ?? null, files) ??
      (await traceOfRemoval(context, { end: archived.end, last: walk.last })) ??
      (await foreignAmongWaiting(context, secrets))
    return {
      isConsistent: found === null,
      seals: walk.seals,
      entries: walk.entries,
      head: textOf(walk.last),
      problem: found,
      stale: await staleEntries(context),
      archived: archived.all.length,
      unread: files.unread,
    }
  })
}

/** `switchyard archive audit-log` may move links while they are read. Then they are looked for again. */
export async function steadily<Found extends { readonly problem: string | null }>(
  context: Context,
  secrets: Secrets,
  check: (archived: Archived) => Promise<Found>,
): Promise<Found> {
  for (;;) {
    const archived = await checkArchived(context, secrets)
    const found = await check(archived)
    if (found.problem === null) return found
    const { end } = await checkArchived(context, secrets)
    if (end?.position === archived.end?.position) return found
  }
}

type Problem = { readonly problem: string | null }
type Files = Walk & Problem & { readonly unread: readonly WrittenLinks[] }
type Steps = { readonly readFile: ReadFile; readonly onLink: (head: Head) => void }

/** The links that are in files. Of a file that is not at hand, the record stands for its links. */
async function walkFiles(
  secrets: Secrets,
  { all, end, problem }: Archived,
  { readFile, onLink }: Steps,
): Promise<Files> {
  let walk: Walk = { seals: 0, entries: 0, last: undefined }
  const unread: WrittenLinks[] = []
  if (problem !== null) return { ...walk, last: end, problem, unread }
  for (const links of all) {
    const read = await readFile(links).catch(brokenFile)
    if (typeof read === 'string') return { ...walk, problem: read, unread }
    if (!read) unread.push(links)
    for (const { seal, covered } of read ?? []) {
      const broken = problemOf(secrets, { seal, covered, before: walk.last })
      if (broken !== null) return { ...walk, problem: `${broken}, in ${links.file}`, unread }
      walk = { seals: walk.seals + 1, entries: walk.entries + covered.length, last: seal }
      onLink(seal)
    }
    if (read && !walk.last?.hash.equals(links.last.hash)) {
      return { ...walk, problem: `${links.file} does not end with the link on record`, unread }
    }
    walk = { ...walk, last: links.last }
    onLink(links.last)
  }
  return { ...walk, problem: null, unread }
}

function brokenFile(error: unknown): string {
  if (error instanceof BrokenFile) return error.message
  throw error
}

function problemOfHead(absent: Head | null, { unread }: Files): string | null {
  if (!absent) return null
  const file = unread.find(({ first, last }) => first <= absent.position && absent.position < last.position)
  return file
    ? `the head ${textOf(absent)} is in ${file.file}, which is not at hand: name its folder with --folder`
    : `the chain does not contain the head ${textOf(absent)}`
}

type Start = { readonly start: Walk; readonly onLink: (head: Head) => void }

async function walkChain(
  context: Context,
  secrets: Secrets,
  { start, onLink }: Start,
): Promise<Walk & Problem> {
  let { seals, entries, last } = start
  let after: string | null = null
  for (;;) {
    const batch = await auditLogs.sealsAfter(context, last?.position ?? 0, SEALS_AT_ONCE)
    const ids: string[] = []
    for (const seal of batch) {
      const { covered, problem } = await checkLink(context, secrets, { seal, before: last })
      if (problem !== null) return { seals, entries, last, problem }
      seals += 1
      entries += covered.length
      last = seal
      for (const { id } of covered) ids.push(id)
      onLink(seal)
    }
    const isEnd = batch.length < SEALS_AT_ONCE
    const until = newestOf(ids, after)
    const loose = await looseEntry(context, { after, until: isEnd ? null : until, listed: ids })
    if (loose !== null || isEnd) return { seals, entries, last, problem: loose }
    after = until
  }
}

export function newestOf(ids: readonly string[], known: string | null): string | null {
  return ids.reduce<string | null>((newest, id) => (newest === null || id > newest ? id : newest), known)
}

/** Names an entry among those of some links that no link covers: it was put between others. */
export async function looseEntry(
  context: Context,
  stretch: Parameters<typeof auditLogs.findLoose>[1],
): Promise<string | null> {
  const id = await auditLogs.findLoose(context, stretch)
  return id === undefined ? null : `entry ${id} is part of no link`
}

type Link = {
  readonly seal: auditLogs.Seal
  readonly covered: readonly auditLogs.Entry[]
  readonly before: Head | undefined
}

type CheckedLink = { readonly covered: readonly auditLogs.Entry[]; readonly problem: string | null }

/**
 * Checks a link and its entries. A name may be taken out of an entry between the reading of the two: so before the link is called
 * broken, both are read again, at one moment.
 */
export async function checkLink(
  context: Context,
  secrets: Secrets,
  { seal, before }: Pick<Link, 'seal' | 'before'>,
): Promise<CheckedLink> {
  const covered = await auditLogs.entriesOf(context, seal)
  if (problemOf(secrets, { seal, covered, before }) === null) return { covered, problem: null }
  return context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const now = await auditLogs.findSeal({ db }, seal.position)
      if (!now) return { covered: [], problem: `link ${seal.position} is missing` }
      const entries = await auditLogs.entriesOf({ db }, now)
      return { covered: entries, problem: problemOf(secrets, { seal: now, covered: entries, before }) }
    })
}

/** Why a link does not fit its entries and the link before it. Null if it does. */
function problemOf(secrets: Secrets, { seal, covered, before }: Link): string | null {
  const { position, listed } = seal
  const due = (before?.position ?? 0) + 1
  if (position !== due) return `link ${due} is missing`
  if (covered.length !== listed.length) {
    return `link ${position} covered ${listed.length} entries and now has ${covered.length}`
  }
  if (covered.length === 0) return `link ${position} has lost all its entries`
  if (isWhole(secrets, seal, before?.hash, covered)) return null
  return `link ${position} does not fit its entries (${covered[0]?.id} to ${covered.at(-1)?.id})`
}

/** Traces of a careless cut. A careful one is found only with a head that was kept elsewhere. */
export async function traceOfRemoval(
  context: Context,
  { end, last }: { readonly end: Head | undefined; readonly last: Head | undefined },
): Promise<string | null> {
  const seals = last?.position ?? 0
  const below = await auditLogs.findBelow(context, end?.position ?? 0)
  if (below !== undefined) return `link ${below} stands in the database, and was never there or is in a file`
  if (end && seals === end.position) return 'the links behind its archived files are gone'
  const gone = await auditLogs.findGone(context)
  if (gone !== undefined) return `entry ${gone} is gone; no link covered it yet`
  // In this order: an installation may be used for the first time between the two checks.
  if (
    seals === 0 &&
    (await auditLogs.isUsed(context)) &&
    (await auditLogs.unsealed(context, 1)).length === 0
  ) {
    return 'it is empty, and this installation has been used'
  }
  const untold = await auditLogs.findUntold(context)
  return untold === undefined ? null : `${untold} exists, and no entry records its creation`
}

/** Names an entry that waits for a link, and was not recorded by this service as it is. */
export async function foreignAmongWaiting(context: Context, secrets: Secrets): Promise<string | null> {
  for (let after: string | undefined; ; ) {
    const waiting = await auditLogs.unsealed(context, WAITING_AT_ONCE, after)
    const foreign = waiting.find((entry) => !isOurs(secrets, entry))
    if (foreign) return foreignEntry(foreign)
    if (waiting.length < WAITING_AT_ONCE) return null
    after = waiting.at(-1)?.id
  }
}

/** Tells of entries that should have been sealed by now, if there are some. */
export async function staleEntries(context: Context): Promise<string | null> {
  const [oldest] = await auditLogs.unsealed(context, 1)
  if (!oldest || context.clock().getTime() - oldest.created_at.getTime() < UNSEALED_MAX_MS) return null
  const count = await auditLogs.countWaiting(context)
  const entries = count === 1 ? '1 entry is' : `${count} entries are`
  return `${entries} not sealed yet, the oldest (${oldest.id}) since ${oldest.created_at.toISOString()}. Is a worker running?`
}
