import type { Db } from '#platform/database/db.ts'
import { WriteBeside } from '#platform/database/write-beside.ts'
import { insert, type StoredExchange } from './store.ts'

export type ExchangeLog = WriteBeside<StoredExchange>

type Options = {
  readonly db: Db
  readonly retentionDays: number
  readonly onLost: (count: number, error: unknown) => void
}

/** Keeps exchanges beside the payments that they belong to. */
export function openExchangeLog({ db, ...options }: Options): ExchangeLog {
  return new WriteBeside({
    ...options,
    insert: (exchanges) => insert(db, exchanges),
    pauseMs: 250,
    batch: 200,
    waitingMax: 2_000,
  })
}
