import type { Context } from '#platform/db.ts'
import type { Secrets } from '#platform/secrets.ts'
import { type Head, textOf } from './head.ts'
import { isWhole } from './seal.ts'
import * as auditLogs from './store.ts'

const SEALS_AT_ONCE = 100
/** Sealing runs every few seconds. An older entry was added later by hand, or no worker runs. */
const UNSEALED_MAX_MS = 60_000

export type Verdict = {
  readonly isConsistent: boolean
  readonly seals: number
  readonly entries: number
  /** Note it elsewhere: with it, a later check also finds a chain that was cut. */
  readonly head: string
  readonly problem: string | null
  /** The chain is valid, but an entry should be part of it by now. */
  readonly stale: string | null
}

type Walk = { readonly seals: number; readonly entries: number; readonly last: Head | undefined }

/**
 * Recomputes the chain from the first entry, and names the first link that does not fit. A cut chain fits, so
 * the chain must also contain every expected head, and entries about existing records.
 */
export async function verifyChain(
  context: Context,
  secrets: Secrets,
  expected: readonly Head[] = [],
): Promise<Verdict> {
  const missing = new Set(expected.map(textOf))
  const { problem, ...walk } = await walkChain(context, secrets, (head) => missing.delete(textOf(head)))
  const [absent] = missing
  const found =
    problem ??
    (absent === undefined ? null : `the chain does not contain the head ${absent}`) ??
    (await traceOfRemoval(context, walk)) ??
    (await loose(context))
  const stale = await staleEntry(context)
  return {
    isConsistent: found === null && stale === null,
    seals: walk.seals,
    entries: walk.entries,
    head: textOf(walk.last),
    problem: found,
    stale,
  }
}

async function walkChain(
  context: Context,
  secrets: Secrets,
  onLink: (head: Head) => void,
): Promise<Walk & { readonly problem: string | null }> {
  let seals = 0
  let entries = 0
  let last: Head | undefined
  for (;;) {
    const batch = await auditLogs.sealsAfter(context, seals, SEALS_AT_ONCE)
    for (const seal of batch) {
      const covered = await auditLogs.entriesOf(context, seal)
      const problem = problemOf(secrets, { seal, covered, before: last })
      if (problem !== null) return { seals, entries, last, problem }
      seals = seal.position
      entries += covered.length
      last = seal
      onLink(seal)
    }
    if (batch.length < SEALS_AT_ONCE) return { seals, entries, last, problem: null }
  }
}

type Link = {
  readonly seal: auditLogs.Seal
  readonly covered: readonly auditLogs.Entry[]
  readonly before: Head | undefined
}

/** Why a link does not fit its entries and the link before it. Null if it does. */
export function problemOf(secrets: Secrets, { seal, covered, before }: Link): string | null {
  const { position, entryCount } = seal
  const due = (before?.position ?? 0) + 1
  if (position !== due) return `link ${due} is missing`
  if (covered.length !== entryCount) {
    return `link ${position} covered ${entryCount} entries and now has ${covered.length}`
  }
  if (covered.length === 0) return `link ${position} has lost all its entries`
  if (isWhole(secrets, seal, before?.hash, covered)) return null
  return `link ${position} does not fit its entries (${covered[0]?.id} to ${covered.at(-1)?.id})`
}

/** Traces of a careless cut. A careful one is found only with a head that was kept elsewhere. */
export async function traceOfRemoval(
  context: Context,
  { seals }: Pick<Walk, 'seals'>,
): Promise<string | null> {
  const beyond = await auditLogs.findBeyond(context, seals)
  if (beyond) return `entry ${beyond.id} was sealed by link ${beyond.seal_position}, which is missing`
  const lost = await auditLogs.findLoose(context)
  if (lost !== undefined) return `entry ${lost} is part of no link`
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

/** Entries that were put between others. Counting them takes a while, so a check of a part of the chain leaves it out. */
async function loose(context: Context): Promise<string | null> {
  const count = await auditLogs.countLoose(context)
  return count <= 0 ? null : `${count} more entries than its links cover`
}

/** Names an entry that should have been sealed by now, if there is one. */
export async function staleEntry(context: Context): Promise<string | null> {
  const [oldest] = await auditLogs.unsealed(context, 1)
  if (!oldest || context.clock().getTime() - oldest.created_at.getTime() < UNSEALED_MAX_MS) return null
  return `entry ${oldest.id} of ${oldest.created_at.toISOString()} is not sealed; is a worker running?`
}
