import type { ListedOperation } from '#connectors/contract/connector.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { isId } from '#platform/http/incoming.ts'
import * as history from '#processing/attempts/history.ts'
import type { Attempt, PaymentKind } from '#processing/attempts/store.ts'
import * as archives from '#resources/archives/store.ts'
import type { WorkingService } from '#resources/payment-services/store.ts'
import * as transactions from '../store/payments.ts'
import type { Listed } from './list.ts'

/** What was listed of one payment and is not on record, or not decided here. */
export type Missing = {
  readonly merchantAccountId: string
  readonly service: WorkingService
  readonly transactionId: string
  readonly isKnown: boolean
  readonly operations: readonly ListedOperation[]
}

/** What cannot be entered, or is here in another way. */
export type Finding = Listed & { readonly reason: string }

export type Compared = {
  readonly missing: readonly Missing[]
  readonly refused: readonly Finding[]
  readonly different: readonly Finding[]
  /** Operations that are here as the provider has them. */
  readonly known: number
}

/**
 * Compares what providers listed with what is on record. The service records an attempt before it asks, and the list is older
 * than this look: what is not on record now was never recorded in this database, or is lost.
 */
export async function compare(context: Context, listed: readonly Listed[]): Promise<Compared> {
  const refused: Finding[] = []
  const different: Finding[] = []
  const open = new Map<string, Listed[]>()
  const ids = listed.flatMap(({ operation }) => idOf(operation) ?? [])
  const attempts = await history.findAll(context, ids)
  const payments = new Map(
    listed.flatMap(({ operation: { transactionId, authorization } }) =>
      transactionId !== null && isId(transactionId) ? [[authorization, transactionId]] : [],
    ),
  )
  let known = 0
  for (const one of listed) {
    const found = attempts.get(idOf(one.operation) ?? '') ?? (await findNamed(context, one))
    const difference = found && differenceOf(found, one.operation)
    if (difference !== undefined) different.push({ ...one, reason: difference })
    else if (found && !isToDecide(found, one.operation)) known += 1
    else {
      const paymentId =
        found?.transaction_id ??
        payments.get(one.operation.authorization) ??
        (await findPaymentId(context, one))
      if (paymentId === undefined) refused.push({ ...one, reason: NOT_OURS })
      else open.set(paymentId, [...(open.get(paymentId) ?? []), one])
    }
  }
  const missing: Missing[] = []
  for (const [transactionId, group] of open) {
    const placed = await place(context, transactionId, group)
    if (placed === 'archived') known += group.length
    else if (typeof placed === 'string') refused.push(...group.map((one) => ({ ...one, reason: placed })))
    else missing.push(placed)
  }
  return { missing, refused, different, known }
}

const NOT_OURS = 'it names no payment of this service: another system made it'

function idOf({ attemptId }: ListedOperation): string | undefined {
  return attemptId !== null && isId(attemptId) ? attemptId : undefined
}

/** What has no id of ours is known by that of the provider. */
export async function findNamed(
  context: Context,
  { operation, services }: Listed,
): Promise<Attempt | undefined> {
  if (idOf(operation) !== undefined) return undefined
  const { reference } = operation.answer
  return ofService(context, services, { reference, kind: operation.operation })
}

async function findPaymentId(context: Context, { operation, services }: Listed): Promise<string | undefined> {
  const named = { reference: operation.authorization, kind: 'authorize' as const }
  return (await ofService(context, services, named))?.transaction_id ?? undefined
}

type Named = { readonly reference: string | null; readonly kind: PaymentKind }

async function ofService(
  context: Context,
  services: readonly WorkingService[],
  { reference, kind }: Named,
): Promise<Attempt | undefined> {
  for (const { id: serviceId, merchant_account_id: merchantAccountId } of services) {
    const scope = { ...context, merchantAccountId }
    const found = await history.findBySubject(scope, { serviceId, subject: { reference }, kind })
    if (found) return found
  }
  return undefined
}

/** The service asks about an open attempt by itself. What has moved money is decided now, so that what follows it fits. */
function isToDecide({ due_at }: Pick<Attempt, 'due_at'>, { answer }: ListedOperation): boolean {
  return due_at !== null && answer.outcome === 'approved'
}

function differenceOf({ due_at, state }: Attempt, { answer }: ListedOperation): string | undefined {
  if (due_at !== null || answer.outcome === 'pending') return undefined
  const isSame = (state === 'approved') === (answer.outcome === 'approved')
  return isSame ? undefined : `it is ${state} here, and ${answer.outcome} at the provider`
}

/** Where the operations of a payment belong, or why they cannot be entered. */
async function place(
  context: Context,
  transactionId: string,
  group: readonly Listed[],
): Promise<Missing | string> {
  const services = [...new Set(group.flatMap((one) => one.services))]
  const operations = group.map(({ operation }) => operation)
  for (const merchantAccountId of new Set(services.map((one) => one.merchant_account_id))) {
    const scope: Scope = { ...context, merchantAccountId }
    const payment = await transactions.find(scope, transactionId)
    if (payment) {
      const service = services.find(({ id }) => id === payment.payment_service_id)
      if (!service) return 'its payment is with another payment service here'
      return { merchantAccountId, service, transactionId, isKnown: true, operations }
    }
    if ((await archives.monthOf(scope, transactionId)) !== undefined) return 'archived'
  }
  const authorizations = group.filter(({ operation }) => operation.operation === 'authorize')
  if (authorizations.length === 0)
    return 'its payment is not here, and its authorization is not in the list: begin earlier, with --since'
  const takers = authorizations.filter(({ operation: { answer } }) => !isRefused(answer))
  if (takers.length > 1) return 'its payment was approved more than once: a person has to decide'
  const [service, ...others] = (takers[0] ?? authorizations.at(-1))?.services ?? []
  if (!service) return NOT_OURS
  if (others.length > 0) {
    const names = [service, ...others].map(({ id }) => id).join(', ')
    return `these payment services share an account at the provider: ${names}. Name the one that was used, with --service`
  }
  const { merchant_account_id: merchantAccountId } = service
  return { merchantAccountId, service, transactionId, isKnown: false, operations }
}

export function isRefused({ outcome }: ListedOperation['answer']): boolean {
  return outcome === 'declined' || outcome === 'failed'
}
