import { sql } from 'kysely'
import { WRITTEN } from '#domain/written-forms.ts'
import type { Scope } from '#platform/database/db.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Kind, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const UNITS = { day: 1, week: 7, month: 28 } as const
const PERIODS_MAX = 400
const DAY_MS = 86_400_000
const USUAL_MONTHS = 12

const Money = (description: string) => Type.Integer({ description })

const SettlementTotal = Strict(
  {
    type: Kind('settlement-total'),
    period: Type.String({
      format: 'date',
      description: 'The first day of the period. A week begins on Monday.',
    }),
    payment_service_id: Uuid(),
    currency: Type.String({ ...WRITTEN.currency, description: 'In which the payment service pays out.' }),
    payment_amount: Money('What it settled of payments, before fees.'),
    refund_amount: Money('What it took for refunds: below zero.'),
    chargeback_amount: Money('What buyers’ banks took back: below zero.'),
    chargeback_reversal_amount: Money('What came back of chargebacks.'),
    other_amount: Money('Lines about no payment, such as monthly fees, reserves and payouts to the bank.'),
    fee_amount: Money('All commissions.'),
    interchange_amount: Money(
      'The part of the fees that is the issuers’, where the payment service states it.',
    ),
    markup_amount: Money('The part that is the payment service’s, where it states it.'),
    scheme_fee_amount: Money('The part that is the card schemes’, where the payment service states it.'),
    net_amount: Money('All amounts less the fees.'),
    line_count: Type.Integer({ minimum: 0, description: 'The lines that moved this money.' }),
  },
  { title: 'SettlementTotal' },
)
type SettlementTotal = Static<typeof SettlementTotal>

const SettlementTotals = Strict(
  { items: Type.Array(SettlementTotal) },
  {
    title: 'SettlementTotals',
    examples: [
      {
        items: [
          {
            type: 'settlement-total',
            period: '2026-11-01',
            payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
            currency: 'USD',
            payment_amount: 155_880,
            refund_amount: -1_299,
            chargeback_amount: -1_299,
            chargeback_reversal_amount: 0,
            other_amount: 0,
            fee_amount: 5_303,
            interchange_amount: 2_650,
            markup_amount: 1_590,
            scheme_fee_amount: 1_063,
            net_amount: 147_979,
            line_count: 122,
          },
        ],
      },
    ],
  },
)

const SettlementTotalFilters = Strict({
  unit: Type.Optional(
    OneOf(Object.keys(UNITS) as (keyof typeof UNITS)[], {
      default: 'month',
      description: 'How long a period is.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'date',
      description: 'The first day, in UTC. Left out: the first day of the month eleven months before `to`.',
    }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'The last day, in UTC. Left out: today.' })),
  payment_service_id: Type.Optional(Uuid({ description: 'Only of this payment service.' })),
  currency: Type.Optional(
    Type.String({ ...WRITTEN.currency, description: 'Only what is paid out in this currency.' }),
  ),
})
type SettlementTotalFilters = Static<typeof SettlementTotalFilters>

/** What arrived, by period, payment service and currency. */
export const settlementTotalRoutes: readonly Operation[] = [
  operation({
    id: 'list_settlement_totals',
    route: 'GET /payment-service-reports/totals',
    tag: 'Payment service reports',
    scope: 'payment-service-reports.read',
    concerns: 'merchant-account',
    summary: 'List settlement totals',
    description:
      'What payment services have settled, taken and charged, by period, service and currency, the latest period first. A line counts ' +
      'in the period in which the payment service posted it, whether a payment fits it or not; lines that only repeat another one do ' +
      'not count.',
    query: SettlementTotalFilters,
    check: ({ query }, { now }) => complaints(query, now),
    responses: { 200: SettlementTotals },
    handler: async (call) => ({ items: await addUp(scopeOf(call), call.query) }),
  }),
]

function spanOf({ from, to }: Pick<SettlementTotalFilters, 'from' | 'to'>, now: Date) {
  const last = to ?? now.toISOString().slice(0, 10)
  const first = new Date(last)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - USUAL_MONTHS + 1)
  return { first: from ?? first.toISOString().slice(0, 10), last }
}

function complaints(
  {
    unit = 'month',
    ...query
  }: { readonly [Name in keyof SettlementTotalFilters]?: SettlementTotalFilters[Name] | undefined },
  now: Date,
): ErrorDetail[] {
  const { first, last } = spanOf(query as SettlementTotalFilters, now)
  const days = (new Date(last).getTime() - new Date(first).getTime()) / DAY_MS
  const about = { location: 'query', pointer: '/from' } as const
  if (days < 0)
    return [
      {
        ...about,
        type: 'value_error.number.not_le',
        message: `must not be after ${last}, where the time ends`,
      },
    ]
  if (days <= PERIODS_MAX * UNITS[unit]) return []
  const message = `must not be more than ${PERIODS_MAX} periods before ${last}: ask for less time, or for longer periods`
  return [{ ...about, type: 'value_error.number.not_ge', message }]
}

type Row = Readonly<Record<Exclude<keyof SettlementTotal, 'type'>, string>>

const sumOf = (column: string) => sql`sum(${sql.ref(column)})`
const amountOf = (kind: string) => sql`coalesce(sum(amount) filter (where kind = ${sql.lit(kind)}), 0)`

async function addUp(
  { db, clock, merchantAccountId }: Scope,
  query: SettlementTotalFilters,
): Promise<SettlementTotal[]> {
  const { unit = 'month', payment_service_id: service, currency } = query
  const { first, last } = spanOf(query, clock())
  const { rows } = await sql<Row>`
    select date_trunc(${sql.lit(unit)}, day::timestamp)::date::text as period, payment_service_id, currency,
      ${amountOf('settlement')} as payment_amount, ${amountOf('refund_settlement')} as refund_amount,
      ${amountOf('chargeback')} as chargeback_amount, ${amountOf('chargeback_reversal')} as chargeback_reversal_amount,
      ${amountOf('other')} as other_amount, ${sumOf('commission')} as fee_amount, ${sumOf('interchange')} as interchange_amount,
      ${sumOf('markup')} as markup_amount, ${sumOf('scheme_fee')} as scheme_fee_amount,
      sum(amount - commission) as net_amount, sum(line_count) as line_count
    from settlement_sums
    where merchant_account_id = ${merchantAccountId} and day between ${first}::date and ${last}::date
      ${service ? sql`and payment_service_id = ${service}` : sql``} ${currency ? sql`and currency = ${currency}` : sql``}
    group by 1, 2, 3 having sum(line_count) > 0
    order by 1 desc, 2, 3
  `.execute(db)
  return rows.map(toTotal)
}

function toTotal({ period, payment_service_id, currency, ...sums }: Row): SettlementTotal {
  return {
    type: 'settlement-total',
    period,
    payment_service_id,
    currency,
    payment_amount: Number(sums.payment_amount),
    refund_amount: Number(sums.refund_amount),
    chargeback_amount: Number(sums.chargeback_amount),
    chargeback_reversal_amount: Number(sums.chargeback_reversal_amount),
    other_amount: Number(sums.other_amount),
    fee_amount: Number(sums.fee_amount),
    interchange_amount: Number(sums.interchange_amount),
    markup_amount: Number(sums.markup_amount),
    scheme_fee_amount: Number(sums.scheme_fee_amount),
    net_amount: Number(sums.net_amount),
    line_count: Number(sums.line_count),
  }
}
