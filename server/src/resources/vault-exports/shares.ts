import { randomBytes } from 'node:crypto'
import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    vault_export_shares: { holder: string; digest: Buffer; created_at: Date }
  }
}

const SHARE_BYTES = 32
/** How long a new share waits in production. One who makes two of them alone is seen in the audit log meanwhile. */
const WAITING_MS = 24 * 3_600_000
const TYPE = 'vault-export-share'
const HOLDERS_NEEDED = 2

/** Cards may not be written out. Says what is missing. */
export class NotAgreed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotAgreed'
  }
}

/** A new share, which is shown this once. The holder's former one is no longer good. */
export async function makeShare(context: Context, holder: string): Promise<string> {
  const share = randomBytes(SHARE_BYTES).toString('base64url')
  const digest = digestOf(context, share)
  await inTransaction(context, async (tx) => {
    const created_at = tx.clock()
    await tx.db
      .insertInto('vault_export_shares')
      .values({ holder, digest, created_at })
      .onConflict((conflict) => conflict.column('holder').doUpdateSet({ digest, created_at }))
      .execute()
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', {
      type: TYPE,
      id: holder,
      name: holder,
    })
  })
  return share
}

export async function removeShare(context: Context, holder: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('vault_export_shares')
      .where('holder', '=', holder)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', {
      type: TYPE,
      id: holder,
      name: holder,
    })
    return true
  })
}

/** The names of the two people whose shares these are. Throws `NotAgreed` if they are not those of two. */
export async function holdersOf(
  context: Context,
  shares: readonly string[],
  environment: 'sandbox' | 'production',
): Promise<string[]> {
  const known = await context.db
    .selectFrom('vault_export_shares')
    .select(['holder', 'digest', 'created_at'])
    .execute()
  const found = shares.map((share) => {
    const digest = digestOf(context, share.trim())
    return known.find((one) => one.digest.equals(digest))
  })
  const holders = [...new Set(found.flatMap((one) => one?.holder ?? []))]
  if (found.includes(undefined))
    throw new NotAgreed('One of the shares is not known, or was replaced by a newer one.')
  if (holders.length < HOLDERS_NEEDED)
    throw new NotAgreed('Two people have to agree: give the shares of two different holders.')
  const young = found.find((one) => one && environment === 'production' && isYoung(context, one.created_at))
  if (!young) return holders
  const from = new Date(young.created_at.getTime() + WAITING_MS).toISOString()
  throw new NotAgreed(`The share of ${young.holder} is good from ${from} on, a day after it was made.`)
}

function isYoung({ clock }: Context, madeAt: Date): boolean {
  return clock().getTime() - madeAt.getTime() < WAITING_MS
}

function digestOf({ mac }: Context, share: string): Buffer {
  return mac('vault-export-share', share)
}
