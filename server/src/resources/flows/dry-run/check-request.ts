import { requestComplaints } from '#payments/prepare/check-request.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { below, triedComplaints } from '../tried-rules.ts'
import type { FlowDryRunCreate } from './schemas.ts'

/** One payment and one set of rules, each as its own operation would want it. */
export function dryRunComplaints(body: Sound<FlowDryRunCreate>, about: About): ErrorDetail[] {
  const { transaction, transaction_id, anti_fraud_decision } = body
  const complaints: ErrorDetail[] = []
  if (transaction === undefined && transaction_id === undefined)
    complaints.push(inBody('/transaction', 'value_error.missing', 'send transaction or transaction_id'))
  if (transaction !== undefined && transaction_id !== undefined)
    complaints.push(
      inBody('/transaction_id', 'value_error.conflict', 'leave it out, or leave out transaction'),
    )
  if (transaction_id !== undefined && anti_fraud_decision !== undefined)
    complaints.push(
      inBody('/anti_fraud_decision', 'value_error.conflict', 'leave it out: the payment has its own'),
    )
  const within = {
    ...about,
    isRight: (...pointers: string[]) => about.isRight(...pointers.map((p) => `/transaction${p}`)),
  }
  const ofPayment = transaction ? below('/transaction', requestComplaints(transaction, within)) : []
  return [...complaints, ...ofPayment, ...triedComplaints(body)]
}
