import { createdAt } from '#domain/ids.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/bounds.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import {
  type Answered,
  DISPUTE_STATUSES,
  findDispute,
  listDisputes,
  lockDispute,
  noteAnswer,
  type StoredDispute,
} from '#resources/payment-service-reports/lines/disputes.ts'

const STATUS =
  '`open`: the bank has taken the money, and an answer may still be in time. `answered`: a person has noted that they answered, or the payment service has taken an answer to its dispute. ' +
  '`expired`: the time to answer has passed, which is 45 days if the payment service tells no deadline. `returned`: the bank has given the money back.'

const Note = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: '\\S',
  expected: 'a text that is not empty',
})

const ChargebackAnswer = Strict(
  { note: Note },
  {
    title: 'ChargebackAnswer',
    examples: [{ note: 'Sent the delivery receipt and the mails of 3 November. Case 4711 at the provider.' }],
  },
)

const ChargebackCase = Strict(
  {
    type: Kind('chargeback-case'),
    id: Uuid({ description: 'The id of the chargeback, as in the list of its transaction.' }),
    merchant_account_id: Type.String(),
    transaction_id: Uuid(),
    transaction_external_identifier: Nullable(
      Type.String({ description: 'Your own reference of the payment.' }),
    ),
    status: OneOf([...DISPUTE_STATUSES], { description: STATUS }),
    currency: Type.String({ ...WRITTEN.currency }),
    amount: Type.Integer({ description: 'Below zero: it was taken from the merchant.' }),
    reason_code: Nullable(
      Type.String({ description: 'Why the buyer’s bank took it, as a code of the provider.' }),
    ),
    reason_description: Nullable(Type.String({ description: 'The same in the provider’s words.' })),
    respond_by: Nullable(
      DateTime({ description: 'Until when the payment service takes an answer. Null if it has not told.' }),
    ),
    answer: Nullable(
      Strict(
        {
          note: Nullable(Type.String({ description: 'Null once the buyer is erased.' })),
          author: Strict({ id: Nullable(Uuid()), name: Type.String() }, { description: 'Who noted it.' }),
          created_at: DateTime(),
        },
        {
          title: 'NotedAnswer',
          description: 'That a person has answered at the payment service. Null: none has noted it.',
        },
      ),
    ),
    returned_at: Nullable(DateTime({ description: 'When the bank gave the money back.' })),
    posted_at: DateTime({ description: 'When the payment service posted the chargeback.' }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'ChargebackCase',
    examples: [
      {
        type: 'chargeback-case',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0014',
        merchant_account_id: 'default',
        transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
        transaction_external_identifier: 'order-4711',
        status: 'answered',
        currency: 'USD',
        amount: -1299,
        reason_code: '13.1',
        reason_description: 'Merchandise not received',
        respond_by: '2026-11-30T23:59:59.000Z',
        answer: {
          note: 'Sent the delivery receipt. Case 4711 at the provider.',
          author: { id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0042', name: 'Mara Lind' },
          created_at: '2026-11-17T08:20:00.000Z',
        },
        returned_at: null,
        posted_at: '2026-11-16T00:00:00.000Z',
        created_at: '2026-11-16T09:30:00.000Z',
        updated_at: '2026-11-17T08:20:00.000Z',
      },
    ],
  },
)
type ChargebackCase = Static<typeof ChargebackCase>

const ChargebackCases = CollectionOf(ChargebackCase, 'ChargebackCases')

const ChargebackFilters = Strict({
  ...pageParameters(),
  status: Type.Optional(OneOf([...DISPUTE_STATUSES], { description: 'Only those that stand like this.' })),
  transaction_id: Type.Optional(Uuid({ description: 'Only those of this transaction.' })),
  posted_at_gte: Type.Optional(DateTime({ description: 'Only those posted at this time or later.' })),
  posted_at_lte: Type.Optional(DateTime({ description: 'Only those posted at this time or earlier.' })),
})

const TAG = 'Chargebacks'
const READING = { tag: TAG, scope: 'transactions.read', concerns: 'merchant-account' } as const
const CHANGING = {
  tag: TAG,
  scope: 'transactions.write',
  orScope: 'transactions.follow-ups.write',
  concerns: 'merchant-account',
} as const

/** What banks have taken back, and whether a person has answered. */
export const chargebackRoutes: readonly Operation[] = [
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
      const found = await listDisputes(scopeOf(call), wanted, page)
      return { ...found, items: found.items.map(toCase) }
    },
  }),

  operation({
    ...READING,
    id: 'get_chargeback',
    route: 'GET /chargebacks/:chargeback_id',
    summary: 'Get chargeback',
    responses: { 200: ChargebackCase },
    handler: async (call) => toCase(orNotFound(await findDispute(scopeOf(call), call.params.chargeback_id))),
  }),

  operation({
    ...CHANGING,
    id: 'update_chargeback_answer',
    route: 'PUT /chargebacks/:chargeback_id/answer',
    summary: 'Update chargeback answer',
    description:
      'Notes that you have answered the chargeback at the payment service, with a text for your colleagues. ' +
      'Nothing is sent to the payment service. The chargeback no longer needs attention, and the audit log names you.',
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
    responses: { 204: null },
    handler: (call) => reopenChargeback(scopeOf(call), call.params.chargeback_id),
  }),
]

/** Notes that the caller has answered a chargeback at the payment service. A second note takes the place of the first. */
function answerChargeback(scope: Scope, id: string, note: string): Promise<ChargebackCase> {
  return inTransaction(scope, async (tx) => {
    const { status } = await lock(tx, id)
    if (status === 'returned') throw errors.refused('the bank has returned the money: no answer is needed')
    const { actor } = tx
    return change(tx, id, { note, by: actor.id, byName: actor.name, at: tx.clock() })
  })
}

/** Takes the note back, so that the chargeback is open again. */
function reopenChargeback(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const { answered_at } = await lock(tx, id)
    if (answered_at === null) throw errors.notFound()
    await change(tx, id, null)
  })
}

async function lock(tx: Scope<Tx>, id: string) {
  return orNotFound(await lockDispute(tx, id))
}

async function change(tx: Scope<Tx>, id: string, answered: Answered | null): Promise<ChargebackCase> {
  await noteAnswer(tx, id, answered)
  const after = orNotFound(await findDispute(tx, id))
  const name = `Chargeback of transaction ${after.transaction_id}`
  await auditLogs.record(tx, answered ? 'created' : 'deleted', { type: 'chargeback-answer', id, name })
  return toCase(after)
}

function toCase(row: StoredDispute): ChargebackCase {
  return {
    type: 'chargeback-case',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    transaction_id: row.transaction_id ?? '',
    transaction_external_identifier: row.transaction_external_identifier,
    status: row.status,
    currency: row.currency,
    amount: Number(row.amount),
    reason_code: row.reason_code,
    reason_description: row.reason_description,
    respond_by: row.respond_by?.toISOString() ?? null,
    answer: answerOf(row),
    returned_at: row.returned_at?.toISOString() ?? null,
    posted_at: row.posted_at.toISOString(),
    created_at: createdAt(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function answerOf({ answered_at, answered_by, answered_by_name, answer_note }: StoredDispute) {
  if (answered_at === null) return null
  return {
    note: answer_note,
    author: { id: answered_by, name: answered_by_name ?? '' },
    created_at: answered_at.toISOString(),
  }
}
