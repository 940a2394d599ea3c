import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { ask, startHelper } from '../lab/processes.ts'
import type { Rows } from './list-growth-rows.ts'

/** Making a row takes as long as writing it. Two processes keep two processors busy. */
const PROCESSES = 2

/** Foreign keys are right by construction. Checking each would take longer than writing it. */
export const FILLING_SETTINGS = `set session_replication_role = replica; set synchronous_commit = off;
  set maintenance_work_mem = '512MB'; set timezone = 'UTC'`

export type Work = { readonly kind: 'buyers' | 'transactions'; readonly rows: Rows }
export type Batch = Work & {
  readonly connection: pg.ClientConfig
  readonly first: number
  readonly end: number
}

/** Batches are written nearly in their order, as rows of a service are. */
export async function fillInBatches(
  { host, port, user, password, database }: pg.Client,
  { size, ...work }: Work & { readonly size: number },
  progress: (text: string) => void,
): Promise<void> {
  const connection = { host, port, user, ...(password && { password }), ...(database && { database }) }
  const { count } = work.rows
  let next = 0
  const fill = async () => {
    const filler = startHelper(fileURLToPath(import.meta.resolve('./list-growth-filler.ts')))
    while (next < count) {
      const first = next
      next = Math.min(first + size, count)
      progress(`${work.kind}: ${first} of ${count}`)
      const batch: Batch = { ...work, connection, first, end: next }
      await ask(filler, batch)
    }
    await filler.stop()
  }
  await Promise.all(Array.from({ length: PROCESSES }, fill))
}
