import { restartIds } from '#domain/ids.ts'
import { listTables } from '#platform/portable/tables.ts'
import { FILLED, searchDatabase } from './database-server.ts'
import type { TestService } from './harness.ts'

/**
 * Notes the rows and the clock of a service. The function that it returns puts both back. So tests that change what others count on
 * can share a service, and what it took to fill it.
 */
export async function keepRows(service: TestService): Promise<() => Promise<void>> {
  const { pool } = service.database
  const query = async (text: string) => (await pool.query<{ name: string }>(text)).rows
  const columnsOf = new Map(
    (await listTables(pool)).map(({ name, columns }) => [name, columns.map((column) => column.name).join()]),
  )
  const filled = async () => (await query(FILLED)).filter(({ name }) => columnsOf.has(name))
  const kept = (name: string) => `kept."${name}"`

  await writeBehind(service)
  const copied = (await filled()).map(({ name }) => name)
  await query(
    ['create schema kept', ...copied.map((name) => `create table ${kept(name)} as table ${name}`)].join(';'),
  )
  const aheadMs = aheadOf(service)
  return async () => {
    await writeBehind(service)
    const [{ name: database } = { name: '' }] = await query('select current_database() as name')
    const found = await searchDatabase(database, query)
    if (found !== undefined) throw new Error(found)
    // As a replica does: no trigger runs, and rows come in any order.
    await query(
      [
        'begin; set local session_replication_role = replica',
        ...(await filled()).map(({ name }) => `delete from ${name}`),
        ...copied.map((name) => {
          const columns = columnsOf.get(name)
          return `insert into ${name} (${columns}) overriding system value select ${columns} from ${kept(name)}`
        }),
        'commit',
      ].join(';'),
    )
    restartIds()
    service.moveClock(aheadMs - aheadOf(service))
  }
}

/** What the service writes after it has answered. */
async function writeBehind({ engine, apiLog }: TestService): Promise<void> {
  await engine.afterwards.done()
  await Promise.all([engine.exchanges.flush(), engine.scores.flush(), apiLog.flush()])
}

const aheadOf = ({ context }: TestService) =>
  Math.round((context.clock().getTime() - Date.now()) / 1_000) * 1_000
