import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Reach } from '#platform/operation.ts'
import { accountsQuery, normalize, textQueries } from '#resources/buyers/search-terms.ts'
import { asUuid } from './read-filters.ts'
import { anyOf, unseen } from './unseen.ts'
import type { Condition, Lead } from './walk.ts'

/** Payments of more buyers than these are found among all payments rather than buyer by buyer. */
const BUYERS_MAX = 500
/** The same for buyers with one of more texts than these: each is a look-up of its own. */
const TEXTS_MAX = 10

/**
 * That the payment has a buyer whose name, e-mail address or external identifier has one of the texts somewhere, or whose
 * id is one of them.
 */
export function hasBuyerWith(texts: readonly string[]): Condition {
  const some = texts.map(contains)
  // Not as `exists`: PostgreSQL would at times rather read all buyers than look at them payment by payment.
  const found = sql<boolean>`(
    select true from buyers
    where buyers.id = transactions.buyer_id and buyers.merchant_account_id = transactions.merchant_account_id
      and (${sql.join(some, sql` or `)})
  ) is true`
  const ids = idsAmong(texts)
  if (ids.length === 0) return { sql: found, looksUp: 'by-row' }
  return { sql: sql<boolean>`(transactions.buyer_id = ${anyOf(ids, 'uuid')} or ${found})`, looksUp: 'by-row' }
}

/** The payments of these buyers, unless there are too many of them. */
export async function leadByBuyers(
  db: Db,
  reach: Reach,
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
  return sql`strpos(buyers.search_text, ${unseen(normalize(text), 'text')}) > 0`
}

function idsAmong(texts: readonly string[]): string[] {
  return texts.flatMap((text) => asUuid(text) ?? [])
}
