import { type Static, Type } from 'typebox'
import { Kind, Strict } from '../../../platform/schemas.ts'
import { EXAMPLE_REPORTED, REPORTED } from '../settlements/schemas.ts'

export const ChargebackReversal = Strict(
  { type: Kind('chargeback-reversal'), ...REPORTED },
  { title: 'ChargebackReversal', examples: [{ type: 'chargeback-reversal', ...EXAMPLE_REPORTED }] },
)
export type ChargebackReversal = Static<typeof ChargebackReversal>

export const ChargebackReversals = Strict(
  { items: Type.Array(ChargebackReversal) },
  { title: 'ChargebackReversals' },
)
export type ChargebackReversals = Static<typeof ChargebackReversals>
