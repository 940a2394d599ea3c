import pg from 'pg'
import { undoable } from './processes.ts'

/**
 * A connection for looking on, apart from those of the services. What it writes is what time or a person does, so the triggers of the
 * model do not judge it (`server/src/testing/model/guard.ts`). Not every role may say so, but those of guarded databases may.
 */
export async function openDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'onlooker' })
  client.on('error', () => {})
  await client.connect()
  await client.query('set session_replication_role = replica').catch(() => {})
  undoable(() => client.end())
  return client
}
