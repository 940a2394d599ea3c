import type { Contact } from '#connectors/contract/orders.ts'

/** Null without a country: PayPal takes no address without one. */
export function addressOf(contact: Contact | null) {
  const { country, line1, line2, city, state, state_code, postal_code } = contact?.address ?? {}
  if (!country) return null
  return {
    ...(line1 && { address_line_1: line1.slice(0, 300) }),
    ...(line2 && { address_line_2: line2.slice(0, 300) }),
    ...(city && { admin_area_2: city.slice(0, 120) }),
    ...((state_code || state) && { admin_area_1: (state_code || state)?.slice(0, 300) }),
    ...(postal_code && { postal_code: postal_code.slice(0, 60) }),
    country_code: country,
  }
}

export function nameOf(contact: Contact | null): string | null {
  const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(' ')
  return name === '' ? null : name.slice(0, 300)
}
