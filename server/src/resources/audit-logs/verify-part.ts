import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Archived } from './archived/check.ts'
import { type Head, readHead, textOf } from './head.ts'
import type { AuditLogVerification, VerificationFilters } from './schemas.ts'
import * as auditLogs from './store.ts'
import {
  checkLink,
  foreignAmongWaiting,
  looseEntry,
  newestOf,
  staleEntries,
  steadily,
  traceOfRemoval,
} from './verify.ts'

const LINKS_AT_ONCE = 100
/** A request reads no more than this, and the links of the last batch. */
const ENTRIES_MAX = 20_000

/** Checks a part of the chain, so that one request takes seconds, however long the chain is. */
export async function verifyPart(
  context: Context,
  secrets: Secrets,
  callerReach: Reach,
  filters: VerificationFilters,
): Promise<AuditLogVerification> {
  if (callerReach !== 'all') throw forAllAccounts()
  return steadily(context, secrets, (archived) => verifyFrom(context, secrets, { ...filters, archived }))
}

type Wanted = VerificationFilters & { readonly archived: Archived }

async function verifyFrom(
  context: Context,
  secrets: Secrets,
  { after, links, archived }: Wanted,
): Promise<AuditLogVerification> {
  const start = archived.problem ?? (await findStart(context, after, archived))
  if (typeof start === 'string') return answer(context, NOTHING, { problem: start, brokenLink: null })
  const archivedLinks = archived.end?.position ?? 0
  const part = { ...(await walk(context, secrets, { start, links })), archivedLinks }
  if (part.problem !== null || part.isMore) return answer(context, part, part)
  const problem =
    (await traceOfRemoval(context, { end: archived.end, last: part.head })) ??
    (await foreignAmongWaiting(context, secrets))
  return answer(context, part, { problem, brokenLink: null })
}

type Part = {
  readonly archivedLinks: number
  readonly links: number
  readonly entries: number
  readonly firstAt: Date | null
  readonly lastAt: Date | null
  readonly head: Head | undefined
  readonly isMore: boolean
}

const NOTHING: Part = {
  archivedLinks: 0,
  links: 0,
  entries: 0,
  firstAt: null,
  lastAt: null,
  head: undefined,
  isMore: false,
}

/** The link to begin behind. A text says why there is none. */
async function findStart(
  context: Context,
  after: string | undefined,
  { end }: Archived,
): Promise<Head | undefined | string> {
  const head = after === undefined ? undefined : readHead(after)
  if (head === 'unreadable') {
    throw errors.invalid({
      location: 'query',
      pointer: '/after',
      type: 'value_error.str.regex',
      message: 'must be a head as an earlier check gave it: a number, a colon and 64 hex digits',
    })
  }
  // The links before it are in files.
  if (!head || (head.position === end?.position && head.hash.equals(end.hash))) return end
  if (end && head.position < end.position) throw inFile(end)
  const seal = await auditLogs.findSeal(context, head.position)
  return seal?.hash.equals(head.hash) ? seal : `the chain does not contain the head ${textOf(head)}`
}

type Found = { readonly problem: string | null; readonly brokenLink: number | null }

async function walk(
  context: Context,
  secrets: Secrets,
  { start, links }: { readonly start: Head | undefined; readonly links: number },
): Promise<Part & Found> {
  let part: Part = { ...NOTHING, head: start }
  const after = await newestIn(context, start)
  const listed: string[] = []
  for (;;) {
    const limit = Math.min(LINKS_AT_ONCE, links - part.links)
    const batch = await auditLogs.sealsAfter(context, part.head?.position ?? 0, limit)
    for (const seal of batch) {
      const { covered, problem } = await checkLink(context, secrets, { seal, before: part.head })
      const brokenLink = (part.head?.position ?? 0) + 1
      if (problem !== null) return { ...part, problem, brokenLink }
      part = {
        ...part,
        links: part.links + 1,
        entries: part.entries + covered.length,
        firstAt: part.firstAt ?? covered[0]?.created_at ?? null,
        lastAt: covered.at(-1)?.created_at ?? part.lastAt,
        head: seal,
      }
      for (const { id } of covered) listed.push(id)
    }
    const isEnd = batch.length < limit
    if (isEnd || part.links >= links || part.entries >= ENTRIES_MAX) {
      const [next] = isEnd ? [] : await auditLogs.sealsAfter(context, part.head?.position ?? 0, 1)
      const until = next ? newestOf(listed, after) : null
      const problem = await looseEntry(context, { after, until, listed })
      return { ...part, isMore: next !== undefined, problem, brokenLink: null }
    }
  }
}

/** Of the link before a part. Null: nothing in the database is before it. */
async function newestIn(context: Context, start: Head | undefined): Promise<string | null> {
  const seal = start && (await auditLogs.findSeal(context, start.position))
  return seal ? newestOf(seal.listed, null) : null
}

async function answer(
  context: Context,
  { archivedLinks, links, entries, firstAt, lastAt, head, isMore }: Part,
  { problem, brokenLink }: Found,
): Promise<AuditLogVerification> {
  return {
    type: 'audit-log-verification',
    status: problem !== null ? 'broken' : isMore ? 'incomplete' : 'intact',
    checked_links: links,
    checked_entries: entries,
    archived_links: archivedLinks,
    first_entry_at: firstAt?.toISOString() ?? null,
    last_entry_at: lastAt?.toISOString() ?? null,
    head: textOf(head),
    next: problem === null && isMore ? textOf(head) : null,
    problem,
    broken_link: brokenLink,
    stale: await staleEntries(context),
    checked_at: context.clock().toISOString(),
  }
}

function inFile(end: Head) {
  return errors.invalid({
    location: 'query',
    pointer: '/after',
    type: 'value_error.conflict',
    message: `links up to ${end.position} are archived: leave this out to begin behind them, or ask the operator to run "switchyard verify"`,
  })
}

function forAllAccounts() {
  return errors.forbidden({
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.conflict',
    message: 'use a caller for all merchant accounts: the chain covers all of them',
  })
}
