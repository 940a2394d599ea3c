import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

/** Fields of every line in a payment service's report. */
const REPORTED = {
  id: Uuid(),
  merchant_account_id: Type.String(),
  transaction_id: Uuid(),
  currency: Type.String({ ...WRITTEN.currency }),
  amount: Type.Integer({
    description: 'Before the commission. Above zero: for the merchant. Below zero: taken from the merchant.',
  }),
  exchange_rate: Nullable(
    Type.Number({
      description: 'Units of `currency` for one unit of the payment’s currency, if it is another one.',
    }),
  ),
  commission: Type.Integer({ description: 'The total fee that the payment service kept.' }),
  interchange: Nullable(Type.Integer({ description: 'The issuer’s part of the commission.' })),
  markup: Nullable(Type.Integer({ description: 'The payment service’s part of the commission.' })),
  scheme_fee: Nullable(Type.Integer({ description: 'The scheme’s part of the commission.' })),
  payment_service_report_id: Uuid(),
  payment_service_report_file_ids: Type.Array(
    Uuid({ description: 'Empty while only a notification has told of it.' }),
  ),
  posted_at: DateTime({ description: 'When the payment service posted the entry.' }),
  ingested_at: DateTime({ description: 'When we read the report.' }),
  created_at: DateTime(),
  updated_at: DateTime(),
}

const EXAMPLE_REPORTED = {
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0014',
  merchant_account_id: 'default',
  transaction_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0010',
  currency: 'USD',
  amount: 1299,
  exchange_rate: null,
  commission: 35,
  interchange: 20,
  markup: 10,
  scheme_fee: 5,
  payment_service_report_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0015',
  payment_service_report_file_ids: ['0199f3a0-5d3b-7c00-8a11-3f1f7f1f0016'],
  posted_at: '2026-11-16T00:00:00.000Z',
  ingested_at: '2026-11-16T09:30:00.000Z',
  created_at: '2026-11-16T09:30:00.000Z',
  updated_at: '2026-11-16T09:30:00.000Z',
}

export const Settlement = Strict(
  { type: Kind('settlement'), ...REPORTED },
  { title: 'Settlement', examples: [{ type: 'settlement', ...EXAMPLE_REPORTED }] },
)
export type Settlement = Static<typeof Settlement>

export const Settlements = Strict({ items: Type.Array(Settlement) }, { title: 'Settlements' })
export type Settlements = Static<typeof Settlements>

export const RefundSettlement = Strict(
  { type: Kind('refund-settlement'), refund_id: Uuid(), ...REPORTED },
  {
    title: 'RefundSettlement',
    examples: [
      {
        type: 'refund-settlement',
        refund_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0013',
        ...EXAMPLE_REPORTED,
        amount: -500,
      },
    ],
  },
)
export type RefundSettlement = Static<typeof RefundSettlement>

export const RefundSettlements = Strict(
  { items: Type.Array(RefundSettlement) },
  { title: 'RefundSettlements' },
)
export type RefundSettlements = Static<typeof RefundSettlements>

const Chargeback = Strict(
  { type: Kind('chargeback'), ...REPORTED },
  { title: 'Chargeback', examples: [{ type: 'chargeback', ...EXAMPLE_REPORTED, amount: -1299 }] },
)
export type Chargeback = Static<typeof Chargeback>

export const Chargebacks = Strict({ items: Type.Array(Chargeback) }, { title: 'Chargebacks' })
export type Chargebacks = Static<typeof Chargebacks>

const ChargebackReversal = Strict(
  { type: Kind('chargeback-reversal'), ...REPORTED },
  { title: 'ChargebackReversal', examples: [{ type: 'chargeback-reversal', ...EXAMPLE_REPORTED }] },
)
export type ChargebackReversal = Static<typeof ChargebackReversal>

export const ChargebackReversals = Strict(
  { items: Type.Array(ChargebackReversal) },
  { title: 'ChargebackReversals' },
)
export type ChargebackReversals = Static<typeof ChargebackReversals>
