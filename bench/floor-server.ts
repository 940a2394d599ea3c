// The floor for a list: the same prepared query, then an answer that is ready to send.
import { createServer } from 'node:http'
import type pg from 'pg'
import { openDatabase } from '#platform/database/open-database.ts'
import type { Statement } from './statements.ts'

export type Floor = {
  readonly connection: pg.PoolConfig
  readonly poolSize: number
  readonly statement: Statement
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

process.once('message', ({ connection, poolSize, statement, headers, body }: Floor) => {
  // The service's own pool, because a session's settings decide how a prepared query is planned.
  const { pool } = openDatabase(connection, { poolSize, onError: () => {} })
  const query = { name: 'floor', text: statement.text, values: [...statement.values] }
  const bytes = Buffer.from(body)
  const server = createServer(async (_request, response) => {
    const { rowCount } = await pool.query(query)
    response.writeHead(rowCount ? 200 : 500, { ...headers, 'content-length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address() ?? {}))
})
