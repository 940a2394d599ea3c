import type { Schemas } from '../../api/schema.d.ts'

type Known = Pick<Schemas['Buyer'], 'display_name' | 'external_identifier' | 'billing_details'>

/** The person, as well as they are known. */
export function nameOf({ display_name, external_identifier, billing_details }: Known): string {
  return display_name || fullName(billing_details) || external_identifier || 'Buyer without a name'
}

export function fullName(
  person: {
    readonly first_name: string | null
    readonly last_name: string | null
    readonly email_address: string | null
  } | null,
): string | undefined {
  if (!person) return undefined
  return [person.first_name, person.last_name].filter(Boolean).join(' ') || person.email_address || undefined
}

export const LIST = { to: '/buyers', label: 'Buyers' }
