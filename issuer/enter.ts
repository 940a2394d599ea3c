import type { Operation } from './ledger.ts'
import * as ledger from './ledger.ts'
import { type Handle, newId, type Office } from './office.ts'
import type { Verdict } from './rules.ts'

/** The result of a request: an operation in the books, or the reason why there is none. */
export type Performed =
  | { readonly result: 'operation'; readonly operation: Operation; readonly isNew: boolean }
  | { readonly result: 'attempt_closed' | 'attempt_reused' }

type Decided = 'status' | 'id' | 'givenBack' | 'code' | 'rawCode' | 'rawMessage' | 'createdAt' | 'expiresAt'
export type Draft = Omit<Operation, Decided>

/**
 * Records an attempt and its decision. A known attempt gets its first answer again, even if the card is empty, expired
 * or locked by now.
 */
export async function enter(
  { clock }: Pick<Office, 'clock'>,
  handle: Handle,
  draft: Draft,
  verdict: Verdict,
): Promise<Performed> {
  const now = clock()
  const isRefused = verdict.status === 'refused'
  const operation: Operation = {
    ...draft,
    status: verdict.status,
    id: newId(now),
    givenBack: 0,
    code: isRefused ? verdict.code : null,
    rawCode: isRefused ? verdict.rawCode : null,
    rawMessage: isRefused ? verdict.rawMessage : null,
    createdAt: now,
    expiresAt: null,
  }
  if (await ledger.insert(handle, operation)) return { result: 'operation', operation, isNew: true }
  const known = await ledger.find(handle, draft)
  if (known === 'closed') return { result: 'attempt_closed' }
  if (!known || !isSame(known, operation)) return { result: 'attempt_reused' }
  return { result: 'operation', operation: known, isNew: false }
}

/** Whether this request decided the operation, and has to carry it out. */
export function isToBeDone(performed: Performed): performed is Performed & { result: 'operation' } {
  return performed.result === 'operation' && performed.isNew && performed.operation.status === 'approved'
}

/** An attempt id belongs to one request. Another request with the same id is refused. */
function isSame(known: Operation, operation: Operation): boolean {
  // Issuing makes a new card id each time it is tried.
  const isSameCard = operation.operation === 'issue' || known.cardId === operation.cardId
  return (
    known.operation === operation.operation &&
    isSameCard &&
    known.amount === operation.amount &&
    known.currency === operation.currency
  )
}
