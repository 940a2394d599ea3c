import pg from 'pg'
import { type Batch, FILLING_SETTINGS } from './fill-in-batches.ts'
import { addBuyers } from './list-growth-buyers.ts'
import { addTransactions } from './list-growth-transactions.ts'

const ADD = { buyers: addBuyers, transactions: addTransactions }

let client: pg.Client | undefined

process.on('message', async ({ connection, kind, rows, first, end }: Batch) => {
  client ??= await open(connection)
  await ADD[kind](client, rows, first, end)
  process.send?.({ isWritten: true })
})

async function open(connection: pg.ClientConfig): Promise<pg.Client> {
  const opened = new pg.Client(connection)
  await opened.connect()
  await opened.query(FILLING_SETTINGS)
  return opened
}
