// The receiver of forwarded requests, and the floor for forwarding: a server that commits one row and passes the request on.
import { randomUUID } from 'node:crypto'
import { Agent, createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'

const ANSWER = JSON.stringify({ booking: 'B-1' })

process.once('message', async (connection: pg.PoolConfig) => {
  const pool = new pg.Pool({ ...connection, max: 10 })
  await pool.query('create table bench_forwards (id uuid primary key)')
  const receiver = createServer((incoming, response) => {
    incoming
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER))
  })
  const to = { host: '127.0.0.1', port: await listen(receiver), path: '/', method: 'POST' }
  const agent = new Agent({ keepAlive: true })
  const floor = createServer(async (incoming, response) => {
    const body = await text(incoming)
    await pool.query({ name: 'mark', text: 'insert into bench_forwards values ($1)', values: [randomUUID()] })
    const sent = send({ ...to, agent }, async (answer) => {
      response.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' })
      response.end(await text(answer))
    })
    sent.end(body)
  })
  process.send?.({ receiver: to.port, floor: await listen(floor) })
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
