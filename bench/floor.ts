// The floor for a request: the same statements in the same commits, without checks and decisions.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type pg from 'pg'
import { newId } from '#domain/ids.ts'
import { openDatabase } from '#platform/database/open-database.ts'

export type Value =
  | { readonly kind: 'time'; readonly inMs: number }
  | { readonly kind: 'bytes'; readonly base64: string }
  /** Contains ids. Each repetition replaces an id by the same new one everywhere. */
  | { readonly kind: 'ids'; readonly value: string | readonly string[]; readonly fresh: readonly string[] }
  | { readonly kind: 'key'; readonly length: number }
  | { readonly kind: 'fixed'; readonly value: unknown }

export type Step = {
  readonly isTransaction: boolean
  readonly statements: readonly { readonly text: string; readonly values: readonly Value[] }[]
}

export type Replay = {
  readonly connection: pg.PoolConfig
  readonly poolSize: number
  readonly steps: readonly Step[]
  readonly status: number
  readonly body: string
}

process.once('message', ({ connection, poolSize, steps, status, body }: Replay) => {
  // The service's own pool, which prepares each statement once, with the same session settings.
  const { pool } = openDatabase(connection, { poolSize, onError: () => {} })
  const bytes = Buffer.from(body)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
      await repeat(pool, steps)
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes.length,
      })
      response.end(bytes)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address() ?? {}))
})

async function repeat(pool: pg.Pool, steps: readonly Step[]): Promise<void> {
  const now = Date.now()
  const ids = new Map<string, string>()
  const keys = new Map<number, string>()
  const fill = (value: Value): unknown => {
    switch (value.kind) {
      case 'time':
        return new Date(now + value.inMs).toISOString()
      case 'bytes':
        return Buffer.from(value.base64, 'base64')
      case 'key':
        return take(keys, value.length, () =>
          randomBytes(value.length).toString('base64url').slice(0, value.length),
        )
      case 'ids': {
        const renew = (text: string) =>
          value.fresh.reduce((changed, id) => changed.replaceAll(id, take(ids, id, newId)), text)
        return typeof value.value === 'string' ? renew(value.value) : value.value.map(renew)
      }
      default:
        return value.value
    }
  }
  for (const { isTransaction, statements } of steps) {
    const client = await pool.connect()
    try {
      if (isTransaction) await client.query('begin')
      for (const { text, values } of statements) await client.query(text, values.map(fill))
      if (isTransaction) await client.query('commit')
    } finally {
      client.release()
    }
  }
}

function take<Key>(known: Map<Key, string>, key: Key, make: () => string): string {
  const found = known.get(key) ?? make()
  known.set(key, found)
  return found
}
