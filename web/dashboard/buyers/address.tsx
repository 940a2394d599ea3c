import type { Schemas } from '../../api/schema.d.ts'
import { countryName } from '../parts/countries.ts'

/** An address as it stands on an envelope. */
export function Address({ of: one }: { readonly of: Schemas['Address'] }) {
  const lines = addressLines(one)
  return (
    <address>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </address>
  )
}

export function addressLines(one: Schemas['Address']): string[] {
  const lines = [
    one.organization,
    [one.house_number_or_name, one.line1].filter(Boolean).join(' '),
    one.line2,
    [one.city, one.state ?? one.state_code, one.postal_code].filter(Boolean).join(', '),
    one.country && countryName(one.country),
  ]
  return [...new Set(lines)].filter((line): line is string => Boolean(line))
}
