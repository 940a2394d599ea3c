import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { newId } from '#domain/ids.ts'
import { errorCode } from '#platform/database/database-errors.ts'
import type { Db, Scope } from '#platform/database/db.ts'
import { WriteBeside } from '#platform/database/write-beside.ts'
import type { Answer } from '#platform/outgoing/fetch.ts'
import { unreachableReason } from '#platform/outgoing/outgoing.ts'
import { secretsIn } from '../attempts/kept-orders.ts'
import type { PaymentKind } from '../attempts/store.ts'
import { allowListOf, type Rules, scrubRequest, scrubResponse } from './scrub.ts'
import { insert, type StoredExchange } from './store.ts'

/**
 * Writes down what one call of a connector says and hears. It never fails, and the call does not wait for it. The first end
 * of an exchange counts.
 */
export type Transcript = { readonly begin: (asked: Asked) => OpenExchange }

type Asked = {
  readonly url: string
  readonly init: RequestInit | undefined
  readonly order: unknown
  readonly fields: Readonly<Record<string, string>>
}

type OpenExchange = {
  /** The answer begins. */
  readonly begun: (answer: Answer) => void
  /** The answer was read to its end. */
  readonly ended: (body: Buffer | null) => void
  readonly failed: (error: unknown, why: 'timed_out' | 'answer_refused' | null) => void
}

type About = {
  readonly attempt: {
    readonly id: string
    readonly kind: PaymentKind | 'authenticate'
    readonly transaction_id: string
    readonly service_id: string
  }
  readonly purpose: StoredExchange['purpose']
  readonly serviceType: StoredExchange['service_type']
  readonly manifest: AccountManifest
}

/** Shorter ones are found in harmless texts, too. No such value is in a list of what may be shown. */
const SECRET_MIN = 6

/** Undefined if the operator keeps no exchanges. */
export function transcriptOf(scope: Scope, log: ExchangeLog, about: About): Transcript | undefined {
  if (!log.isKept) return undefined
  return { begin: (asked) => beginExchange(scope, log, about, asked) }
}

/** Reads the request at once: when the answer comes, the order's secrets may be overwritten already. */
function beginExchange(scope: Scope, log: ExchangeLog, about: About, asked: Asked): OpenExchange {
  const startedAt = performance.now()
  const now = scope.clock()
  const seen = quietly(log, () => {
    const rules = rulesFor(about.manifest, asked)
    return { rules, request: scrubRequest(asked.url, asked.init, rules) }
  })
  let answer: Answer | null = null
  let isOver = false
  const write = ({ outcome, reason, body }: End) =>
    quietly(log, () => {
      if (!seen || isOver) return
      isOver = true
      log.add({
        ...subjectOf(scope, about),
        id: newId(now.getTime()),
        outcome,
        reason,
        request: seen.request,
        response: answer && scrubResponse(answer, body, seen.rules),
        duration_ms: Math.round(performance.now() - startedAt),
        created_at: now,
      })
    })
  return {
    begun: (response) => {
      answer = response
    },
    ended: (body) => write({ outcome: 'answered', reason: null, body }),
    failed: (error, why) => {
      if (why) return write({ outcome: why, reason: null, body: null })
      write({ ...(answer ? CUT : whyUnanswered(error)), body: null })
    },
  }
}

function subjectOf({ merchantAccountId, requestId }: Scope, { attempt, ...about }: About) {
  return {
    merchant_account_id: merchantAccountId,
    transaction_id: attempt.transaction_id,
    attempt_id: attempt.id,
    operation: attempt.kind,
    purpose: about.purpose,
    service_type: about.serviceType,
    service_id: attempt.service_id,
    service_definition_id: about.manifest.id,
    request_id: requestId,
  }
}

type End = Pick<StoredExchange, 'outcome' | 'reason'> & { readonly body: Buffer | null }

const CUT = { outcome: 'answer_cut', reason: null } as const
const UNANSWERED = { outcome: 'no_answer', reason: null } as const

/** Unless no connection was made, the request may have arrived. */
function whyUnanswered(error: unknown): Omit<End, 'body'> {
  const code = errorCode(error)
  if (/^(ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code)) return UNANSWERED
  const reason = unreachableReason(code)
  return reason ? { outcome: 'no_connection', reason } : UNANSWERED
}

/** A transcript must not break a payment. The error is not repeated: it may contain what was sent. */
function quietly<Result>(log: ExchangeLog, work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    log.lose(new Error('an exchange could not be transcribed'))
    return undefined
  }
}

/** What the merchant keeps from us, and what the order holds, is secret wherever it turns up. */
function rulesFor(manifest: AccountManifest, { order, fields }: Asked): Rules {
  const own = manifest.fields.filter(({ isSecret }) => isSecret).map(({ key }) => fields[key] ?? '')
  const secrets = [...own, ...secretsIn(order)].filter((secret) => secret.length >= SECRET_MIN)
  return { allowed: allowListOf(manifest), secrets }
}

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
