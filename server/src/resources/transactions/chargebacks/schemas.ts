import { type Static, Type } from 'typebox'
import { Kind, Strict } from '#platform/schemas.ts'
import { EXAMPLE_REPORTED, REPORTED } from '../settlements/schemas.ts'

const Chargeback = Strict(
  { type: Kind('chargeback'), ...REPORTED },
  { title: 'Chargeback', examples: [{ type: 'chargeback', ...EXAMPLE_REPORTED }] },
)

export const Chargebacks = Strict({ items: Type.Array(Chargeback) }, { title: 'Chargebacks' })
export type Chargebacks = Static<typeof Chargebacks>
