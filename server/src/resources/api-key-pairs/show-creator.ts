import type { Actor } from '#platform/database/db.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

export const Creator = Strict(
  {
    id: Uuid({ description: 'The user or the API key pair.' }),
    name: Type.String(),
    email_address: Type.String({ description: 'Empty for an API key pair, which has none.' }),
  },
  { title: 'Creator' },
)
type Creator = Static<typeof Creator>

type Stored = {
  readonly creator_id: string | null
  readonly creator_name: string | null
  readonly creator_email_address: string | null
}

/** Null if it is not known, or if the service itself did it. Clients expect an e-mail address, which a key pair does not have. */
export function showCreator(row: Stored): Creator | null {
  const { creator_id: id, creator_name: name, creator_email_address: address } = row
  return id === null ? null : { id, name: name ?? '', email_address: address ?? '' }
}

/** What is stored of the user who makes something. */
export function addressOf(actor: Actor): string | null {
  return actor.id === null ? null : (actor.session?.emailAddress ?? null)
}
