import type pg from 'pg'
import { newReference } from '../reference.ts'
import * as store from '../store.ts'
import * as batches from './batches.ts'
import type { FileFault } from './file-faults.ts'
import { exchangeOf } from './rates.ts'

const DAY_MS = 24 * 3_600_000
/** Each day is closed at two o'clock in the night after it, UTC. */
const CLOSES_MS = 2 * 3_600_000
/** How many entries one commit puts into their batches. */
const PAGE = 5_000

type Office = { readonly pool: pg.Pool; readonly clock: () => Date }

/** What the merchant has asked for. */
export type Terms = {
  readonly merchantId: string
  /** Null: what buyers pay in. */
  readonly settlementCurrency: string | null
  readonly fault: FileFault | null
}

/**
 * Puts what has ended before the last closing time into batches, a day at a time. Each commit is a page, and another
 * call continues after a crash. An entry whose commit comes after the closing of its day is in the next batch: all that
 * counts is that it has none yet.
 */
export async function closeDue({ pool, clock }: Office, terms: Terms): Promise<void> {
  const now = clock()
  if (terms.fault !== 'missing_day') await batches.release(pool, terms.merchantId, now)
  while ((await store.inTransaction(pool, (tx) => closePage(tx, terms, now))) === 'more');
}

async function closePage(tx: store.Tx, terms: Terms, now: Date): Promise<'more' | 'done'> {
  const { merchantId } = terms
  const { closedUntil, closing } = await batches.lockClosing(tx, merchantId)
  const first = closing ? null : await store.firstToSettle(tx, merchantId)
  const until = closing ?? (first && closingAfter(Math.max(first.getTime(), closedUntil.getTime())))
  if (!until || until > now) return 'done'
  const entries = await store.listToSettle(tx, { merchantId, until, limit: PAGE })
  const day = dayOf(until)
  for (const [currency, group] of Map.groupBy(entries, (entry) => entry.currency)) {
    const exchange = exchangeOf(currency, terms.settlementCurrency ?? currency)
    const id = await batches.open(tx, {
      id: newReference(until),
      merchantId,
      currency,
      day,
      settlementCurrency: exchange ? (terms.settlementCurrency ?? currency) : currency,
      exchange,
      fault: terms.fault,
    })
    const references = group.map(({ reference }) => reference)
    await store.putIntoBatch(tx, { batchId: id, references })
  }
  if (entries.length === PAGE) {
    await batches.noteClosing(tx, merchantId, until)
  } else {
    await batches.publish(tx, merchantId, day, until)
    await batches.noteClosed(tx, merchantId, until)
  }
  return 'more'
}

/** When a file may be published next. Null: the merchant decides, who has asked for a file to be missing. */
export async function nextFileAt({ pool, clock }: Office, merchantId: string): Promise<Date | null> {
  const now = clock()
  const { isHeldBack, publishedAt } = await batches.findNext(pool, merchantId, now)
  if (isHeldBack) return null
  const closing = closingAfter(now.getTime())
  return publishedAt && publishedAt < closing ? publishedAt : closing
}

/** The first closing time after a moment. What ends at the very time belongs to the next day. */
function closingAfter(at: number): Date {
  const days = Math.floor((at - CLOSES_MS) / DAY_MS) + 1
  return new Date(days * DAY_MS + CLOSES_MS)
}

/** The day that ends with a closing time. */
function dayOf(until: Date): string {
  return new Date(until.getTime() - DAY_MS).toISOString().slice(0, 10)
}
