/** How the payments of a period were decided. */
export type Counted = { readonly authorized: number; readonly decided: number }

type Thresholds = { readonly alert_gt: number | null; readonly alert_lt: number | null }
type Patience = { readonly create_after_n: number | null; readonly close_after_n: number | null }

/** Samples of the same kind in a row. Null: there was none yet. */
export type Run = { readonly healthy: boolean; readonly length: number } | null

/** Null: nothing was decided, so there is no rate. */
export function rateOf({ authorized, decided }: Counted): number | null {
  return decided === 0 ? null : authorized / decided
}

/** Whether a rate is healthy. Null: there is no rate, or no threshold. */
export function isHealthy(rate: number | null, { alert_gt, alert_lt }: Thresholds): boolean | null {
  if (rate === null || (alert_gt === null && alert_lt === null)) return null
  const isTooHigh = alert_gt !== null && rate > alert_gt
  const isTooLow = alert_lt !== null && rate < alert_lt
  return !isTooHigh && !isTooLow
}

/** A sample that is neither healthy nor an alert neither lengthens a run nor ends it. */
export function runAfter(run: Run, healthy: boolean | null): Run {
  if (healthy === null) return run
  return { healthy, length: run?.healthy === healthy ? run.length + 1 : 1 }
}

/** What a sample does to incidents, given the run that it ends. */
export function incidentStep(
  { healthy, run, isOpen }: { readonly healthy: boolean | null; readonly run: Run; readonly isOpen: boolean },
  { create_after_n, close_after_n }: Patience,
): 'open' | 'close' | null {
  if (healthy === null || run === null || create_after_n === null || close_after_n === null) return null
  if (!healthy && !isOpen && run.length >= create_after_n) return 'open'
  if (healthy && isOpen && run.length >= close_after_n) return 'close'
  return null
}

/** Whether incidents can be opened and closed at all. */
export function hasIncidents(policies: Thresholds & Patience): boolean {
  const hasThreshold = policies.alert_gt !== null || policies.alert_lt !== null
  return hasThreshold && policies.create_after_n !== null
}
