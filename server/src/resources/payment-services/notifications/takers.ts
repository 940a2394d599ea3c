import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { takeNewReport } from '#resources/payment-service-reports/take-new-report.ts'
import { takePayoutNotification } from '#resources/payouts/take-notification.ts'
import { takeApproval } from '#resources/transactions/attempts/take-approval.ts'
import { takeNotification } from '#resources/transactions/attempts/take-notification.ts'
import { takeLateFailure } from '#resources/transactions/reported/take-late-failure.ts'
import type { Takers } from './take.ts'

/** Which slice takes what. */
export const TAKERS: Takers = {
  payment: takeNotification,
  payout: takePayoutNotification,
  dispute: takeDispute,
  lateFailure: takeLateFailure,
  approval: takeApproval,
  report: takeNewReport,
}
