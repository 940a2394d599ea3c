import { type Static, Type } from 'typebox'
import { Kind, Strict } from '#platform/schemas.ts'
import { EXAMPLE_REPORTED, REPORTED } from '../settlements/schemas.ts'

const ChargebackReversal = Strict(
  { type: Kind('chargeback-reversal'), ...REPORTED },
  { title: 'ChargebackReversal', examples: [{ type: 'chargeback-reversal', ...EXAMPLE_REPORTED }] },
)

export const ChargebackReversals = Strict(
  { items: Type.Array(ChargebackReversal) },
  { title: 'ChargebackReversals' },
)
export type ChargebackReversals = Static<typeof ChargebackReversals>
