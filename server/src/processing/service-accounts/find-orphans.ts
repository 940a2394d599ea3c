import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import type { Registries } from '../connectors.ts'

type Orphans = { readonly definition: string; readonly services: number }

/** Services whose connector this installation does not offer: its package is no longer named, or its version is another. */
export async function findOrphans(
  { db }: Pick<Context, 'db'>,
  { connectors, giftCards, antiFraud }: Registries,
): Promise<Orphans[]> {
  const known = [...connectors.list, ...giftCards.list, ...antiFraud.list].map(({ manifest }) => manifest.id)
  const { rows } = await sql<Orphans>`
    select definition, count(*)::int as services
    from (
      select payment_service_definition_id as definition from payment_services where deleted_at is null
      union all
      select gift_card_service_definition_id from gift_card_services where deleted_at is null
      union all
      select anti_fraud_service_definition_id from anti_fraud_services where deleted_at is null
    ) as services
    where definition <> all(${known}::text[])
    group by definition order by definition
  `.execute(db)
  return rows
}
