import type { Context } from '#platform/database/db.ts'
import type { Logger } from '#platform/observability/log.ts'
import { maskNumbers } from '#platform/observability/mask.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import { currentSpan, type Tracer } from '#platform/observability/trace.ts'
import {
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type UnreachableReason,
} from '#platform/outgoing/outgoing.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import { showEvent } from '#resources/events/show.ts'
import type { StoredEvent } from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { type Authorizer, TokenRefusedError } from './authorize.ts'
import type { ClaimedDelivery, Result } from './deliveries/store.ts'
import type { Outcome } from './schemas.ts'
import { openSecrets, signingSecrets } from './secrets.ts'
import { signatureHeaders } from './sign.ts'
import type { StoredSubscription } from './store.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long to wait after each failure: about a week in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY,
  DAY,
  DAY,
  DAY,
]
const JITTER = 0.2
const RETRY_AFTER_MAX_MS = DAY

const DEADLINE_MS = 5_000
const ANSWER_MAX_BYTES = 20_000
const UNAUTHORIZED = 401
const GONE = 410

export type DeliverNeeds = {
  readonly context: Context
  readonly vault: Vault
  readonly outgoing: Outgoing
  readonly metrics: Metrics
  readonly logger: Logger
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined
  readonly environment: string
  readonly instanceId: string
}

export type Parcel = {
  readonly delivery: ClaimedDelivery
  readonly event: StoredEvent
  readonly subscription: StoredSubscription
}

type Found = {
  readonly outcome: Outcome
  readonly reason?: UnreachableReason | null
  readonly status: number | null
  readonly answer?: OutgoingAnswer
}

/** Sends an event once. Returns the outcome and what follows. */
export async function attemptDelivery(
  needs: DeliverNeeds,
  authorizer: Authorizer,
  parcel: Parcel,
): Promise<Result> {
  const { clock } = needs.context
  const { delivery } = parcel
  const beganAt = clock()
  const start = performance.now()
  const found = await send(needs, authorizer, parcel).catch(explain)
  return {
    subscription_id: delivery.subscription_id,
    id: delivery.id,
    number: delivery.attempts,
    outcome: found.outcome,
    reason: found.reason ?? null,
    response_status_code: found.status,
    response_body: found.answer ? maskNumbers(found.answer.body) : null,
    duration_ms: Math.round(performance.now() - start),
    began_at: beganAt,
    ...whatFollows(found, delivery, clock),
  }
}

async function send(needs: DeliverNeeds, authorizer: Authorizer, parcel: Parcel): Promise<Found> {
  const { subscription } = parcel
  const answer = await sendOnce(needs, authorizer, parcel)
  const isTokenStale = answer.status === UNAUTHORIZED && authorizer.forget(subscription)
  const last = isTokenStale ? await sendOnce(needs, authorizer, parcel) : answer
  const isTaken = last.status >= 200 && last.status < 300
  return { outcome: isTaken ? 'delivered' : 'refused', status: last.status, answer: last }
}

async function sendOnce(
  { context, vault, outgoing, ...place }: DeliverNeeds,
  authorizer: Authorizer,
  { event, subscription }: Parcel,
): Promise<OutgoingAnswer> {
  const secrets = await openSecrets(context, vault, subscription)
  const authorization = await authorizer.headersFor(subscription, secrets)
  // Receivers compare the time of the signature with their own.
  const at = realTime(context.clock)
  const body = JSON.stringify(showEvent(event, place))
  const span = currentSpan()
  return outgoing.send({
    url: subscription.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Switchyard',
      ...(span && { traceparent: span.traceparent }),
      ...authorization,
      ...signatureHeaders(signingSecrets(subscription, secrets, context.clock()), { id: event.id, at, body }),
    },
    body,
    deadlineMs: DEADLINE_MS,
    answerMaxBytes: ANSWER_MAX_BYTES,
  })
}

function explain(error: unknown): Found {
  if (error instanceof OutgoingError) {
    const { outcome, reason } = error
    return { outcome, reason, status: null }
  }
  if (error instanceof TokenRefusedError) return { outcome: 'token_refused', status: error.status }
  throw error
}

function whatFollows(
  { outcome, status, answer }: Found,
  { failures }: ClaimedDelivery,
  clock: Clock,
): Pick<Result, 'status' | 'next_attempt_at' | 'parked_because'> {
  if (outcome === 'delivered') return { status: 'delivered', next_attempt_at: null, parked_because: null }
  if (outcome === 'refused' && status === GONE) {
    return { status: 'parked', next_attempt_at: null, parked_because: 'subscription_inactive' }
  }
  const retryAfterMs = readRetryAfter(answer?.headers['retry-after'], realTime(clock))
  const next = nextAttemptAt(failures + 1, { now: clock(), random: Math.random(), retryAfterMs })
  return next
    ? { status: 'waiting', next_attempt_at: next, parked_because: null }
    : { status: 'parked', next_attempt_at: null, parked_because: 'schedule_ended' }
}

type Wish = {
  readonly now: Date
  /** From 0 to 1. */
  readonly random: number
  /** How long the receiver asked us to wait. */
  readonly retryAfterMs?: number | undefined
}

/** When to retry after this many failures, including this one. Null: no more retries. */
function nextAttemptAt(failures: number, { now, random, retryAfterMs = 0 }: Wish): Date | null {
  const delay = RETRY_DELAYS_MS[failures - 1]
  if (delay === undefined) return null
  const spread = delay * (1 + JITTER * (2 * random - 1))
  const asked = Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)
  return new Date(now.getTime() + Math.max(spread, asked))
}

/** The header `Retry-After`, in seconds or as a date. */
function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
