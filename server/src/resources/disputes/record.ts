import type { DisputeStage } from '#connectors/contract/connector.ts'
import type { EventName } from '#domain/event-names.ts'
import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import * as events from '#resources/events/store.ts'
import { toDispute } from './schemas.ts'
import type { Step, StoredDispute } from './store.ts'
import * as disputes from './store.ts'

/** A step of a dispute about a payment that is locked. */
export type TakenStep = {
  readonly paymentServiceId: string
  readonly transactionId: string
  /** The provider's id of the dispute, if it tells one. */
  readonly dispute: string | null
  /** What names the movement of money. Null: none. */
  readonly movement: string | null
  /** Whether it can only be about a dispute that is on record, if there is one. */
  readonly isLater: boolean
  readonly step: Omit<Step, 'created_at'>
}

/** More than any dispute has. The oldest go. */
const STEPS_MAX = 100

const CLOSED: readonly DisputeStage[] = ['won', 'lost', 'expired']

/** Records what a provider tells of disputes, once however often it tells it, with the events that say so. */
export async function recordSteps(tx: Scope<Tx>, taken: readonly TakenStep[]): Promise<void> {
  if (taken.length === 0) return
  const known = await disputes.listOf(
    tx,
    taken.map(({ transactionId }) => transactionId),
  )
  for (const one of taken) {
    const before = disputeOf(one, known)
    const after = before ? withStep(tx, before, one) : opened(tx, one)
    if (!after) continue
    if (before) {
      known[known.indexOf(before)] = after
      await disputes.update(tx, after)
    } else {
      known.push(after)
      await disputes.insert(tx, after)
    }
    await events.publish(tx, namesOf(before, after), toDispute(after))
  }
}

/**
 * By the provider's id of the dispute, or by what moved. A reversal without either belongs to the latest dispute of the
 * payment, and so does a movement that another source has told of.
 */
function disputeOf(
  { paymentServiceId, transactionId, dispute, movement, isLater }: TakenStep,
  known: readonly StoredDispute[],
): StoredDispute | undefined {
  const own = known.filter(
    (one) => one.transaction_id === transactionId && one.payment_service_id === paymentServiceId,
  )
  const named = dispute === null ? undefined : own.find((one) => one.external_identifier === dispute)
  // Of a dispute that a provider has named, another name is another dispute.
  const free = dispute === null ? own : own.filter((one) => one.external_identifier === null)
  const moved = movement === null ? undefined : free.find(({ movements }) => movements.includes(movement))
  return named ?? moved ?? (isLater ? free.at(-1) : undefined)
}

function opened(tx: Scope<Tx>, { step, ...taken }: TakenStep): StoredDispute {
  const now = tx.clock()
  const steps = [{ ...step, created_at: now.toISOString() }]
  return {
    merchant_account_id: tx.merchantAccountId,
    id: newId(now.getTime()),
    payment_service_id: taken.paymentServiceId,
    transaction_id: taken.transactionId,
    external_identifier: taken.dispute,
    movements: taken.movement === null ? [] : [taken.movement],
    steps,
    ...standingOf(steps),
    opened_at: new Date(step.posted_at),
    updated_at: now,
    answer: null,
  }
}

/** Undefined: nothing is new. */
function withStep(
  tx: Scope<Tx>,
  before: StoredDispute,
  { step, dispute, movement }: TakenStep,
): StoredDispute | undefined {
  const isMoved = movement !== null && !before.movements.includes(movement)
  const isNamed = dispute !== null && before.external_identifier === null
  const isTold = before.steps.some((known) => isSame(known, step))
  if (isTold && !isMoved && !isNamed) return undefined
  const now = laterThan(before, tx.clock())
  const added = isTold ? [] : [{ ...step, created_at: now.toISOString() }]
  const steps = [...before.steps, ...added].slice(-STEPS_MAX)
  return {
    ...before,
    external_identifier: before.external_identifier ?? dispute,
    movements: isMoved ? [...before.movements, movement] : before.movements,
    steps,
    ...standingOf(steps),
    opened_at: new Date(Math.min(before.opened_at.getTime(), Date.parse(step.posted_at))),
    updated_at: now,
  }
}

/** Providers repeat their messages, and some tell a dispute again for each change of what we do not keep. */
function isSame(known: Step, { stage, ...step }: TakenStep['step']): boolean {
  if (known.stage !== stage || known.provider_stage !== step.provider_stage) return false
  if (known.posted_at === step.posted_at) return true
  return (
    stage !== null &&
    known.amount === step.amount &&
    known.reason_code === step.reason_code &&
    known.respond_by === step.respond_by
  )
}

/**
 * How a dispute stands. Messages arrive in any order, so the time at the provider counts. A warning of fraud says less than
 * any other stage.
 */
function standingOf(steps: readonly Step[]) {
  const told = steps.toSorted((one, other) => Date.parse(one.posted_at) - Date.parse(other.posted_at))
  const staged = told.filter(({ stage }) => stage !== null)
  const current = staged.findLast(({ stage }) => stage !== 'early_fraud_warning') ?? staged.at(-1)
  if (!current?.stage) throw new Error('a dispute has no stage')
  const since = told.slice(told.indexOf(current))
  const respondBy = since.findLast(({ respond_by }) => respond_by !== null)?.respond_by ?? null
  const priced = told.findLast(({ amount }) => amount !== null)
  const { stage } = current
  return {
    stage,
    amount: priced?.amount?.toString() ?? null,
    currency: priced?.currency ?? null,
    reason_code: told.findLast(({ reason_code }) => reason_code !== null)?.reason_code ?? null,
    reason_description:
      told.findLast(({ reason_description }) => reason_description !== null)?.reason_description ?? null,
    respond_by: respondBy === null || CLOSED.includes(stage) ? null : new Date(respondBy),
  }
}

function namesOf(before: StoredDispute | undefined, after: StoredDispute): EventName[] {
  const isClosed = CLOSED.includes(after.stage)
  if (!before) return isClosed ? ['dispute.opened', 'dispute.closed'] : ['dispute.opened']
  return isClosed && before.stage !== after.stage ? ['dispute.closed'] : ['dispute.updated']
}
