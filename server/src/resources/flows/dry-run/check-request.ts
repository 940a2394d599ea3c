import { type ErrorDetail, inBody } from '#platform/errors.ts'
import type { About, Sound } from '#platform/meaning.ts'
import { requestComplaints } from '#resources/transactions/preparation/check-request.ts'
import { ruleComplaints } from '../check-rule.ts'
import type { FlowDryRunCreate } from './schemas.ts'

/** One payment and one set of rules, each as its own operation would want it. */
export function dryRunComplaints(body: Sound<FlowDryRunCreate>, about: About): ErrorDetail[] {
  const { transaction, transaction_id, version, rules, anti_fraud_decision } = body
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
  if (version !== undefined && rules !== undefined)
    complaints.push(inBody('/rules', 'value_error.conflict', 'leave them out, or leave out version'))
  const ofRules = (rules ?? []).flatMap((rule, index) =>
    rule ? below(`/rules/${index}`, ruleComplaints(rule, rule)) : [],
  )
  const within = {
    ...about,
    isRight: (...pointers: string[]) => about.isRight(...pointers.map((p) => `/transaction${p}`)),
  }
  const ofPayment = transaction ? below('/transaction', requestComplaints(transaction, within)) : []
  return [...complaints, ...ofPayment, ...ofRules]
}

/** The path of a rule is a part of the body here. */
function below(pointer: string, details: readonly ErrorDetail[]): ErrorDetail[] {
  return details.map((detail) => ({ ...detail, location: 'body', pointer: `${pointer}${detail.pointer}` }))
}
