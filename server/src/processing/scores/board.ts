import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Db, Scope } from '#platform/database/db.ts'
import { WriteBeside } from '#platform/database/write-beside.ts'
import type { Fees } from '../costs/cost.ts'
import * as costs from '../costs/store.ts'
import { added, type Paid, type Score, scoreOf, segmentsOf } from './score.ts'
import * as store from './store.ts'

/** The scores of an account, as this process knows them. */
export type Scores = {
  readonly find: (serviceId: string, segment: string) => Score | undefined
  /** What the service has charged for settled payments. */
  readonly findFees: (serviceId: string, segment: string) => Fees | undefined
  /** Whether a payment may try a service that is set aside. Says yes to one payment of this process in 30 seconds. */
  readonly mayProbe: (serviceId: string) => boolean
}

export const NO_SCORES: Scores = {
  find: () => undefined,
  findFees: () => undefined,
  mayProbe: () => false,
}

type Known = {
  readonly scores: Map<string, Score>
  readonly fees: Map<string, Fees>
  readonly probedAt: Map<string, number>
  readAtMs: number
  reading: Promise<void> | null
}

type Options = {
  readonly db: Db
  readonly onLost: (count: number, error: unknown) => void
}

/** How long a process goes on with what it knows before it reads what others have learned. */
const FRESH_MS = 2_000
const PROBE_MS = 30_000
/** More accounts than this share the memory: the one that paid least recently is read again. */
const ACCOUNTS_MAX = 1_000

/**
 * What payments teach about payment services. Each process learns at once, and writes what it has learned beside the payments:
 * none of them waits for it. What the last second taught is lost if the process is killed.
 */
export class Scoreboard {
  readonly #db: Db
  readonly #beside: WriteBeside<store.StoredScore>
  readonly #known = new Map<string, Known>()

  constructor({ db, onLost }: Options) {
    this.#db = db
    this.#beside = new WriteBeside({
      insert: (learned) => store.add(db, summed(learned)),
      pauseMs: 1_000,
      batch: 3_000,
      waitingMax: 30_000,
      onLost,
    })
  }

  /** Takes an answer of a service into account, if it tells something of the service. */
  learn({ merchantAccountId, clock }: Scope, { serviceId, paid, answer }: Taught): void {
    const lesson = lessonOf(answer)
    if (lesson === null) return
    const score = scoreOf(lesson === 'success', clock())
    const known = this.#known.get(merchantAccountId)
    for (const segment of segmentsOf(paid)) {
      this.#beside.add({
        ...score,
        merchant_account_id: merchantAccountId,
        payment_service_id: serviceId,
        segment,
      })
      const key = keyOf(serviceId, segment)
      known?.scores.set(key, added(known.scores.get(key) ?? null, score))
    }
  }

  /** Waits for the database only for an account that is new to this process. */
  async of(scope: Scope): Promise<Scores> {
    const known = this.#take(scope.merchantAccountId)
    if (performance.now() - known.readAtMs > FRESH_MS) {
      known.reading ??= this.#read(scope, known).finally(() => {
        known.reading = null
      })
      // If the database does not answer, then the payment itself will say so.
      if (known.readAtMs === Number.NEGATIVE_INFINITY) await known.reading
      else known.reading.catch(() => undefined)
    }
    return {
      find: (serviceId, segment) => known.scores.get(keyOf(serviceId, segment)),
      findFees: (serviceId, segment) => known.fees.get(keyOf(serviceId, segment)),
      mayProbe: (serviceId) => mayProbe(known, serviceId),
    }
  }

  flush(): Promise<void> {
    return this.#beside.flush()
  }

  #take(merchantAccountId: string): Known {
    const known = this.#known.get(merchantAccountId) ?? {
      scores: new Map(),
      fees: new Map(),
      probedAt: new Map(),
      readAtMs: Number.NEGATIVE_INFINITY,
      reading: null,
    }
    this.#known.delete(merchantAccountId)
    this.#known.set(merchantAccountId, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > ACCOUNTS_MAX && oldest !== undefined) this.#known.delete(oldest)
    return known
  }

  async #read(scope: Scope, known: Known): Promise<void> {
    await this.#beside.flush()
    const rows = await store.listOf({ ...scope, db: this.#db })
    const settled = await costs.listOf({ ...scope, db: this.#db })
    known.scores.clear()
    for (const { payment_service_id, segment, ...score } of rows)
      known.scores.set(keyOf(payment_service_id, segment), score)
    known.fees.clear()
    for (const { payment_service_id, segment, ...fees } of settled)
      known.fees.set(keyOf(payment_service_id, segment), fees)
    known.readAtMs = performance.now()
  }
}

type Taught = { readonly serviceId: string; readonly paid: Paid; readonly answer: SyncAnswer }

function keyOf(serviceId: string, segment: string): string {
  return `${serviceId} ${segment}`
}

function mayProbe({ probedAt }: Known, serviceId: string): boolean {
  const now = performance.now()
  if (now - (probedAt.get(serviceId) ?? Number.NEGATIVE_INFINITY) < PROBE_MS) return false
  probedAt.set(serviceId, now)
  return true
}

/** One row for each segment of a service, in the order in which it was learned. */
function summed(learned: readonly store.StoredScore[]): store.StoredScore[] {
  const sums = new Map<string, store.StoredScore>()
  for (const one of learned) {
    const key = `${one.merchant_account_id} ${keyOf(one.payment_service_id, one.segment)}`
    sums.set(key, { ...one, ...added(sums.get(key) ?? null, one) })
  }
  return [...sums.values()]
}

/**
 * What an answer tells of the service itself. Null: nothing. Every service refuses an empty account or a wrong code, so only
 * refusals that another service may not give count as failures. A lost answer is a failure, too.
 */
export function lessonOf(answer: SyncAnswer): 'success' | 'failure' | null {
  switch (answer.outcome) {
    case 'approved':
      return 'success'
    case 'unknown':
    case 'not_found':
      return 'failure'
    case 'declined':
    case 'failed':
      return answer.isRetriable ? 'failure' : null
    case 'pending':
    case 'approval_required':
      return null
  }
}
