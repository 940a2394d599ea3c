// The floor for storing a card: the same cryptography and the same three inserts in one commit, without checks.
import { createCipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type pg from 'pg'
import { newId } from '#domain/ids.ts'
import { openDatabase } from '#platform/database/open-database.ts'
import type { Statement } from './statements.ts'

export type Fresh = 'id' | 'entryId' | 'token' | 'sealed' | 'fingerprint' | 'now'

/** A statement of the service. A value that differs with each card has a name in `fresh`, at its place in `values`. */
export type Insert = Statement & { readonly fresh: readonly (Fresh | null)[] }

export type StoreCardFloor = {
  readonly connection: pg.PoolConfig
  readonly poolSize: number
  readonly inserts: readonly Insert[]
  /** The additional data of the seal, and where in it the token goes. */
  readonly belongsTo: readonly string[]
  readonly tokenAt: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

process.once('message', (order: StoreCardFloor) => {
  // The service's own pool, which prepares each statement once, with the same session settings.
  const { pool } = openDatabase(order.connection, { poolSize: order.poolSize, onError: () => {} })
  const bytes = Buffer.from(order.body)
  // Random keys cost the same as real ones, and nothing is opened here.
  const keys = { seal: randomBytes(32), fingerprint: randomBytes(32) }
  const server = createServer(async (request, response) => {
    const { number } = JSON.parse(await read(request)) as { number: string }
    await store(pool, order.inserts, freshValues(order, keys, Buffer.from(number)))
    response.writeHead(201, { ...order.headers, 'content-length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address() ?? {}))
})

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(request, 'end')
  return Buffer.concat(chunks).toString()
}

type Keys = { readonly seal: Buffer; readonly fingerprint: Buffer }

function freshValues(
  { belongsTo, tokenAt }: StoreCardFloor,
  keys: Keys,
  number: Buffer,
): Record<Fresh, unknown> {
  const now = new Date()
  const token = randomUUID()
  const sealed = seal(keys.seal, belongsTo.with(tokenAt, token), number)
  const fingerprint = createHmac('sha256', keys.fingerprint).update(number).digest('hex')
  const ids = { id: newId(now.getTime()), entryId: newId(now.getTime()) }
  return { ...ids, token, sealed, fingerprint, now }
}

function seal(key: Buffer, belongsTo: readonly string[], plain: Buffer): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(JSON.stringify(belongsTo)))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

async function store(
  pool: pg.Pool,
  inserts: readonly Insert[],
  values: Readonly<Record<Fresh, unknown>>,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { text, values: fixed, fresh } of inserts) {
      const row = fixed.map((value, at) => (fresh[at] ? values[fresh[at]] : value))
      const { rowCount } = await client.query(text, row)
      if (rowCount !== 1) throw new Error('a row was not stored')
    }
    await client.query('commit')
  } finally {
    client.release()
  }
}
