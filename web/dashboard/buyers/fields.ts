import { TAX_ID_KINDS } from '../../../server/src/domain/tax-id.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { countryOptions } from '../parts/countries.ts'
import type { Field, Values } from '../parts/fields.tsx'

/** Everything that can be said about a buyer. An empty field clears what was there. */
export function buyerFields(): readonly Field[] {
  return [
    {
      name: 'display_name',
      label: 'Name',
      kind: 'text',
      hint: 'Shown in lists and search',
      ...CLEARS,
      isHalf: true,
    },
    {
      name: 'external_identifier',
      label: 'Your reference',
      kind: 'text',
      hint: 'The customer number in your shop',
      ...CLEARS,
      isHalf: true,
    },
    ...personFields('billing_details.', 'Billing'),
    { name: 'billing_details.tax_id.value', label: 'Tax id', kind: 'text', ...CLEARS, isHalf: true },
    {
      name: 'billing_details.tax_id.kind',
      label: 'Tax id type',
      kind: 'choice',
      options: TAX_ID_KINDS.map((value) => ({ value, label: value.replace('.', ' ').toUpperCase() })),
      ...CLEARS,
      isHalf: true,
    },
    {
      name: 'account_number',
      label: 'Account number',
      kind: 'text',
      hint: 'The buyer’s account number with you, for buy now, pay later',
      ...CLEARS,
    },
  ]
}

export function shippingFields(): readonly Field[] {
  return personFields('', 'Person')
}

const CLEARS = { whenEmpty: 'null' } as const

function personFields(before: string, heading: string): readonly Field[] {
  const half = { ...CLEARS, isHalf: true } as const
  const text = (name: string, label: string): Field => ({
    name: `${before}${name}`,
    label,
    kind: 'text',
    ...half,
  })
  return [
    { ...text('first_name', 'First name'), heading },
    text('last_name', 'Last name'),
    { name: `${before}email_address`, label: 'E-mail address', kind: 'email', ...half },
    { ...text('phone_number', 'Phone'), hint: 'With country code: +1 555 0100' },
    { ...text('address.organization', 'Organization'), heading: 'Address' },
    text('address.house_number_or_name', 'House number or name'),
    text('address.line1', 'Street'),
    text('address.line2', 'Address line 2'),
    text('address.postal_code', 'Postal code'),
    text('address.city', 'City'),
    text('address.state', 'State'),
    { ...text('address.state_code', 'State code'), hint: 'For example US-CA' },
    {
      name: `${before}address.country`,
      label: 'Country',
      kind: 'choice',
      options: countryOptions(),
      ...CLEARS,
    },
  ]
}

/** What stands in the fields at the beginning. */
export function valuesOf(thing: object, before = ''): Values {
  return Object.fromEntries(
    Object.entries(thing).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(valuesOf(value, `${before}${name}.`))
        : [[`${before}${name}`, value]],
    ),
  )
}

/** The body of a request. An address of which nothing is known is none. */
export function bodyOf(
  body: Record<string, unknown>,
): Schemas['UpdateBuyer'] & Schemas['UpdateShippingDetails'] {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, orNull(value)]))
}

function orNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const inside = bodyOf(value as Record<string, unknown>)
  return Object.values(inside).every((one) => one === null) ? null : inside
}
