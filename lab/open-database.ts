import pg from 'pg'
import { undoable } from './processes.ts'

/** A connection for looking on, apart from those of the services. */
export async function openDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'onlooker' })
  client.on('error', () => {})
  await client.connect()
  undoable(() => client.end())
  return client
}
