import type { StoredLine } from './columns.ts'

type Told = { readonly reference: string; readonly amount: number; readonly postedAt: Date }

/**
 * What a notification says of a chargeback to which the provider gives no id. A repeated notification says the same; another
 * chargeback of the same amount has another time.
 */
export function noticeOf({ reference, amount, postedAt }: Told): string {
  return `${reference} ${Math.abs(amount)} ${postedAt.toISOString()}`
}

/** By what a file and a notification that tell of the same chargeback agree. */
export function pairingOf(
  line: Pick<StoredLine, 'kind' | 'provider_reference' | 'original_amount' | 'amount'>,
) {
  return `${line.kind} ${line.provider_reference} ${Math.abs(Number(line.original_amount ?? line.amount))}`
}

/** A chargeback or reversal to which the provider gives no id. */
export function isNameless({ kind, external_identifier }: Pick<StoredLine, 'kind' | 'external_identifier'>) {
  return external_identifier === null && (kind === 'chargeback' || kind === 'chargeback_reversal')
}
