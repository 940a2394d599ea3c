import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { checkArchived, proofOf } from '#resources/audit-logs/archived/check.ts'
import * as archived from '#resources/audit-logs/archived/store.ts'
import type { Head } from '#resources/audit-logs/head.ts'
import { redactBuyers } from '#resources/audit-logs/redact.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { checkLink } from '#resources/audit-logs/verify.ts'
import { beginningOf, type Month } from '../months.ts'
import { type Archiving, moveToFile, tableNamed } from '../move.ts'
import * as archives from '../store.ts'
import type { FiledLink } from './links-in-file.ts'

export type ArchivingLog = Archiving & {
  readonly secrets: Secrets
  /** Hears of each file. */
  readonly onFile: (month: Month, entries: number) => void
}

export type LogTally = {
  readonly month: Month
  links: number
  entries: number
  files: number
  size: number
}

export type ArchivedLog = {
  readonly tallies: readonly LogTally[]
  /** Why no more links were moved, if there is a reason besides their age. */
  readonly stopped: 'restored' | 'changed' | null
}

/** Entries stay at hand for so long, as PCI DSS asks. */
const KEPT_MS = 90 * 86_400_000
/** The newest links stay, however old they are: new ones are made from them, and compared with them. */
const KEPT_LINKS = 100
/** A log that was brought back is left alone for this long: it is needed. */
const RESTORED_MS = 30 * 86_400_000
/** Links are read so many at a time. */
const LINKS_AT_ONCE = 100
/** A file holds no more than this, and the entries of its last link. */
const ENTRIES_AT_ONCE = 20_000

type Wanted = { readonly before: Month; readonly isDryRun: boolean }

/** Moves the oldest links of the audit log, with their entries, to files. The rest of the chain goes on from them. */
export function archiveLog(needs: ArchivingLog, { before, isDryRun }: Wanted): Promise<ArchivedLog> {
  const { context, secrets } = needs
  return archives.alone(context, async () => {
    if (!isDryRun) await abandonUnfinished(needs)
    const { end, problem } = await checkArchived(context, secrets)
    if (problem !== null) throw notIntact(problem)
    const now = context.clock().getTime()
    if (await archived.isRestoredSince(context, new Date(now - RESTORED_MS)))
      return { tallies: [], stopped: 'restored' }
    const until = new Date(Math.min(beginningOf(before).getTime(), now - KEPT_MS))
    const tallies = new Map<Month, LogTally>()
    for (let head = end; ; ) {
      const links = await nextLinks(needs, head, until)
      const last = links.at(-1)?.seal
      if (!last) return { tallies: [...tallies.values()], stopped: null }
      const size = isDryRun ? 0 : await moveLinks(needs, links)
      if (size === undefined) return { tallies: [...tallies.values()], stopped: 'changed' }
      count(tallies, links, size)
      head = last
    }
  })
}

/** What a killed command has left: its links are all in the database, so its file counts for nothing. */
async function abandonUnfinished({ context, storage }: ArchivingLog): Promise<void> {
  const place = await storage.place()
  for (const { id, file, stored_in } of await archived.unfinished(context)) {
    if (!(await archived.change(context, id, { from: 'writing', to: 'abandoned' }))) continue
    if (stored_in !== place) continue
    await storage.discard(file)
    await storage.remove(file)
  }
}

/** The next links for one file: all of one month, and whole. */
async function nextLinks(
  needs: ArchivingLog,
  head: Head | undefined,
  until: Date,
): Promise<readonly FiledLink[]> {
  const { context, secrets } = needs
  const end = (await auditLogs.lastPosition(context)) - KEPT_LINKS
  const links: FiledLink[] = []
  let entries = 0
  for (let before = head; ; ) {
    const batch = await auditLogs.sealsAfter(context, before?.position ?? 0, LINKS_AT_ONCE)
    for (const seal of batch) {
      const { covered, problem } = await checkLink(context, secrets, { seal, before })
      if (problem !== null) throw notIntact(problem)
      if (seal.position > end) return links
      const isOfMonth = links[0] === undefined || monthOf(links[0]) === monthOf({ covered })
      if (newestOf(covered) >= until || !isOfMonth) return links
      links.push({ seal, covered })
      entries += covered.length
      if (entries >= ENTRIES_AT_ONCE) return links
      before = seal
    }
    if (batch.length < LINKS_AT_ONCE) return links
  }
}

function newestOf(covered: readonly auditLogs.Entry[]): Date {
  return covered.at(-1)?.created_at ?? new Date(0)
}

function monthOf({ covered }: Pick<FiledLink, 'covered'>): Month {
  return newestOf(covered).toISOString().slice(0, 7)
}

function notIntact(problem: string): Error {
  return new Error(
    `The audit log is not intact: ${problem}. The links from there on were not moved. Find out more with: switchyard verify`,
  )
}

/** Returns the size of the file. Undefined: a name was taken out of a link meanwhile, and the links stay. */
async function moveLinks(needs: ArchivingLog, links: readonly FiledLink[]): Promise<number | undefined> {
  const { context, secrets, storage, tables } = needs
  await storage.checkRoom()
  await redactBuyers(
    context,
    secrets,
    links.map(({ seal, covered }) => ({ position: seal.position, covered })),
  )
  const recorded = await describe(needs, links)
  const { id, file, month, first, last } = recorded
  await archived.begin(context, recorded)
  const range = sql`between ${first}::bigint and ${last.position}::bigint`
  const listed = links.flatMap(({ seal }) => seal.listed)
  const shares = [
    { table: tableNamed(tables, 'audit_seals'), where: sql`own.position ${range}` },
    { table: tableNamed(tables, 'audit_logs'), where: sql`own.id = any(${listed}::uuid[])` },
  ]
  const stored = await moveToFile(needs, {
    id,
    file,
    month,
    merchantAccountId: null,
    shares,
    lock: (tx) => auditLogs.lockSeals(tx, first, last.position),
    record: async (tx, { sha256, size }) => {
      const written = { sha256, size, proof: proofOf(secrets, { ...recorded, sha256, size }) }
      if (!(await archived.change(tx, id, { from: 'writing', to: 'archived', written }))) return false
      const resource = { type: 'archive', id, name: file }
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', resource)
      return true
    },
    abandon: () => archived.change(context, id, { from: 'writing', to: 'abandoned' }),
  })
  if (stored) needs.onFile(month, recorded.entries)
  return stored?.size
}

async function describe(
  { context, storage }: ArchivingLog,
  links: readonly FiledLink[],
): Promise<archived.ArchivedLinks> {
  const [first, last] = [links[0], links.at(-1)]
  if (!first || !last) throw new Error('there is no link to move')
  const month = monthOf(first)
  const id = newId(context.clock().getTime())
  const entries = links.flatMap(({ covered }) => covered)
  return {
    id,
    month,
    file: `${month}.audit-log.${id}.gz`,
    stored_in: await storage.place(),
    first: first.seal.position,
    last: { position: last.seal.position, hash: last.seal.hash },
    entries: entries.length,
    told: entries.flatMap((entry) => auditLogs.toldBy(entry) ?? []),
  }
}

function count(tallies: Map<Month, LogTally>, links: readonly FiledLink[], size: number): void {
  const month = links[0] ? monthOf(links[0]) : ''
  const tally = tallies.get(month) ?? { month, links: 0, entries: 0, files: 0, size: 0 }
  tally.links += links.length
  tally.entries += links.reduce((sum, { covered }) => sum + covered.length, 0)
  if (size > 0) tally.files += 1
  tally.size += size
  tallies.set(month, tally)
}
