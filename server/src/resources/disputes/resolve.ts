import type { Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Answer } from '#connectors/contract/connector.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import {
  type AnsweredAttempt,
  codeOf,
  type Decided,
  endOf,
  type Kind,
  refusal,
  resolve,
} from '#processing/attempts/conclude.ts'
import { ABANDONED } from '#processing/attempts/kept-orders.ts'
import type { Resolve } from '#processing/attempts/resolve-due.ts'
import * as attempts from '#processing/attempts/store.ts'
import { holdWhileAsked, nextCheckForAMonth } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { linkTo } from '#resources/payment-services/link.ts'
import * as evidence from './evidence.ts'
import { toDispute } from './schemas.ts'
import type { StoredDispute } from './store.ts'
import * as disputes from './store.ts'

/** Nobody can say whether the answer has arrived: never that it has not. */
const GIVEN_UP = refusal('unknown_error')
/** A deleted service is asked for an hour: nobody mends its credentials. */
const CHECKS_OF_DELETED = 4

/** Answers to disputes. The attempt's subject is the dispute. */
export const ANSWERING: Kind<StoredDispute, Answer> = {
  find: async (scope, { subject_id }) => present(await disputes.find(scope, subject_id ?? '')),
  ask: askAgain,
  inquire: askAgain,
  nextCheck: nextCheckForAMonth,
  giveUp: GIVEN_UP,
  lock: async (tx, { id, subject_id }) => {
    const subject = await lockDispute(tx, present(await disputes.find(tx, subject_id ?? '')))
    return { subject, attempt: present(await attempts.lock(tx, id)) }
  },
  decide,
  recordLate: (tx, dispute) => auditLogs.record(tx, 'updated', named(dispute, `: ${dispute.answer?.status}`)),
}

export const resolveAnswer: Resolve = (scope, engine, attempt) => resolve(scope, engine, ANSWERING, attempt)

/** The payment first: what a provider tells of a dispute is recorded under its lock. */
export async function lockDispute(
  tx: Scope<Tx>,
  { id, transaction_id }: StoredDispute,
): Promise<StoredDispute> {
  await transactions.lockMany(tx, [transaction_id])
  return present(await disputes.lock(tx, id))
}

function present<Found>(found: Found | undefined): Found {
  if (!found) throw new Error('an answer has no dispute')
  return found
}

/** What was sent may have arrived, and may not: the connector looks before it sends. */
async function askAgain(
  scope: Scope,
  engine: Engine,
  dispute: StoredDispute,
  attempt: attempts.Attempt,
): Promise<Answer> {
  const link = await linkTo(scope, engine, dispute.payment_service_id, null)
  const kept = await evidence.open(scope, engine.secrets, attempt.id)
  const asked = { link, dispute, attempt, evidence: kept, isRepeated: true }
  const said = await askToAnswer(scope, engine, asked)
  const isLeft = link !== undefined && link.service.deleted_at !== null
  return isLeft && said.outcome === 'unknown' && attempt.checks >= CHECKS_OF_DELETED ? GIVEN_UP : said
}

type Asked = {
  /** Undefined: its connector is not installed. */
  readonly link: Awaited<ReturnType<typeof linkTo>>
  readonly dispute: StoredDispute
  readonly attempt: attempts.Attempt
  readonly evidence: readonly Evidence[] | null
  readonly isRepeated: boolean
}

export async function askToAnswer(
  scope: Scope,
  engine: Engine,
  { link, dispute, attempt, evidence, isRepeated }: Asked,
): Promise<Answer> {
  const { answer, external_identifier } = dispute
  const answerDispute = link?.connector.answerDispute
  if (!answerDispute || external_identifier === null || answer?.attempt_id !== attempt.id)
    return { outcome: 'unknown', reason: 'the provider cannot be asked' }
  const line = lineTo(engine.providers, link.connector, 'answerDispute')
  if (!(await holdWhileAsked(scope, attempt, line))) return ABANDONED
  const { act } = answer
  const told = dispute.steps
    .filter(({ created_at }) => created_at >= answer.created_at)
    .map(({ stage, provider_stage }) => ({ stage, providerStage: provider_stage }))
  const order = { attemptId: attempt.id, dispute: external_identifier, act, evidence, told, isRepeated }
  return askProvider(line, answerDispute, order, link)
}

const NOBODY_KNOWS = { status: 'unknown', error_code: null } as const

/** Evidence is not kept longer than the provider needs it. */
async function decide(
  tx: Scope<Tx>,
  _engine: Engine,
  { subject: dispute, attempt, answer: said }: AnsweredAttempt<StoredDispute, Decided<Answer>>,
): Promise<StoredDispute> {
  await evidence.remove(tx, attempt.id)
  const { answer } = dispute
  if (answer?.attempt_id !== attempt.id) return dispute
  const now = laterThan(dispute, tx.clock())
  const end = said === GIVEN_UP ? NOBODY_KNOWS : { status: endOf(said), error_code: codeOf(said) }
  const ended = { ...answer, ...end, updated_at: now.toISOString() }
  const after = { ...dispute, answer: ended, updated_at: now }
  await disputes.update(tx, after)
  await events.publish(tx, ['dispute.updated'], toDispute(after))
  return after
}

/** Says what was done, and nothing of what was sent. */
export function named({ id, transaction_id, answer }: StoredDispute, end = '') {
  const what = answer?.act === 'accept' ? 'Acceptance' : 'Evidence'
  return { type: 'dispute-answer', id, name: `${what} in the dispute of transaction ${transaction_id}${end}` }
}
