import { describeMethod } from '../../../server/src/domain/payment-method.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { capital } from '../parts/locale.ts'
import type { Mark, Marks } from '../parts/values.tsx'

type Status = Schemas['Transaction']['status']

/** What each status means to a person. */
export const STATUSES: Marks<Status> = {
  processing: { tone: 'wait', label: 'Processing' },
  buyer_approval_pending: { tone: 'info', label: 'Awaiting buyer' },
  authorization_succeeded: { tone: 'info', label: 'Authorized' },
  authorization_declined: { tone: 'bad', label: 'Declined' },
  authorization_failed: { tone: 'bad', label: 'Failed' },
  capture_pending: { tone: 'wait', label: 'Capturing' },
  capture_succeeded: { tone: 'good', label: 'Captured' },
  authorization_void_pending: { tone: 'wait', label: 'Voiding' },
  authorization_voided: { tone: 'mute', label: 'Voided' },
}

/** More than the status: what else happened to the money, and who is waited for. */
export function markOf(
  one: Pick<
    Schemas['TransactionSummary'],
    'status' | 'pending_review' | 'captured_amount' | 'refunded_amount' | 'disputed'
  >,
): Mark {
  if (one.pending_review) return { tone: 'info', label: 'In review' }
  if (one.disputed) return { tone: 'bad', label: 'Disputed' }
  if (one.status === 'capture_succeeded' && one.refunded_amount > 0)
    return { tone: 'mute', label: one.refunded_amount < one.captured_amount ? 'Part refunded' : 'Refunded' }
  return STATUSES[one.status]
}

/** `insufficient_funds` as people read it. */
export function plain(code: string): string {
  return code.replaceAll(/[_-]/g, ' ')
}

/** Where a payment comes from. */
export function sourceName(source: string): string {
  return { moto: 'Mail or telephone', ecommerce: 'Online' }[source] ?? capital(plain(source))
}

const METHODS: Readonly<Record<string, string>> = {
  bank: 'Bank account',
  googlepay_pan_only: 'Google Pay (card number)',
  id: 'Stored method',
  sepa: 'SEPA Direct Debit',
  ach: 'ACH',
}

const SCHEMES: Readonly<Record<string, string>> = {
  amex: 'American Express',
  'carte-bancaire': 'Cartes Bancaires',
  'eftpos-australia': 'eftpos',
  jcb: 'JCB',
  nyce: 'NYCE',
  qcard: 'Q Card',
  rupay: 'RuPay',
  uatp: 'UATP',
  unionpay: 'UnionPay',
}

export function methodName(method: string): string {
  return METHODS[method] ?? describeMethod(method)?.name ?? capital(plain(method))
}

export function schemeName(scheme: string): string {
  return SCHEMES[scheme] ?? capital(plain(scheme))
}

type Paying = Pick<Schemas['TransactionSummary'], 'buyer'>

/** The person who pays, as well as they are known. Undefined: a guest who gave no name. */
export function buyerName({ buyer }: Paying): string | undefined {
  const { first_name, last_name, email_address } = buyer?.billing_details ?? {}
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return buyer?.display_name || name || email_address || buyer?.external_identifier || undefined
}
