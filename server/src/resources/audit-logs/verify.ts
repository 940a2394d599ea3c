import type { Context } from '../../platform/db.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { linkHash } from './seal.ts'
import * as auditLogs from './store.ts'

const SEALS_AT_ONCE = 100
/** Sealing runs every few seconds; an entry older than this was added behind its back, or no worker runs. */
const UNSEALED_MAX_MS = 60_000

export type Verdict = {
  readonly isIntact: boolean
  readonly seals: number
  readonly entries: number
  /** Note it elsewhere: with it, a later check also notices a chain that was cut short. */
  readonly head: string
  readonly problem: string | null
}

/** Recomputes the chain from the first entry and names the first link that does not fit. */
export async function verifyChain(
  context: Context,
  secrets: Secrets,
  expectedHead?: string,
): Promise<Verdict> {
  let seals = 0
  let entries = 0
  let before: Buffer | undefined
  let hasPassedExpected = expectedHead === undefined
  const verdict = (problem: string | null): Verdict => ({
    isIntact: problem === null,
    seals,
    entries,
    head: headOf(seals, before),
    problem,
  })
  for (;;) {
    const batch = await auditLogs.sealsAfter(context, seals, SEALS_AT_ONCE)
    for (const seal of batch) {
      if (seal.position !== seals + 1) return verdict(`link ${seals + 1} is missing`)
      const covered = await auditLogs.entriesOf(context, seal.position)
      if (covered.length !== seal.entryCount) {
        return verdict(
          `link ${seal.position} covered ${seal.entryCount} entries and now has ${covered.length}`,
        )
      }
      if (!linkHash(secrets, seal.position, before, covered).equals(seal.hash)) {
        const range = `${covered[0]?.id} to ${covered.at(-1)?.id}`
        return verdict(`link ${seal.position} does not fit its entries (${range})`)
      }
      seals = seal.position
      entries += covered.length
      before = seal.hash
      hasPassedExpected ||= headOf(seals, before) === expectedHead
    }
    if (batch.length < SEALS_AT_ONCE) break
  }
  if (!hasPassedExpected) return verdict(`the chain does not contain the head ${expectedHead}`)
  return verdict(await staleEntry(context))
}

/** Says which entry should have been sealed by now, if there is one. */
export async function staleEntry(context: Context): Promise<string | null> {
  const [oldest] = await auditLogs.unsealed(context, 1)
  if (!oldest || context.clock().getTime() - oldest.created_at.getTime() < UNSEALED_MAX_MS) return null
  return `entry ${oldest.id} of ${oldest.created_at.toISOString()} is not sealed; is a worker running?`
}

function headOf(position: number, hash: Buffer | undefined): string {
  return `${position}:${hash?.toString('hex') ?? ''}`
}
