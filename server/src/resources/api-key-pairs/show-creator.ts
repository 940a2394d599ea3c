import { type Static, Type } from 'typebox'
import { Strict, Uuid } from '#platform/schemas.ts'

export const Creator = Strict(
  {
    id: Uuid({ description: 'The user or the API key pair.' }),
    name: Type.String(),
    email_address: Type.String({ description: 'Empty for an API key pair, which has none.' }),
  },
  { title: 'Creator' },
)
type Creator = Static<typeof Creator>

type Stored = { readonly creator_id: string | null; readonly creator_name: string | null }

/** Null if it is not known, or if the service itself did it. Clients expect an e-mail address, which a key pair does not have. */
export function showCreator({ creator_id: id, creator_name: name }: Stored): Creator | null {
  return id === null ? null : { id, name: name ?? '', email_address: '' }
}
