import type { ServiceStanding } from '#resources/transactions/wire/decision.ts'
import type { Standing } from './kept-decision.ts'

/** The figures of one service, as the API shows them. */
export function standingIn(standings: readonly Standing[], id: string): ServiceStanding | null {
  const found = standings.find(({ payment_service_id }) => payment_service_id === id)
  if (!found) return null
  const { payment_service_id: _, ...standing } = found
  return { ...standing, cost_payments: standing.cost_payments ?? null }
}

export function explainStanding({
  success_rate,
  payments,
  drawn,
  cost,
  cost_payments,
  is_aside,
  is_probe,
}: ServiceStanding): string {
  const known =
    success_rate === null
      ? 'Nothing was known of it yet.'
      : `About ${(success_rate * 100).toFixed(1)} % of ${payments} such payments had succeeded.`
  const source = cost_payments === null ? 'by the rule' : `by the fees of ${cost_payments} settled payments`
  const costs =
    cost === null ? [] : [`The payment would cost ${cost} there, in the smallest unit, ${source}.`]
  const aside = is_probe
    ? ['It had failed too often in a row, and was asked to see whether it is back.']
    : is_aside
      ? ['It had failed too often in a row, so it came last.']
      : []
  const chance =
    drawn === null
      ? []
      : [
          `It got ${(drawn * 100).toFixed(1)} % in the draw of this payment, by what is known of it; the highest comes first, so that little known services are tried, too.`,
        ]
  return [known, ...chance, ...costs, ...aside].join(' ')
}
