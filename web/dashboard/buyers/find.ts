import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Field, Found } from '../parts/fields.tsx'
import { nameOf } from './words.ts'

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
