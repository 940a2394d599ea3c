import { formatOf, hasState, type PartName, postalCodeOf } from './address-format.ts'
import { isCountry } from './country.ts'
import { WRITTEN } from './written-forms.ts'

/** What a page may ask of a buyer beside how to pay. */
export const CONTACT_FIELDS = [
  'email_address',
  'name',
  'phone_number',
  'billing_address',
  'shipping_address',
] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]

type Text = string | null | undefined
export type TypedAddress = {
  readonly country?: Text
  readonly line1?: Text
  readonly line2?: Text
  readonly city?: Text
  readonly postal_code?: Text
  readonly state?: Text
  readonly state_code?: Text
}
/** What a buyer has said, as the page sends it. */
export type TypedContact = {
  readonly email_address?: Text
  readonly first_name?: Text
  readonly last_name?: Text
  readonly phone_number?: Text
  readonly billing_address?: TypedAddress | null | undefined
  readonly shipping_address?: TypedAddress | null | undefined
}

/** A field below the contact, by its path. */
export type ContactPlace =
  | 'email_address'
  | 'first_name'
  | 'last_name'
  | 'phone_number'
  | `${'billing' | 'shipping'}_address/${'country' | PartName}`

/** `missing`: it is empty; `wrong`: it has not the form that it has to have. */
export type ContactFault = { readonly at: ContactPlace; readonly fault: 'missing' | 'wrong' }

/** What is wrong with a contact, in the order of the fields. The page asks before it sends, and the server before it pays. */
export function contactFaults(asked: readonly ContactField[], given: TypedContact): ContactFault[] {
  return asked.flatMap((field): ContactFault[] => {
    switch (field) {
      case 'name':
        return [...faultOf(given, 'first_name'), ...faultOf(given, 'last_name')]
      case 'email_address':
        return faultOf(given, field, EMAIL_ADDRESS)
      case 'phone_number':
        return faultOf(given, field, PHONE_NUMBER)
      default:
        return addressFaults(field, given[field] ?? {})
    }
  })
}

/** One dot behind the sign, and no spaces: more would refuse addresses that work. */
const EMAIL_ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s.]+$/
const PHONE_NUMBER = new RegExp(WRITTEN.phoneNumber.pattern)

function faultOf<Name extends ContactPlace>(
  given: { readonly [Key in Name]?: Text },
  at: Name,
  pattern = /\S/,
): ContactFault[] {
  const text = given[at] ?? ''
  if (text.trim() === '') return [{ at, fault: 'missing' }]
  return pattern.test(text) ? [] : [{ at, fault: 'wrong' }]
}

function addressFaults(field: 'billing_address' | 'shipping_address', given: TypedAddress): ContactFault[] {
  const country = given.country ?? ''
  if (!isCountry(country)) return [{ at: `${field}/country`, fault: country === '' ? 'missing' : 'wrong' }]
  return formatOf(country).parts.flatMap(({ name, isNeeded }): ContactFault[] => {
    const at = `${field}/${name}` as const
    const text = (name === 'state' ? given.state || given.state_code : given[name]) ?? ''
    if (text.trim() === '') return isNeeded ? [{ at, fault: 'missing' }] : []
    const isRight =
      (name !== 'postal_code' || postalCodeOf(country, text) !== undefined) &&
      (name !== 'state' || hasState(country, given.state_code))
    return isRight ? [] : [{ at, fault: 'wrong' }]
  })
}
