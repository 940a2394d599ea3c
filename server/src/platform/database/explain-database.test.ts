import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { urlOf } from '#testing/database-url.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { explainDatabase } from './database-errors.ts'

/** The message for an operator who names this server. */
async function trouble(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  const error = await client.connect().then(
    () => undefined,
    (cause: unknown) => cause,
  )
  await client.end().catch(() => {})
  return String((explainDatabase(error) as Error).message)
}

/** A server without TLS that refuses all connections for one reason. */
async function refusing(code: string): Promise<number> {
  const field = (type: string, text: string) => `${type}${text}\0`
  const body = Buffer.from(`${field('S', 'FATAL')}${field('C', code)}${field('M', 'refused')}\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  const refuse = (socket: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const isTlsAsked = data.length === 8
      if (isTlsAsked) socket.write('N')
      else socket.end(Buffer.concat([Buffer.from('E'), length, body]))
    })
  }
  const server = createServer(refuse)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

test('a missing database', async () => {
  const connection = await cloneDatabase()

  const message = await trouble(urlOf({ ...connection, database: 'nowhere' }))

  expect(message).toBe(
    'There is no such database on the server. Create it, or correct the name in DATABASE_URL.',
  )
})

test.each([
  ['28P01', 'The database refuses the user or the password. Check both in DATABASE_URL.'],
  ['28000', 'The database does not admit this user or this machine. Check the user in DATABASE_URL'],
  ['42501', 'The user in DATABASE_URL may not create schemas and tables'],
  ['53300', 'The database has no connection left. Lower DATABASE_POOL_SIZE'],
  ['57P03', 'The database cannot be reached. Check DATABASE_URL'],
])('a server that refuses with %s', async (code, expected) => {
  const port = await refusing(code)

  expect(await trouble(`postgres://anna:wrong@127.0.0.1:${port}/payments`)).toContain(expected)
})

test('a server without TLS, where TLS is asked for', async () => {
  const port = await refusing('28P01')

  const message = await trouble(`postgres://anna@127.0.0.1:${port}/payments?sslmode=require`)

  expect(message).toMatch(/^The database server has no TLS, and DATABASE_URL asks for it[.]/)
})

test('a host without an address, and one where nothing listens', async () => {
  expect(await trouble('postgres://anna@no-such-host.invalid/payments')).toMatch(/^The host in DATABASE_URL /)
  expect(await trouble('postgres://anna@127.0.0.1:1/payments')).toMatch(/^The database cannot be reached[.]/)
})

test('other errors stay as they are', () => {
  const error = new Error('something else')

  expect(explainDatabase(error)).toBe(error)
})
