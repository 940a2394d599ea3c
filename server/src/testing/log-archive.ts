import { type Context, inTransaction } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { listApplied, listTables } from '#platform/portable/tables.ts'
import { type ArchivedLog, archiveLog } from '#resources/archives/audit-log/archive.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { TestService } from './harness.ts'

const DAY_MS = 86_400_000
/** As many links stay in the database, however old they are. */
export const KEPT = 100

/** An entry with a link of its own. */
export async function addLink(
  { context, secrets }: TestService,
  number: number,
  type = 'thing',
): Promise<void> {
  await inTransaction(context, (tx) =>
    auditLogs.record({ ...tx, merchantAccountId: 'default' }, 'created', {
      type,
      id: `${type}-${number}`,
      name: `Jane ${number}`,
    }),
  )
  await new Sealer(secrets, null).seal(context)
}

/** A chain with a few links more than those that stay. */
export async function addChain(service: TestService, old: number): Promise<void> {
  const last = await auditLogs.lastPosition(service.context)
  for (let link = last; link < KEPT + old; link += 1) await addLink(service, link)
}

export function afterDays({ context }: TestService, days: number): Context {
  return { ...context, clock: () => new Date(context.clock().getTime() + days * DAY_MS) }
}

type Archiving = { readonly days: number; readonly isDryRun: boolean; readonly storage: FileStorage }

export async function archiveAfter(
  service: TestService,
  { days, isDryRun, storage }: Archiving,
): Promise<ArchivedLog> {
  const { database, secrets } = service
  const context = afterDays(service, days)
  const needs = {
    context,
    secrets,
    storage,
    tables: await listTables(database.pool),
    migrations: await listApplied(database.pool),
    programVersion: 'test',
    onFile: () => {},
  }
  return archiveLog(needs, { before: context.clock().toISOString().slice(0, 7), isDryRun })
}
