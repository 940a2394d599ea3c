import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { isReference } from '../requests.ts'
import { inTransaction, type Tx } from '../store.ts'
import { readPin } from './pins.ts'
import {
  CURRENCY,
  judgeActivation,
  judgeGivingBack,
  judgeRedemption,
  type Refusal,
  refused,
  type Verdict,
} from './rules.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'

export type Office = {
  readonly pool: pg.Pool
  readonly clock: () => Date
  /** A keyed hash, which is stored instead of numbers, PINs and API keys. */
  readonly mac: (input: string) => Buffer
}

export type Card = { readonly apiKey: string; readonly number: string; readonly pin: string | null }
type Attempt = { readonly attemptId: string; readonly transactionId: string | null }
type Money = { readonly amount: number; readonly currency: string }

export type Redeem = Attempt & Money & { readonly card: Card }
export type Activate = Attempt & {
  readonly card: Card
  readonly amount: number | null
  readonly currency: string | null
}
export type GiveBack = Attempt &
  Money & {
    readonly operation: 'refund' | 'reverse'
    readonly apiKey: string
    readonly redemption: string | null
    readonly redemptionAttemptId: string
  }

/** The result of a request: an entry in the books, or the reason why there is none. */
export type Performed =
  | { readonly result: 'entry'; readonly entry: Entry; readonly isNew: boolean }
  | { readonly result: 'attempt_closed' | 'attempt_reused' }

export type Balance =
  | {
      readonly result: 'known'
      readonly balance: number
      readonly currency: string
      readonly expiresAt: Date
    }
  | (Refusal & { readonly result: 'refused' })

type Decided =
  | 'status'
  | 'reference'
  | 'moved'
  | 'givenBack'
  | 'code'
  | 'rawCode'
  | 'rawMessage'
  | 'createdAt'
/** `moving` is the change of the balance if it is approved. */
type Draft = Omit<Entry, Decided> & { readonly moving: number }

export async function readBalance(office: Office, card: Card): Promise<Balance> {
  const said = readCard(card)
  if (said.status === 'refused') return { ...said, result: 'refused' }
  const balance = (await store.findBalance(office.pool, hashOf(office, card))) ?? said.balance
  return { result: 'known', balance, currency: CURRENCY, expiresAt: inAYear(office.clock()) }
}

export function redeem(office: Office, request: Redeem): Promise<Performed> {
  const draft = draftOf(office, 'redeem', request)
  const said = readCard(request.card)
  if (said.status === 'refused') return enter(office, office.pool, draft, said)
  return inTransaction(office.pool, async (tx) => {
    const { cardHash } = draft
    const balance = await store.lockCard(tx, { cardHash, opening: said.balance, now: office.clock() })
    const performed = await enter(office, tx, draft, judgeRedemption(request, balance))
    if (hasMoved(performed)) await store.move(tx, cardHash, -request.amount)
    return performed
  })
}

/** Without a PIN, no refusal can be asked for. */
export function activate(office: Office, request: Activate): Promise<Performed> {
  const said = request.card.pin === null ? null : readCard(request.card)
  const verdict = said?.status === 'refused' ? said : judgeActivation(request.currency)
  return enter(office, office.pool, draftOf(office, 'activate', request), verdict)
}

/** Puts money back on the card that it was taken from. */
export function giveBack(office: Office, request: GiveBack): Promise<Performed> {
  const { operation, amount, currency, attemptId, transactionId } = request
  const merchantHash = merchantHashOf(office, request.apiKey)
  const attempt = { operation, attemptId, transactionId, merchantHash, amount, currency }
  return inTransaction(office.pool, async (tx) => {
    const found = await lockNamed(office, tx, request)
    const redemption = found !== 'closed' && found?.merchantHash.equals(merchantHash) ? found : null
    if (redemption?.status !== 'approved') {
      // The redemption did not happen and cannot any more, so there is nothing to reverse.
      const isUndone = operation === 'reverse' && (found === 'closed' || redemption !== null)
      const verdict = isUndone
        ? APPROVED
        : refused('unexpected_state', 'unknown_redemption', 'no such redemption')
      return enter(office, tx, { ...attempt, cardHash: null, redemptionReference: null, moving: 0 }, verdict)
    }
    const { cardHash, reference } = redemption
    const draft = { ...attempt, cardHash, redemptionReference: reference, moving: amount }
    const performed = await enter(
      office,
      tx,
      draft,
      judgeGivingBack(request, redemption.moved - redemption.givenBack),
    )
    if (hasMoved(performed) && cardHash) {
      await store.addGivenBack(tx, reference, amount)
      await store.move(tx, cardHash, amount)
    }
    return performed
  })
}

/** The outcome of an attempt. One that has not arrived is closed, and refused if it still arrives. */
export async function inquire(office: Office, attemptId: string): Promise<Entry | 'closed'> {
  const known = await store.find(office.pool, attemptId)
  if (known) return known
  await store.close(office.pool, attemptId, office.clock())
  return (await store.find(office.pool, attemptId)) ?? 'closed'
}

export function merchantHashOf({ mac }: Office, apiKey: string): Buffer {
  return mac(JSON.stringify(['merchant', apiKey]))
}

const APPROVED = { status: 'approved' } as const

type Said = { readonly status: 'approved'; readonly balance: number } | Refusal

function readCard({ pin }: Card): Said {
  if (pin === null) return refused('invalid_gift_card', 'missing_pin', 'the PIN is missing')
  const reading = readPin(pin)
  if (reading.result === 'good') return { status: 'approved', balance: reading.balance }
  return refused(reading.code, reading.kind, `the PIN asks for ${reading.code}`)
}

/** Merchants with other API keys see another card, so that they can try things out side by side. */
function hashOf({ mac }: Office, { apiKey, number, pin }: Card): Buffer {
  return mac(JSON.stringify(['card', apiKey, number, pin]))
}

function draftOf(office: Office, operation: 'redeem' | 'activate', request: Redeem | Activate) {
  const { attemptId, transactionId, amount, currency, card } = request
  return {
    operation,
    attemptId,
    transactionId,
    amount,
    currency,
    merchantHash: merchantHashOf(office, card.apiKey),
    cardHash: hashOf(office, card),
    redemptionReference: null,
    moving: operation === 'redeem' ? (amount ?? 0) : 0,
  }
}

/** By its reference, or by its attempt when the answer was lost. A reversal closes an attempt that has not arrived. */
async function lockNamed(office: Office, tx: Tx, request: GiveBack): Promise<Entry | 'closed' | null> {
  const { redemption, redemptionAttemptId, operation } = request
  if (redemption !== null) return isReference(redemption) ? store.lockRedemption(tx, redemption) : null
  if (operation === 'reverse') await store.close(tx, redemptionAttemptId, office.clock())
  const known = await store.find(tx, redemptionAttemptId)
  return known === 'closed' || known === null ? known : store.lockRedemption(tx, known.reference)
}

/** Records the attempt. A known attempt gets its first answer again. */
async function enter(
  { clock }: Office,
  handle: pg.Pool | Tx,
  { moving, ...draft }: Draft,
  verdict: Verdict,
): Promise<Performed> {
  const isRefused = verdict.status === 'refused'
  const entry: Entry = {
    ...draft,
    status: verdict.status,
    reference: randomUUID(),
    moved: isRefused ? 0 : moving,
    givenBack: 0,
    code: isRefused ? verdict.code : null,
    rawCode: isRefused ? verdict.rawCode : null,
    rawMessage: isRefused ? verdict.rawMessage : null,
    createdAt: clock(),
  }
  if (await store.insert(handle, entry)) return { result: 'entry', entry, isNew: true }
  const known = await store.find(handle, draft.attemptId)
  if (known === 'closed') return { result: 'attempt_closed' }
  if (!known || !isSame(known, entry)) return { result: 'attempt_reused' }
  return { result: 'entry', entry: known, isNew: false }
}

function hasMoved(performed: Performed): boolean {
  return performed.result === 'entry' && performed.isNew && performed.entry.moved > 0
}

/** An attempt id belongs to one request. Another request with the same id is refused. */
function isSame(known: Entry, entry: Entry): boolean {
  return (
    known.operation === entry.operation &&
    known.merchantHash.equals(entry.merchantHash) &&
    known.amount === entry.amount &&
    known.currency === entry.currency &&
    String(known.cardHash?.toString('hex')) === String(entry.cardHash?.toString('hex'))
  )
}

/** A date without a time, so that two answers of one day are the same. */
export function inAYear(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate()))
}
