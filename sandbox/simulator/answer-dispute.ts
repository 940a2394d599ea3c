import { answerBy, disputeOf, endOf, write } from './aftermath.ts'
import type { Verdict } from './amounts.ts'
import { DAY_MS, reasonOf } from './fates.ts'
import { enter, lockAuthorization, type Merchant, type Office, type Performed } from './processor.ts'
import { type Attempt, BadRequest, type Body, flag, isOneOf, isReference } from './requests.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'

/** The bank decides so long after it has got evidence. */
const DECISION_MS = 5 * DAY_MS

/** What evidence can say in `explanation`, to be tried. Any other evidence wins. */
const WISHES = ['lose', 'refuse', 'lose-answer'] as const

export type DisputeAnswerRequest = Attempt &
  Merchant & {
    /** Of the chargeback. */
    readonly reference: string
    readonly act: 'accept' | 'defend'
    readonly wish: (typeof WISHES)[number] | null
    readonly isTold: boolean
  }

/** Of the evidence, the explanation alone is read. */
export function readDisputeAnswer(body: Body): Pick<DisputeAnswerRequest, 'act' | 'wish' | 'isTold'> {
  const { act, evidence = [] } = body
  if (!isOneOf(act, ['accept', 'defend'])) throw new BadRequest('act')
  if (!Array.isArray(evidence) || (act === 'defend') !== evidence.length > 0) throw new BadRequest('evidence')
  const said = evidence.find((item) => item?.name === 'explanation')?.text
  const wish = WISHES.find((known) => known === said) ?? null
  return { act, wish, isTold: flag(body, 'tell_disputes') }
}

/** Takes the merchant's answer to a chargeback, once for each attempt, and writes ahead what the bank decides. */
export function answerDispute(office: Office, request: DisputeAnswerRequest): Promise<Performed> {
  return store.inTransaction(office.pool, async (tx) => {
    const found = await lockChargeback(tx, request, office.clock())
    if (!found) return { result: 'unknown_reference' }
    const { root, chargeback } = found
    const now = office.clock()
    const draft = {
      ...request,
      isAsynchronous: false,
      operation: 'disputeAnswer',
      authorizationReference: root.reference,
      subjectReference: chargeback.reference,
      requestedAmount: chargeback.amount,
      currency: chargeback.currency,
      isFinal: false,
      facts: null,
      last4: null,
      returnUrl: null,
      scenario: null,
    } as const
    const followed = await store.listDisputes(tx, root.reference)
    const verdict = refusalByRule(request, chargeback, followed, now) ?? {
      status: 'approved',
      amount: chargeback.amount,
    }
    const performed = await enter(tx, now, draft, verdict)
    if (performed.result === 'entry' && performed.isNew && performed.entry.status === 'approved')
      await decide(tx, request, { root, chargeback, now })
    return performed
  })
}

type Found = { readonly root: Entry; readonly chargeback: Entry }

/** Under the lock of the authorization, as all that is done to a payment. */
async function lockChargeback(
  tx: store.Tx,
  { merchantId, reference }: DisputeAnswerRequest,
  now: Date,
): Promise<Found | null> {
  const chargeback = isReference(reference) ? await store.findByReference(tx, reference) : null
  const isThere =
    chargeback?.operation === 'chargeback' && chargeback.endedAt !== null && chargeback.endedAt <= now
  if (!isThere || chargeback.authorizationReference === null) return null
  const root = await lockAuthorization(tx, { merchantId, reference: chargeback.authorizationReference })
  return root && { root, chargeback }
}

function refusalByRule(
  { wish }: DisputeAnswerRequest,
  chargeback: Entry,
  followed: readonly Entry[],
  now: Date,
): Verdict | null {
  const own = followed.filter(({ subjectReference }) => subjectReference === chargeback.reference)
  const isAnswered = own.some(
    ({ operation, status }) => operation === 'disputeAnswer' && status === 'approved',
  )
  const isDecided = own.some(
    ({ operation, endedAt }) => operation !== 'disputeAnswer' && endedAt !== null && endedAt <= now,
  )
  if (isDecided) return refused('already_decided', 'invalid_operation')
  if (isAnswered) return refused('already_answered', 'invalid_operation')
  if (now >= answerBy(chargeback)) return refused('too_late', 'invalid_operation')
  return wish === 'refuse' ? refused('bad_evidence', 'invalid_request_parameters') : null
}

function refused(code: string, description: string): Verdict {
  return { status: 'refused', code, description }
}

type Deciding = Found & { readonly now: Date }

/** In place of what would have become of it without an answer. */
async function decide(
  tx: store.Tx,
  { act, wish, isTold }: DisputeAnswerRequest,
  { root, chargeback, now }: Deciding,
): Promise<void> {
  await store.removeFuture(tx, chargeback.reference, now)
  if (act === 'accept') return write(tx, endOf(chargeback, 'accepted', now), { isTold })
  const at = new Date(now.getTime() + DECISION_MS)
  if (wish === 'lose') return write(tx, endOf(chargeback, 'lost', at), { isTold })
  const { reference: subjectReference, amount } = chargeback
  const reversal = { operation: 'chargebackReversal', subjectReference, amount, at } as const
  await write(tx, disputeOf(root, { ...reversal, reason: reasonOf(chargeback) }), { isTold })
}
