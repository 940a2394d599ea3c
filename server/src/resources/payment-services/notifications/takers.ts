import { takeApproval, takeNotification } from '#payments/attempts/take-notification.ts'
import { takeLateFailure } from '#payments/reported/take-late-failure.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { takeNewReport } from '#resources/payment-service-reports/take-new-report.ts'
import { takePayoutNotification } from '#resources/payouts/take-notification.ts'
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
