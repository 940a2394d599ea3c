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
import { nextAttemptAt, readRetryAfter } from './state.ts'
import type { StoredSubscription } from './store.ts'

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
