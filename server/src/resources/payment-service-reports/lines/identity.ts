import type { ReportLine } from '#connectors/contract/reports.ts'

type Movement = Pick<ReportLine, 'kind' | 'id' | 'reference' | 'amount'>

/**
 * The name under which a movement counts once: the provider's own id. A provider that gives none still tells of a
 * chargeback twice, by a notification and in a file: then payment and amount have to do.
 */
export function identityOf({ kind, id, reference, amount }: Movement): string | null {
  const isDispute = kind === 'chargeback' || kind === 'chargeback_reversal'
  return id ?? (isDispute ? `${reference} ${Math.abs(amount)}` : null)
}
