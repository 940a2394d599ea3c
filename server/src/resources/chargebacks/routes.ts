import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/moments.ts'
import { findDispute, listDisputes } from '#resources/payment-service-reports/lines/disputes.ts'
import { answerChargeback, reopenChargeback } from './answer.ts'
import { ChargebackAnswer, ChargebackCase, ChargebackCases, ChargebackFilters } from './schemas.ts'
import { toCase } from './show.ts'

const TAG = 'Chargebacks'
const Path = Strict({ chargeback_id: Uuid() })
const READING = { tag: TAG, scope: 'transactions.read', concerns: 'merchant-account' } as const
const CHANGING = {
  tag: TAG,
  scope: 'transactions.write',
  orScope: 'transactions.follow-ups.write',
  concerns: 'merchant-account',
} as const

/** What banks have taken back, and whether a person has answered. */
export function chargebackRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      ...READING,
      id: 'list_chargebacks',
      route: 'GET /chargebacks',
      summary: 'List chargebacks',
      description:
        'Chargebacks of all transactions of the merchant account, newest first, with their deadlines and answers.',
      query: ChargebackFilters,
      responses: { 200: ChargebackCases },
      handler: async (call) => {
        const { status, transaction_id, posted_at_gte, posted_at_lte, ...page } = call.query
        const wanted = {
          status,
          transactionId: transaction_id,
          postedFrom:
            posted_at_gte === undefined ? undefined : new Date(firstMsOf(posted_at_gte, 'posted_at_gte')),
          postedTo:
            posted_at_lte === undefined ? undefined : new Date(lastMsOf(posted_at_lte, 'posted_at_lte')),
        }
        const found = await listDisputes(scopeOf(call), secrets, wanted, page)
        return { ...found, items: found.items.map(toCase) }
      },
    }),

    operation({
      ...READING,
      id: 'get_chargeback',
      route: 'GET /chargebacks/:chargeback_id',
      summary: 'Get chargeback',
      params: Path,
      responses: { 200: ChargebackCase },
      handler: async (call) => {
        const found = await findDispute(scopeOf(call), call.params.chargeback_id)
        if (!found) throw errors.notFound()
        return toCase(found)
      },
    }),

    operation({
      ...CHANGING,
      id: 'update_chargeback_answer',
      route: 'PUT /chargebacks/:chargeback_id/answer',
      summary: 'Update chargeback answer',
      description:
        'Notes that you have answered the chargeback at the payment service, with a text for your colleagues. ' +
        'Nothing is sent to the payment service. The chargeback no longer needs attention, and the audit log names you.',
      params: Path,
      body: ChargebackAnswer,
      responses: { 200: ChargebackCase },
      handler: (call) => answerChargeback(scopeOf(call), call.params.chargeback_id, call.body.note),
    }),

    operation({
      ...CHANGING,
      id: 'delete_chargeback_answer',
      route: 'DELETE /chargebacks/:chargeback_id/answer',
      summary: 'Delete chargeback answer',
      description: 'Removes the note, so that the chargeback needs attention again.',
      params: Path,
      responses: { 204: null },
      handler: (call) => reopenChargeback(scopeOf(call), call.params.chargeback_id),
    }),
  ]
}
