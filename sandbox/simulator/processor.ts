import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { writeAftermath } from './aftermath.ts'
import {
  checkPostalCode,
  checkSecurityCode,
  judgeAuthorization,
  refusalByAmount,
  refusalNamed,
  type Verdict,
} from './amounts.ts'
import { fateOf } from './fates.ts'
import { newReference } from './reference.ts'
import {
  type Attempt,
  type AuthorizeRequest,
  type Instrument,
  isReference,
  type Money,
  type SettleRequest,
} from './requests.ts'
import { balanceOf, type FollowUp, judge } from './rules.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'
import { isLive } from './token-text.ts'

export type Office = {
  readonly pool: pg.Pool
  readonly clock: () => Date
  /** A keyed hash: of tokens, and of addresses that cannot be guessed. */
  readonly mac: (input: string) => Buffer
}
export type Merchant = Pick<Entry, 'merchantId' | 'product'>

/** The result of a request: an entry in the books, or the reason why there is none. */
export type Performed =
  | { readonly result: 'entry'; readonly entry: Entry; readonly isNew: boolean }
  | { readonly result: 'attempt_closed' | 'attempt_reused' | 'unknown_reference' }

export type Draft = Attempt &
  Merchant & {
    readonly operation: Entry['operation']
    readonly authorizationReference: string | null
    readonly requestedAmount: number
    readonly currency: string
    readonly isFinal: boolean
    readonly subjectReference?: string
    readonly facts: Entry['facts']
    readonly last4: string | null
    readonly returnUrl: string | null
    /** What becomes of it later, as the card's number says. */
    readonly scenario: string | null
  }

export async function authorize(office: Office, request: AuthorizeRequest & Merchant): Promise<Performed> {
  const { instrument, isSale } = request
  const draft: Draft = {
    ...request,
    // Only money that moves is waited for; an authorization is answered at once.
    isAsynchronous: request.isAsynchronous && isSale,
    operation: 'authorize',
    authorizationReference: null,
    requestedAmount: request.amount,
    isFinal: isSale,
    facts: {
      avs: checkPostalCode(request.postalCode),
      cvv: checkSecurityCode(instrument.securityCode),
      adviceCode: request.adviceCode,
      isRetriable: request.isRetriable,
      schemeTransactionId: String(randomBytes(8).readBigUInt64BE() % 10n ** 15n).padStart(15, '0'),
      presented: instrument.presented,
      ...(instrument.scenario !== null && { scenario: instrument.scenario }),
    },
    last4: instrument.last4,
    returnUrl: instrument.returnUrl,
    scenario: instrument.scenario,
  }
  const isKnown = instrument.token === null || (await isLive(office, request, instrument.token))
  const judged = isKnown ? (refusalOf('authorize', request) ?? judgeAuthorization(request)) : UNKNOWN_TOKEN
  // The bank says days later what it thinks of a debit.
  const isLater = request.product === 'debit' && !request.refusal
  const verdict = isLater ? ({ status: 'approved', amount: request.amount } as const) : judged
  const fate =
    verdict.status === 'approved' ? fateOf({ ...draft, amount: verdict.amount }, draft.scenario) : null
  if (!fate) return enter(office.pool, office.clock(), draft, verdict)
  return store.inTransaction(office.pool, (tx) => enterWithAftermath(tx, office.clock(), draft, verdict))
}

export function refusalOf(operation: Entry['operation'], { refusal }: Attempt): Verdict | null {
  return refusal ? refusalNamed(operation, refusal) : null
}

const UNKNOWN_TOKEN: Verdict = {
  status: 'refused',
  code: 'unknown_token',
  description: 'unknown_payment_method',
}

type Payout = Attempt &
  Money &
  Merchant & {
    readonly instrument: Instrument
    /** The merchant wants no more paid out than it has earned. */
    readonly isFunded: boolean
  }

export function payOut(office: Office, request: Payout): Promise<Performed> {
  const { amount } = request
  const draft: Draft = {
    ...request,
    operation: 'payout',
    authorizationReference: null,
    requestedAmount: amount,
    isFinal: false,
    facts: null,
    last4: request.instrument.last4,
    returnUrl: null,
    scenario: null,
  }
  const verdict =
    refusalOf('payout', request) ??
    refusalByAmount('payout', amount) ??
    ({ status: 'approved', amount } as const)
  if (!request.isFunded) return enter(office.pool, office.clock(), draft, verdict)
  return store.inTransaction(office.pool, async (tx) => {
    await store.lockEarnings(tx, request)
    const isCovered = amount <= (await store.earningsOf(tx, request, office.clock()))
    return enter(tx, office.clock(), draft, isCovered ? verdict : UNCOVERED)
  })
}

const UNCOVERED = {
  status: 'refused',
  code: 'insufficient_balance',
  description: 'insufficient_funds',
} as const

/** Carries out an operation on an authorization, under its lock. */
export function followUp(
  office: Office,
  request: FollowUp & Attempt & Merchant & { readonly reference: string },
): Promise<Performed> {
  return store.inTransaction(office.pool, async (tx) => {
    const authorization = await lockAuthorization(tx, request)
    if (!authorization) return { result: 'unknown_reference' }
    const now = office.clock()
    const sums = await store.sums(tx, authorization.reference, now)
    const { left } = balanceOf(authorization, sums)
    const draft: Draft = {
      ...request,
      isAsynchronous: request.isAsynchronous && request.operation !== 'increment',
      authorizationReference: authorization.reference,
      requestedAmount: 'amount' in request ? request.amount : left,
      currency: 'currency' in request ? request.currency : authorization.currency,
      isFinal: 'isFinal' in request && request.isFinal,
      facts: null,
      last4: null,
      returnUrl: null,
      scenario: authorization.facts?.scenario ?? null,
    }
    const verdict = judge(request, authorization, sums)
    // What breaks a rule is refused for that.
    const isWilling = verdict.status === 'approved'
    const refusal = isWilling ? refusalOf(request.operation, request) : null
    return enterWithAftermath(tx, now, draft, refusal ?? verdict)
  })
}

/** Cancels a pending authorization. Without a reference, it is the authorization of the transaction. */
export function cancel(
  office: Office,
  request: Attempt & Merchant & { readonly reference: string | null },
): Promise<Performed> {
  return store.inTransaction(office.pool, async (tx) => {
    const { merchantId, transactionId } = request
    const found =
      request.reference === null && transactionId !== null
        ? await store.findPendingOfTransaction(tx, merchantId, transactionId)
        : null
    const reference = request.reference ?? found?.reference
    const authorization = reference ? await lockAuthorization(tx, { merchantId, reference }) : null
    if (!authorization) return { result: 'unknown_reference' }
    const draft: Draft = {
      ...request,
      isAsynchronous: false,
      operation: 'cancel',
      authorizationReference: authorization.reference,
      requestedAmount: authorization.requestedAmount,
      currency: authorization.currency,
      isFinal: false,
      facts: null,
      last4: null,
      returnUrl: null,
      scenario: null,
    }
    const verdict = judge({ operation: 'cancel' }, authorization, [])
    const refusal = verdict.status === 'approved' ? refusalOf('cancel', request) : null
    const performed = await enter(tx, office.clock(), draft, refusal ?? verdict)
    if (performed.result === 'entry' && performed.isNew && performed.entry.status === 'approved') {
      await store.end(tx, authorization, CANCELED, office.clock())
    }
    return performed
  })
}

/** The outcome of an attempt. One that has not arrived is closed, and refused if it still arrives. */
export async function inquire(office: Office, attemptId: string): Promise<Entry | 'closed'> {
  const known = await store.find(office.pool, attemptId)
  if (known) return known === 'closed' ? known : endIfDue(office, known)
  await store.close(office.pool, attemptId, office.clock())
  return (await store.find(office.pool, attemptId)) ?? 'closed'
}

/** A buyer who has not decided for a day does not come back. */
const APPROVAL_MS = 24 * 3_600_000
/** A bank pays a debit so long after the buyer has permitted it. */
const BANK_MS = 3 * 24 * 3_600_000

export const CANCELED = {
  status: 'refused',
  code: 'canceled',
  description: 'cancelled_buyer_approval',
} as const

async function endIfDue(office: Office, entry: Entry): Promise<Entry> {
  const now = office.clock()
  const isWaiting = entry.status === 'pending' && entry.returnUrl !== null
  const { permittedAt } = entry.facts ?? {}
  const since = permittedAt === undefined ? entry.createdAt : new Date(permittedAt)
  const limit = permittedAt === undefined ? APPROVAL_MS : BANK_MS
  if (!isWaiting || now.getTime() - since.getTime() < limit) return entry
  return store.inTransaction(office.pool, async (tx) => {
    const known = await store.lock(tx, entry.reference)
    if (known?.status !== 'pending') return known ?? entry
    if (permittedAt === undefined) return store.end(tx, known, CANCELED, now)
    const refusal = refusalByAmount('authorize', known.amount)
    const ended = await store.end(tx, known, refusal ?? APPROVED, now)
    await writeAftermath(tx, ended, { scenario: null, areDisputesTold: true })
    return ended
  })
}

/** Ends a pending operation with the outcome of a notification. Null when there is no such operation. */
export function settle(office: Office, request: SettleRequest & Merchant): Promise<Entry | 'ended' | null> {
  return store.inTransaction(office.pool, async (tx) => {
    const entry = await lockNamed(tx, request)
    if (!entry) return null
    const result = resultOf(request)
    if (entry.status !== 'pending') return entry.status === result.status ? entry : 'ended'
    const ended = await store.end(tx, entry, result, office.clock())
    const root = await store.findByReference(tx, entry.authorizationReference ?? entry.reference)
    await writeAftermath(tx, ended, { ...request, scenario: root?.facts?.scenario ?? null })
    return ended
  })
}

/** By its own reference, or by that of its authorization: merchants know both. */
async function lockNamed(tx: store.Tx, request: SettleRequest & Merchant): Promise<Entry | null> {
  const { operation, merchantId, reference } = request
  const named = isReference(reference) ? await store.findByReference(tx, reference) : null
  if (!named || named.merchantId !== merchantId) return null
  const root = await store.lock(tx, named.authorizationReference ?? reference)
  if (named.operation === operation) return store.findByReference(tx, reference)
  if (named.operation !== 'authorize' || operation === 'authorize') return null
  // A sale is one entry: its capture is the sale itself.
  if (operation === 'capture' && root?.isFinal) return root
  return store.findFollowUp(tx, reference, operation)
}

function resultOf({ operation, outcome }: SettleRequest): Pick<Entry, 'status' | 'code' | 'description'> {
  if (outcome === 'succeeded') return APPROVED
  const description = outcome === 'declined' ? 'refused_transaction' : 'service_error'
  return { status: 'refused', code: `${operation}.${outcome}`, description }
}

export const APPROVED = { status: 'approved', code: '00', description: 'Approved' } as const

export async function lockAuthorization(
  tx: store.Tx,
  { merchantId, reference }: Pick<Merchant, 'merchantId'> & { readonly reference: string },
): Promise<Entry | null> {
  const entry = isReference(reference) ? await store.lock(tx, reference) : null
  return entry?.merchantId === merchantId && entry.operation === 'authorize' ? entry : null
}

/** Records the attempt, and what becomes of it later. */
async function enterWithAftermath(
  tx: store.Tx,
  now: Date,
  draft: Draft,
  verdict: Verdict,
): Promise<Performed> {
  const performed = await enter(tx, now, draft, verdict)
  if (performed.result === 'entry' && performed.isNew) await writeAftermath(tx, performed.entry, draft)
  return performed
}

/** Records the attempt. A known attempt gets its first answer again. */
export async function enter(
  handle: pg.Pool | store.Tx,
  now: Date,
  draft: Draft,
  verdict: Verdict,
): Promise<Performed> {
  const isAwaited = draft.isAsynchronous || draft.returnUrl !== null
  const isPending = verdict.status === 'pending' || (verdict.status === 'approved' && isAwaited)
  const entry: Entry = {
    ...draft,
    status: isPending ? 'pending' : verdict.status,
    reference: newReference(now),
    amount: verdict.status === 'refused' ? draft.requestedAmount : verdict.amount,
    code: verdict.status === 'refused' ? verdict.code : isPending ? null : APPROVED.code,
    description: verdict.status === 'refused' ? verdict.description : isPending ? null : APPROVED.description,
    subjectReference: draft.subjectReference ?? null,
    createdAt: now,
    endedAt: isPending ? null : now,
  }
  if (await store.insert(handle, entry)) return { result: 'entry', entry, isNew: true }
  const known = await store.find(handle, draft.attemptId)
  if (known === 'closed') return { result: 'attempt_closed' }
  if (!known || !isSame(known, entry)) return { result: 'attempt_reused' }
  return { result: 'entry', entry: known, isNew: false }
}

/** An attempt id belongs to one request. Another request with the same id is refused. */
function isSame(known: Entry, entry: Entry): boolean {
  // A void releases everything, and the amount may have grown since.
  const isWhole = entry.operation === 'void' || entry.operation === 'cancel'
  return (
    known.operation === entry.operation &&
    known.merchantId === entry.merchantId &&
    known.authorizationReference === entry.authorizationReference &&
    known.subjectReference === entry.subjectReference &&
    (isWhole || known.requestedAmount === entry.requestedAmount) &&
    known.currency === entry.currency
  )
}
