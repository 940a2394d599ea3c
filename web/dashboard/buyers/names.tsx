import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import type { Field, Found } from '../parts/fields.tsx'

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

type Props = { readonly id: string; readonly name: string }

/** The buyer whom a payment names. A payment keeps the name when the buyer is deleted: the link says so. */
export function BuyerLink({ id, name }: Props) {
  const isWanted = useMay()('buyers.read')
  const found = useRead('GET /buyers', { query: { search: id, limit: 1 }, isWanted })
  if (!isWanted) return name
  return (
    <>
      <Link to={`/buyers/${id}`} className="text-link">
        {name}
      </Link>
      {found.data?.items.length === 0 && <small className="quiet-text"> deleted</small>}
    </>
  )
}

const FEW = 5

/** Buyers by a part of their name, e-mail address or reference, or by their whole id. */
export async function findBuyers(text: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { items } = await send('GET /buyers', { query: { search: text, limit: FEW }, signal })
  return items.map((one) => {
    const notes = [one.external_identifier, one.billing_details?.email_address]
    const label = nameOf(one)
    return {
      value: one.id,
      label,
      note: notes.find((note) => note && note !== label) ?? `${one.id.slice(0, 8)}…`,
    }
  })
}

/** The question which buyer a thing is for. A person who may not read buyers has to know the id. */
export function useBuyerField(): Field {
  const mayFind = useMay()('buyers.read')
  const question = { name: 'buyer_id', label: 'Buyer' }
  if (!mayFind) return { ...question, kind: 'text', hint: 'The id of an existing buyer (optional)' }
  return {
    ...question,
    kind: 'found',
    find: findBuyers,
    placeholder: 'Name, e-mail address or reference',
    hint: 'An existing buyer (optional)',
  }
}

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
