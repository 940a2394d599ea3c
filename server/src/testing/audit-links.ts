import { sql } from 'kysely'
import { inTransaction } from '#platform/db.ts'
import { createLogger } from '#platform/log.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { readConfig } from '../config.ts'
import { openFoundation } from '../open-foundation.ts'

/** Entries of the audit log that a link lists, or all links beyond one. */
export const ofLink = (position: number) =>
  sql<boolean>`id in (select unnest(entry_ids) from audit_seals where position = ${position})`
export const ofLinksAfter = (position: number) =>
  sql<boolean>`id in (select unnest(entry_ids) from audit_seals where position > ${position})`

/** Makes so many links of one entry each, in the installation with these settings. */
export async function addLinks(env: Record<string, string>, count: number): Promise<void> {
  const logger = createLogger('fatal', 'test')
  const foundation = await openFoundation(readConfig(env), { say: () => {}, logger, isOwner: false })
  const { context, sealer } = foundation
  for (let link = 0; link < count; link += 1) {
    const resource = { type: 'thing', id: `${link}`, name: 'Thing' }
    await inTransaction(context, (tx) =>
      auditLogs.record({ ...tx, merchantAccountId: null }, 'created', resource),
    )
    await sealer.seal(context)
  }
  await foundation.close()
}
