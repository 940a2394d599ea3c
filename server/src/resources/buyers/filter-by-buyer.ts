import { type RawBuilder, sql } from 'kysely'
import type { Reach } from '#platform/http/operation.ts'
import { anyOf, hidden } from '#platform/listing/branches.ts'
import { asUuid } from '#platform/listing/filters.ts'
import type { Filter, Lead, ListedTable, Place } from '#platform/listing/table.ts'
import { accountsQuery, normalize, textQueries } from './search-terms.ts'

/** With more buyers than this, we search all rows instead of going buyer by buyer. */
const BUYERS_MAX = 500
/** The same with more texts than this, because each text is a separate look-up. */
const TEXTS_MAX = 10

/**
 * Rows of a buyer whose name, e-mail address or external identifier contains one of the texts, or whose id is one of
 * them. The table has an index `(merchant_account_id, buyer_id, id)`.
 */
export function ofBuyersWith({ name }: ListedTable, given: readonly string[] | undefined): Filter[] {
  const texts = [...new Set(given?.filter((text) => text !== ''))]
  if (texts.length === 0) return []
  const own = (column: string) => sql.ref(`${name}.${column}`)
  // Not written as `exists`: PostgreSQL would sometimes read all buyers instead of one for each row.
  const found = sql<boolean>`(
    select true from buyers
    where buyers.id = ${own('buyer_id')} and buyers.merchant_account_id = ${own('merchant_account_id')}
      and (${sql.join(texts.map(contains), sql` or `)})
  ) is true`
  const ids = idsAmong(texts)
  const isOne =
    ids.length === 0 ? found : sql<boolean>`(${own('buyer_id')} = ${anyOf(ids, 'uuid')} or ${found})`
  return [{ sql: isOne, looksUp: 'by-row', findLead: (place) => findBuyers(place, texts) }]
}

/** The rows of these buyers, unless there are too many buyers. */
async function findBuyers(
  { db, reach }: Pick<Place, 'db' | 'reach'>,
  texts: readonly string[],
): Promise<Lead | undefined> {
  if (texts.length > TEXTS_MAX) return undefined
  const limit = sql.lit(BUYERS_MAX + 1)
  const own = reach === 'all' ? sql`` : sql`and (buyers.merchant_account_id = any(${reach}::text[])) is true`
  const lookUps = texts.map(
    (text) => sql`(
      select buyers.id from buyers
      where ${sql.join(questions(reach, text), sql` and `)} and ${contains(text)} ${own}
      limit ${limit}
    )`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(lookUps, sql` union `)}) as found limit ${limit}
  `.execute(db)
  if (rows.length > BUYERS_MAX) return undefined
  const values = new Set([...idsAmong(texts), ...rows.map(({ id }) => id)])
  return { kind: 'column', column: 'buyer_id', type: 'uuid', values: [...values] }
}

function questions(reach: Reach, text: string): RawBuilder<unknown>[] {
  const queries = textQueries(normalize(text), { texts: '', size: 0 })
  if (reach !== 'all') queries.push(accountsQuery(reach))
  return [...new Set(queries)].map((query) => sql`buyers.search_terms @@ ${query}::tsquery`)
}

function contains(text: string): RawBuilder<unknown> {
  return sql`strpos(buyers.search_text, ${hidden(normalize(text), 'text')}) > 0`
}

function idsAmong(texts: readonly string[]): string[] {
  return texts.flatMap((text) => asUuid(text) ?? [])
}
