import { type Static, Type } from 'typebox'
import { Kind, Strict, Uuid } from '#platform/schemas.ts'
import { EXAMPLE_REPORTED, REPORTED } from '../settlements/schemas.ts'

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
