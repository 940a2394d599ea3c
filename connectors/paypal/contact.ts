import { cut } from '#connectors/contract/latin-letters.ts'
import type { Contact } from '#connectors/contract/orders.ts'

type Address = NonNullable<ReturnType<typeof addressOf>>

/** Null without a country: PayPal takes no address without one. */
export function addressOf(contact: Contact | null) {
  const { country, line1, line2, city, state, state_code, postal_code } = contact?.address ?? {}
  if (!country) return null
  return {
    ...(line1 && { address_line_1: cut(line1, 300) }),
    ...(line2 && { address_line_2: cut(line2, 300) }),
    ...(city && { admin_area_2: cut(city, 120) }),
    ...((state_code || state) && { admin_area_1: stateOf(state_code, state) }),
    ...(postal_code && { postal_code: cut(postal_code, 60) }),
    country_code: country,
  }
}

/** As on a letter: `CA`, and neither `US-CA` nor, if the code is known, `California`. */
function stateOf(code: string | null | undefined, name: string | null | undefined): string {
  return cut(code?.replace(/^[A-Z]{2}-/, '') || name || '', 300)
}

/** Countries in which a letter does not arrive without the state. */
const WITH_STATES = ['US', 'CA']

/**
 * An address to which something can be sent, or null. PayPal refuses others as the address of a delivery. Some countries have no
 * postal codes: those that have one are PayPal's to know.
 */
export function wholeAddressOf(contact: Contact | null): Address | null {
  const address = addressOf(contact)
  if (!address?.address_line_1 || !address.admin_area_2) return null
  const isWhole = !WITH_STATES.includes(address.country_code) || (address.admin_area_1 && address.postal_code)
  return isWhole ? address : null
}

/** What PayPal takes for an e-mail address: with a domain that has a dot, and not too long. */
export function emailOf(contact: Contact | null): string | null {
  const email = contact?.email_address
  const isTaken = email && email.length <= 254 && EMAIL.test(email)
  return isTaken ? email : null
}

const PART = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const EMAIL = new RegExp(
  `^${PART}(\\.${PART})*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`,
)

export function nameOf(contact: Contact | null): string | null {
  const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(' ')
  return name === '' ? null : cut(name, 300)
}
