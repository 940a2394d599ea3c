import { TAX_ID_KINDS } from '#domain/tax-id.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, type TObject, type TSchema, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'

const EXAMPLE_ID = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001'

const Text = (maxLength: number, description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength, description }))

const ADDRESS = {
  city: Text(100, 'City or town.'),
  country: Nullable(Type.String({ ...WRITTEN.country, description: 'ISO 3166-1 alpha-2.' })),
  postal_code: Text(50, 'Postal or ZIP code.'),
  state: Text(255, 'State, county or province, in words.'),
  state_code: Nullable(
    Type.String({
      ...WRITTEN.stateCode,
      description: 'ISO 3166-2, such as US-CA.',
    }),
  ),
  house_number_or_name: Text(255, 'House number or name.'),
  line1: Text(255, 'First line of the address.'),
  line2: Text(255, 'Second line of the address.'),
  organization: Text(255, 'Company or other organization.'),
}

const EXAMPLE_ADDRESS = {
  city: 'San Jose',
  country: 'US',
  postal_code: '95113',
  state: 'California',
  state_code: 'US-CA',
  house_number_or_name: '10',
  line1: 'Stafford Apartments',
  line2: '29th Street',
  organization: null,
}

export const NewAddress = Strict(optional(ADDRESS), { title: 'NewAddress', examples: [EXAMPLE_ADDRESS] })
export type NewAddress = Static<typeof NewAddress>

export const Address = Strict(ADDRESS, { title: 'Address', examples: [EXAMPLE_ADDRESS] })
export type Address = Static<typeof Address>

export const TaxId = Strict(
  {
    value: Type.String({ minLength: 1, maxLength: 50, description: 'The number, as it is usually written.' }),
    kind: OneOf(TAX_ID_KINDS, { description: 'The issuing country and the name of the id there.' }),
  },
  { title: 'TaxId', examples: [{ value: '12-3456789', kind: 'us.ein' }] },
)

const PERSON = {
  first_name: Text(255, 'First name.'),
  last_name: Text(255, 'Last name.'),
  email_address: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'E-mail address.',
    }),
  ),
  phone_number: Nullable(
    Type.String({ ...WRITTEN.phoneNumber, description: 'E.164: a plus, then up to 15 digits.' }),
  ),
}

/**
 * How to reach a person. Shared by billing and shipping details, of buyers and of records that refer to them.
 */
export const CONTACT = { ...PERSON, address: Nullable(Address) }
export const NEW_CONTACT = { ...optional(PERSON), address: Type.Optional(Nullable(NewAddress)) }
export const EXAMPLE_CONTACT = {
  first_name: 'John',
  last_name: 'Doe',
  email_address: 'john.doe@example.com',
  phone_number: '+14155550123',
  address: EXAMPLE_ADDRESS,
}

const EXAMPLE_BILLING = { ...EXAMPLE_CONTACT, tax_id: { value: '12-3456789', kind: 'us.ein' } }

/** The type is allowed, so that a client can send back an answer. */
export const NewBillingDetails = Strict(
  {
    type: Type.Optional(Kind('billing-details')),
    ...NEW_CONTACT,
    tax_id: Type.Optional(Nullable(TaxId)),
  },
  { title: 'NewBillingDetails', examples: [EXAMPLE_BILLING] },
)
export type NewBillingDetails = Static<typeof NewBillingDetails>

export const BillingDetails = Strict(
  { type: Kind('billing-details'), ...CONTACT, tax_id: Nullable(TaxId) },
  { title: 'BillingDetails', examples: [{ type: 'billing-details', ...EXAMPLE_BILLING }] },
)
export type BillingDetails = Static<typeof BillingDetails>

const FIELDS = {
  display_name: Text(200, 'Name to display.'),
  external_identifier: Text(200, 'Your own id of the buyer. No two buyers of a merchant account share one.'),
  account_number: Text(200, 'The number of the buyer’s account with you.'),
}

const NEW_FIELDS = { ...optional(FIELDS), billing_details: Type.Optional(Nullable(NewBillingDetails)) }

export const CreateBuyer = Strict(NEW_FIELDS, {
  title: 'CreateBuyer',
  examples: [{ display_name: 'John Doe', billing_details: EXAMPLE_BILLING }],
})
export type CreateBuyer = Static<typeof CreateBuyer>

export const UpdateBuyer = Strict(NEW_FIELDS, {
  title: 'UpdateBuyer',
  examples: [{ display_name: 'John L. Doe', account_number: null }],
})
export type UpdateBuyer = Static<typeof UpdateBuyer>

export const Buyer = Strict(
  {
    type: Kind('buyer'),
    id: Uuid(),
    reconciliation_id: Type.String({ description: 'The id in base 62, 22 characters.' }),
    merchant_account_id: Type.String(),
    ...FIELDS,
    billing_details: Nullable(BillingDetails),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'Buyer',
    examples: [
      {
        type: 'buyer',
        id: EXAMPLE_ID,
        reconciliation_id: '031LbNmY03iyM3ZaIJLKWf',
        merchant_account_id: 'fashion-store',
        display_name: 'John Doe',
        external_identifier: 'customer-4711',
        account_number: null,
        billing_details: { type: 'billing-details', ...EXAMPLE_BILLING },
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Buyer = Static<typeof Buyer>

export const Buyers = CollectionOf(Buyer, 'Buyers')

export const BuyerFilters = Strict({
  ...pageParameters(),
  search: Type.Optional(
    Type.String({
      maxLength: 320,
      description:
        'Part of the display name, the e-mail address or the external identifier, in upper or lower case, or the whole id.',
    }),
  ),
  external_identifier: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only the buyer with exactly this external identifier.' }),
  ),
})
export type BuyerFilters = Static<typeof BuyerFilters>

/** In requests every field may be left out. */
function optional<Properties extends Record<string, TSchema>>(properties: Properties) {
  const { properties: fields } = Type.Partial(Type.Object(properties)) as TObject
  return fields as { [Name in keyof Properties]: ReturnType<typeof Type.Optional<Properties[Name]>> }
}
