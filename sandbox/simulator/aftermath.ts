import { DAY_MS, type DisputeReason, disputeCodeOf, fateOf } from './fates.ts'
import * as notices from './notices.ts'
import { newReference } from './reference.ts'
import type { Entry, Tx } from './store.ts'
import * as store from './store.ts'

/** A buyer disputes a payment so long after it was captured. */
const DISPUTE_MS = DAY_MS
/** The bank decides for the merchant so long after that. */
const REVERSAL_MS = 5 * DAY_MS
/** The processor takes answers for so long. */
const ANSWER_MS = 14 * DAY_MS

type Wishes = { readonly scenario: string | null; readonly areDisputesTold: boolean }

/** Writes ahead what becomes of an approved capture or refund. It takes effect when its time has come. */
export async function writeAftermath(tx: Tx, entry: Entry, wishes: Wishes): Promise<void> {
  const fate =
    entry.status === 'approved' && entry.product !== 'wallet' ? fateOf(entry, wishes.scenario) : null
  if (!fate) return
  if (fate.kind === 'failure') {
    return write(tx, failureOf(entry, after(entry, fate.afterMs)), { isTold: true })
  }
  const { areDisputesTold: isTold } = wishes
  const root = entry.authorizationReference ?? entry.reference
  const chargeback = disputeOf(
    { ...entry, reference: root },
    {
      operation: 'chargeback',
      subjectReference: root,
      amount: entry.amount,
      reason: fate.reason,
      at: after(entry, DISPUTE_MS),
    },
  )
  await write(tx, chargeback, { isTold })
  if (!fate.isReversed) return write(tx, unansweredEndOf(chargeback), { isTold })
  const reversal = {
    operation: 'chargebackReversal',
    subjectReference: chargeback.reference,
    amount: entry.amount,
    reason: fate.reason,
    at: after(chargeback, REVERSAL_MS),
  } as const
  await write(tx, disputeOf({ ...entry, reference: root }, reversal), { isTold })
}

/** What becomes of a chargeback without an answer: it is lost. */
export function unansweredEndOf(chargeback: Entry): Entry {
  return endOf(chargeback, 'unanswered', answerBy(chargeback))
}

/** Until when the processor takes an answer to a chargeback. */
export function answerBy(chargeback: Entry): Date {
  return after(chargeback, ANSWER_MS)
}

/** The bank keeps the money. Nothing moves. */
export function endOf(chargeback: Entry, code: 'accepted' | 'lost' | 'unanswered', at: Date): Entry {
  const { authorizationReference, amount, description, reference: subjectReference } = chargeback
  return ownEntry(chargeback, {
    operation: 'disputeEnd',
    authorizationReference,
    subjectReference,
    amount,
    code,
    description,
    at,
  })
}

export async function write(tx: Tx, entry: Entry, { isTold }: { readonly isTold: boolean }): Promise<void> {
  await store.insert(tx, entry)
  if (isTold) await notices.insert(tx, entry)
}

type Dispute = {
  readonly attemptId?: string
  readonly operation: 'chargeback' | 'chargebackReversal'
  readonly subjectReference: string
  readonly amount: number
  readonly reason: DisputeReason
  readonly at: Date
}

/** An entry about the payment whose authorization is given. */
export function disputeOf(root: Entry, { reason, ...dispute }: Dispute): Entry {
  return ownEntry(root, {
    ...dispute,
    authorizationReference: root.reference,
    code: disputeCodeOf(reason),
    description: reason,
  })
}

function failureOf(entry: Entry, at: Date): Entry {
  const isRefund = entry.operation === 'refund'
  return ownEntry(entry, {
    operation: 'lateFailure',
    authorizationReference: entry.authorizationReference ?? entry.reference,
    subjectReference: entry.reference,
    amount: entry.amount,
    code: isRefund ? 'refund_failed' : 'capture_failed',
    description: isRefund ? 'unavailable_payment_method' : 'refused_transaction',
    at,
  })
}

type Own = Pick<
  Entry,
  'operation' | 'authorizationReference' | 'subjectReference' | 'amount' | 'code' | 'description'
> & { readonly at: Date; readonly attemptId?: string }

/** An entry that the processor makes by itself, without an attempt of the merchant. */
function ownEntry(entry: Entry, { at, ...own }: Own): Entry {
  const reference = newReference(at)
  return {
    ...entry,
    ...own,
    attemptId: own.attemptId ?? reference,
    reference,
    status: 'approved',
    requestedAmount: own.amount,
    isFinal: false,
    facts: null,
    last4: null,
    returnUrl: null,
    createdAt: at,
    endedAt: at,
  }
}

function after({ endedAt, createdAt }: Entry, ms: number): Date {
  return new Date((endedAt ?? createdAt).getTime() + ms)
}
