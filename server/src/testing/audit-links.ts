import { sql } from 'kysely'
import { inTransaction } from '#platform/database/db.ts'
import { createLogger } from '#platform/observability/log.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { readConfig } from '../config.ts'
import { type Foundation, openFoundation } from '../open-foundation.ts'

/** Entries of the audit log that a link lists, or all links beyond one. */
export const ofLink = (position: number) =>
  sql<boolean>`id in (select unnest(entry_ids) from audit_seals where position = ${position})`
export const ofLinksAfter = (position: number) =>
  sql<boolean>`id in (select unnest(entry_ids) from audit_seals where position > ${position})`

function open(env: Record<string, string>): Promise<Foundation> {
  const logger = createLogger('fatal', 'test')
  return openFoundation(readConfig(env), { say: () => {}, logger, isOwner: false })
}

/** Records an entry of an hour ago that no link covers. */
export async function addWaiting(env: Record<string, string>): Promise<void> {
  const foundation = await open(env)
  const clock = () => new Date(foundation.context.clock().getTime() - 3_600_000)
  await inTransaction({ ...foundation.context, clock, merchantAccountId: null }, (tx) =>
    auditLogs.record(tx, 'created', { type: 'thing', id: '1', name: 'Thing' }),
  )
  await foundation.close()
}

/** Makes so many links of one entry each, in the installation with these settings. */
export async function addLinks(env: Record<string, string>, count: number): Promise<void> {
  const foundation = await open(env)
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
