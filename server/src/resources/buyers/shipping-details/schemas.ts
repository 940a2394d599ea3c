import { Kind, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CONTACT, EXAMPLE_CONTACT, NEW_CONTACT } from '../schemas.ts'

export const CreateShippingDetails = Strict(NEW_CONTACT, {
  title: 'CreateShippingDetails',
  examples: [EXAMPLE_CONTACT],
})
export type CreateShippingDetails = Static<typeof CreateShippingDetails>

export const UpdateShippingDetails = Strict(NEW_CONTACT, {
  title: 'UpdateShippingDetails',
  examples: [{ first_name: 'Jane', phone_number: null }],
})
export type UpdateShippingDetails = Static<typeof UpdateShippingDetails>

export const ShippingDetails = Strict(
  { type: Kind('shipping-details'), id: Uuid(), buyer_id: Uuid(), ...CONTACT },
  {
    title: 'ShippingDetails',
    examples: [
      {
        type: 'shipping-details',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
        buyer_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        ...EXAMPLE_CONTACT,
      },
    ],
  },
)
export type ShippingDetails = Static<typeof ShippingDetails>

export const ShippingDetailsList = Strict(
  { items: Type.Array(ShippingDetails) },
  { title: 'ShippingDetailsList' },
)
