import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { Reach } from '../../../platform/operation.ts'
import { accountsQuery, normalize, textQueries } from '../../buyers/search-terms.ts'
import { unseen } from './unseen.ts'
import type { Condition, Lead } from './walk.ts'

/** Payments of more buyers than these are found among all payments rather than buyer by buyer. */
const BUYERS_MAX = 500
/** The index has every three neighbouring characters. It finds less as the beginning of these, and reads many for it. */
const SHORT_LENGTH = 2

/** That the payment has a buyer whose name, e-mail address or external identifier has each of the texts somewhere. */
export function hasBuyerWith(texts: readonly string[]): Condition {
  // Not as `exists`: PostgreSQL would at times rather read all buyers than look at them payment by payment.
  const found = sql<boolean>`(
    select true from buyers
    where buyers.id = transactions.buyer_id and buyers.merchant_account_id = transactions.merchant_account_id
      and ${contains(texts)}
  ) is true`
  return { sql: found, looksUp: 'by-row' }
}

/** The payments of these buyers, unless there are too many of them. */
export async function leadByBuyers(
  db: Db,
  reach: Reach,
  texts: readonly string[],
): Promise<Lead | undefined> {
  const { rows } = await sql<{ id: string }>`
    select buyers.id from buyers
    where ${sql.join(questions(reach, texts), sql` and `)} and ${contains(texts)}
    ${reach === 'all' ? sql`` : sql`and (buyers.merchant_account_id = any(${reach}::text[])) is true`}
    limit ${sql.lit(BUYERS_MAX + 1)}
  `.execute(db)
  if (rows.length > BUYERS_MAX) return undefined
  return { kind: 'column', column: 'buyer_id', type: 'uuid', values: rows.map(({ id }) => id) }
}

function questions(reach: Reach, texts: readonly string[]): RawBuilder<unknown>[] {
  const all = texts.map(normalize)
  const long = all.filter((text) => [...text].length > SHORT_LENGTH)
  const queries = (long.length > 0 ? long : all).flatMap((text) => textQueries(text, { texts: '', size: 0 }))
  if (reach !== 'all') queries.push(accountsQuery(reach))
  return [...new Set(queries)].map((query) => sql`buyers.search_terms @@ ${query}::tsquery`)
}

function contains(texts: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    texts.map((text) => sql`strpos(buyers.search_text, ${unseen(normalize(text), 'text')}) > 0`),
    sql` and `,
  )
}
