import { withoutMarks } from '#connectors/contract/latin-letters.ts'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import type { Address } from '#connectors/contract/sale-details.ts'

/** Null values are left out of the form, so that Stripe sees only what the merchant sent. */
export function billingDetails(contact: Contact | null) {
  if (!contact) return undefined
  return {
    name: nameOf(contact),
    email: contact.email_address,
    phone: contact.phone_number,
    address: addressOf(contact.address),
  }
}

/** Stripe takes a shipping address only with a name and a first line. */
export function shippingOf(contact: Contact | null) {
  const name = contact && nameOf(contact)
  const address = contact && addressOf(contact.address)
  if (!name || !address?.line1) return undefined
  return { name, phone: contact.phone_number, address }
}

function nameOf({ first_name, last_name }: Contact): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || null
}

function addressOf(address: Address | null) {
  if (!address) return undefined
  const { house_number_or_name: house, line1 } = address
  return {
    line1: line1 ?? house,
    line2: address.line2,
    city: address.city,
    postal_code: address.postal_code,
    state: address.state ?? address.state_code,
    country: address.country,
  }
}

const SUFFIX_MAX = 22

/**
 * Stripe takes Latin letters, some other characters not, and no text without a letter. They are left out, so that a
 * descriptor which another provider takes does not stop the payment. Stripe cuts what is too long behind the account's prefix.
 */
export function descriptorOf({ details }: AuthorizeOrder): string | undefined {
  const suffix = withoutMarks(details.statement_descriptor?.name ?? '')
    .replace(/[^ -~]|[<>\\'"*]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, SUFFIX_MAX)
    .trim()
  return /[a-z]/i.test(suffix) ? suffix : undefined
}

const DESCRIPTION_MAX = 1_000

export function descriptionOf({ details }: AuthorizeOrder): string | undefined {
  return details.description?.slice(0, DESCRIPTION_MAX) || undefined
}
