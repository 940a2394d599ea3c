import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import { answerDispute, showEvidenceFields } from './answer.ts'
import {
  Dispute,
  DisputeEvidence,
  DisputeEvidenceFields,
  DisputeFilters,
  Disputes,
  toDispute,
} from './schemas.ts'
import * as disputes from './store.ts'

const READING = { tag: 'Disputes', scope: 'transactions.read', concerns: 'merchant-account' } as const
const ANSWERING = { ...READING, scope: 'transactions.write' } as const

/** What payment services tell of disputes, from the first question of a bank to the decision. */
export function disputeRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      ...READING,
      id: 'list_disputes',
      route: 'GET /disputes',
      summary: 'List disputes',
      description:
        'Disputes of all transactions of the merchant account, newest first: each with its stage, its deadline and its steps.',
      query: DisputeFilters,
      responses: { 200: Disputes },
      handler: async (call) => {
        const { stage, transaction_id, ...page } = call.query
        const found = await disputes.list(scopeOf(call), { stage, transaction_id }, page)
        return { ...found, items: found.items.map(toDispute) }
      },
    }),

    operation({
      ...READING,
      id: 'get_dispute',
      route: 'GET /disputes/:dispute_id',
      summary: 'Get dispute',
      responses: { 200: Dispute },
      handler: async (call) =>
        toDispute(orNotFound(await disputes.find(scopeOf(call), call.params.dispute_id))),
    }),

    operation({
      ...READING,
      id: 'get_dispute_evidence_fields',
      route: 'GET /disputes/:dispute_id/evidence-fields',
      summary: 'Get dispute evidence fields',
      description: 'What the payment service takes as evidence, and whether the dispute can be answered now.',
      responses: { 200: DisputeEvidenceFields },
      handler: (call) => showEvidenceFields(scopeOf(call), engine, call.params.dispute_id),
    }),

    operation({
      ...ANSWERING,
      id: 'accept_dispute',
      route: 'POST /disputes/:dispute_id/accept',
      summary: 'Accept dispute',
      description:
        'Gives the money up at the payment service. It cannot be taken back. An answer that the payment service did not take is answered ' +
        'with 200, too: see `answer`. Send an idempotency key, so that a retry goes on with the same answer.',
      responses: { 200: Dispute },
      handler: (call) =>
        answerDispute(scopeOf(call), call.once, engine, { id: call.params.dispute_id, act: 'accept' }),
    }),

    operation({
      ...ANSWERING,
      id: 'submit_dispute_evidence',
      route: 'POST /disputes/:dispute_id/evidence',
      summary: 'Submit dispute evidence',
      description:
        'Sends texts and files to the payment service, which passes them on to the buyer’s bank at once. Most services take evidence once at ' +
        'a stage. `GET /disputes/{dispute_id}/evidence-fields` says what it takes. We keep the evidence, sealed, only until the payment service has it. The body may have 8 MiB.',
      body: DisputeEvidence,
      bodyBytesMax: 8 * 1024 * 1024,
      responses: { 200: Dispute },
      handler: (call) =>
        answerDispute(scopeOf(call), call.once, engine, {
          id: call.params.dispute_id,
          act: 'defend',
          evidence: call.body,
        }),
    }),
  ]
}
