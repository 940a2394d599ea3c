import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { isReference } from '../requests.ts'
import { inTransaction, type Tx } from '../store.ts'
import { readWish } from './cards.ts'
import type { Entry, Scheme, Status, Token } from './store.ts'
import * as store from './store.ts'

export type Office = {
  readonly pool: pg.Pool
  readonly clock: () => Date
  /** A keyed hash, which is stored instead of card numbers, and from which the numbers of tokens follow. */
  readonly mac: (input: string) => Buffer
}

type Attempt = { readonly attemptId: string; readonly requestorId: string }

export type Provision = Attempt & {
  readonly clientReference: string
  readonly scheme: Scheme
  readonly number: string
}
export type Change = Attempt & {
  readonly operation: 'suspend' | 'resume' | 'delete'
  readonly reference: string
}
/** A change that comes from the issuer, and that the merchant's system is notified of. */
export type Notice = Pick<Attempt, 'requestorId'> & {
  readonly clientReference: string
  readonly status: Status | null
  readonly expirationDate: string | null
}

/** The result of a request: an entry in the books, or the reason why there is none. */
export type Performed =
  | { readonly result: 'entry'; readonly entry: Entry; readonly isNew: boolean }
  | { readonly result: 'attempt_closed' | 'attempt_reused' }

function cardHashOf({ mac }: Office, number: string): Buffer {
  return mac(JSON.stringify(['card', number]))
}

export async function provision(office: Office, order: Provision): Promise<Performed> {
  const { isRefused, isInactive, fault, makesCryptograms } = readWish(order.number)
  const now = office.clock()
  const entry = { ...order, operation: 'provision' as const, createdAt: now }
  const drafted = { ...entry, status: 'approved' as const, reference: null, code: null }
  if (isRefused) {
    return enter(office.pool, { ...entry, status: 'refused', reference: null, code: 'issuer_takes_no_part' })
  }
  return inTransaction(office.pool, async (tx) => {
    const known = await knownAs(tx, drafted)
    if (known) return known
    const reference = randomUUID()
    await store.insertToken(tx, {
      ...order,
      reference,
      cardHash: cardHashOf(office, order.number),
      status: isInactive ? 'inactive' : 'active',
      expirationDate: inFourYears(now),
      fault,
      makesCryptograms,
      createdAt: now,
    })
    const performed = await enter(tx, { ...entry, status: 'approved', reference, code: null })
    if (performed.result === 'entry' && performed.isNew) return performed
    // The same attempt came at the same time: its token is the one.
    throw new AlreadyDone(performed)
  }).catch(async (error: unknown) => {
    if (error instanceof AlreadyDone) return error.performed
    if (isTwin(error)) return (await knownAs(office.pool, drafted)) ?? { result: 'attempt_reused' }
    throw error
  })
}

class AlreadyDone extends Error {
  readonly performed: Performed

  constructor(performed: Performed) {
    super('the attempt is done already')
    this.performed = performed
  }
}

/** The same attempt came twice at the same time, and the other one was first. */
function isTwin(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

const AFTER: Readonly<Record<Change['operation'], Status>> = {
  suspend: 'suspended',
  resume: 'active',
  delete: 'deleted',
}

export function change(office: Office, order: Change): Promise<Performed> {
  return inTransaction(office.pool, async (tx) => {
    const token = isReference(order.reference)
      ? await store.lockToken(tx, 'reference', order.reference)
      : null
    const own = token?.requestorId === order.requestorId ? token : null
    const code = refusalOf(own, order.operation)
    const performed = await enter(tx, {
      ...order,
      status: code === null ? 'approved' : 'refused',
      reference: own?.reference ?? null,
      code,
      createdAt: office.clock(),
    })
    if (own && code === null && performed.result === 'entry' && performed.isNew) {
      await store.changeToken(tx, own.reference, { ...own, status: AFTER[order.operation] })
    }
    return performed
  })
}

function refusalOf(token: Token | null, operation: Change['operation']): string | null {
  if (!token || token.status === 'deleted') return 'unknown_token'
  return token.status === 'inactive' && operation !== 'delete' ? 'token_not_active' : null
}

/** Makes a cryptogram, which works once. Only an active token has them. */
export async function makeCryptogram(
  office: Office,
  { reference, requestorId }: Pick<Change, 'reference' | 'requestorId'>,
): Promise<string | { readonly code: string }> {
  const token = isReference(reference) ? await store.findToken(office.pool, reference) : null
  if (token?.requestorId !== requestorId || token.status === 'deleted') return { code: 'unknown_token' }
  if (token.status !== 'active') return { code: 'token_not_active' }
  if (!token.makesCryptograms) return { code: 'cryptogram_not_available' }
  return randomBytes(20).toString('base64')
}

/** Null when there is no such token. A deleted one stays deleted. */
export function take(office: Office, notice: Notice): Promise<Token | null> {
  return inTransaction(office.pool, async (tx) => {
    const token = await store.lockToken(tx, 'client_reference', notice.clientReference)
    if (token?.requestorId !== notice.requestorId) return null
    const isGone = token.status === 'deleted'
    const after = {
      ...token,
      status: isGone ? token.status : (notice.status ?? token.status),
      expirationDate: notice.expirationDate ?? token.expirationDate,
    }
    await store.changeToken(tx, token.reference, after)
    return after
  })
}

/** The outcome of an attempt. One that has not arrived is closed, and refused if it still arrives. */
export async function inquire(office: Office, attemptId: string): Promise<Entry | 'closed'> {
  const known = await store.findEntry(office.pool, attemptId)
  if (known) return known
  await store.close(office.pool, attemptId, office.clock())
  return (await store.findEntry(office.pool, attemptId)) ?? 'closed'
}

/** Records the attempt. A known attempt gets its first answer again. */
async function enter(handle: pg.Pool | Tx, entry: Entry): Promise<Performed> {
  if (await store.insertEntry(handle, entry)) return { result: 'entry', entry, isNew: true }
  return (await knownAs(handle, entry)) ?? { result: 'attempt_reused' }
}

async function knownAs(handle: pg.Pool | Tx, entry: Entry): Promise<Performed | null> {
  const known = await store.findEntry(handle, entry.attemptId)
  if (known === null) return null
  if (known === 'closed') return { result: 'attempt_closed' }
  const isSame = known.operation === entry.operation && known.requestorId === entry.requestorId
  return isSame ? { result: 'entry', entry: known, isNew: false } : { result: 'attempt_reused' }
}

function inFourYears(now: Date): string {
  const month = String(now.getUTCMonth() + 1).padStart(2, '0')
  return `${month}/${String((now.getUTCFullYear() + 4) % 100).padStart(2, '0')}`
}
