import { postalCodeOf } from '#domain/address-format.ts'
import { CONTACT_FIELDS, type ContactField, contactFaults } from '#domain/contact.ts'
import type { EnteredContact } from '#payments/prepare/find-buyer.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { NEW_CONTACT, type NewAddress, type NewBillingDetails } from '#resources/buyers/schemas.ts'

export const RequiredFields = Type.Array(OneOf(CONTACT_FIELDS), {
  maxItems: CONTACT_FIELDS.length,
  uniqueItems: true,
  description:
    'What the page asks of the buyer beside how to pay, unless the order’s buyer has it already. The payment’s buyer gets it. `name` is also the name of the delivery, if a `shipping_address` is asked for.',
})

const { address, ...PERSON } = NEW_CONTACT

/** What the buyer has entered of it. */
export const ContactForm = Strict(
  { ...PERSON, billing_address: address, shipping_address: address },
  { title: 'ContactForm' },
)
type ContactForm = Static<typeof ContactForm>

type Known = {
  readonly billing: Omit<NewBillingDetails, 'type'> | null | undefined
  readonly shipping: Pick<NewBillingDetails, 'address'> | null | undefined
}

/** What is left to ask. Something that the merchant wrote in another way than the page would is there. */
export function asksOf(required: readonly ContactField[], { billing, shipping }: Known): ContactField[] {
  const known = { ...billing, billing_address: billing?.address, shipping_address: shipping?.address }
  const isMissing = (field: ContactField) =>
    contactFaults([field], known).some(({ fault }) => fault === 'missing')
  return CONTACT_FIELDS.filter((field) => required.includes(field) && isMissing(field))
}

/** Everything that is asked for has to be there. */
export function contactComplaints(asks: readonly ContactField[], contact: ContactForm = {}): ErrorDetail[] {
  return contactFaults(asks, contact).map(({ at, fault }) =>
    fault === 'missing'
      ? inBody(`/contact/${at}`, 'value_error.missing', 'field required')
      : inBody(`/contact/${at}`, 'value_error.str.regex', 'must be as it is written in its country'),
  )
}

/** What was asked for. The order has got the rest since the page was made, and that is not the buyer's to change. */
export function enteredIn(asks: readonly ContactField[], contact: ContactForm): EnteredContact {
  const given = (field: ContactField, ...names: (keyof ContactForm)[]) =>
    asks.includes(field) ? Object.fromEntries(names.map((name) => [name, contact[name]])) : {}
  const addressIn = (field: 'billing_address' | 'shipping_address') =>
    asks.includes(field) && contact[field] ? asWritten(contact[field]) : null
  const billing = addressIn('billing_address')
  return {
    billing: {
      ...given('email_address', 'email_address'),
      ...given('name', 'first_name', 'last_name'),
      ...given('phone_number', 'phone_number'),
      ...(billing && { address: billing }),
    },
    shippingAddress: addressIn('shipping_address'),
  }
}

function asWritten(given: NewAddress): NewAddress {
  const { country, postal_code } = given
  return { ...given, postal_code: (postal_code && postalCodeOf(country ?? '', postal_code)) || null }
}
