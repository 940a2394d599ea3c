import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { Reach } from '../../../platform/operation.ts'
import { searchBuyers } from '../../buyers/search.ts'
import { normalize, searchText } from '../../buyers/search-terms.ts'
import type { Condition, Lead } from './walk.ts'

/** Payments of more buyers than these are found among all payments rather than buyer by buyer. */
const BUYERS_MAX = 500

/** That the payment has a buyer whose name, e-mail address or external identifier has each of the texts somewhere. */
export function hasBuyerWith(texts: readonly string[]): Condition {
  const matches = texts.map((text) => sql`strpos(buyers.search_text, ${normalize(text)}) > 0`)
  // Not as `exists`: PostgreSQL would at times rather search all buyers.
  return sql<boolean>`(
    select true from buyers
    where buyers.id = transactions.buyer_id and buyers.merchant_account_id = transactions.merchant_account_id
      and ${sql.join(matches, sql` and `)}
  ) is true`
}

/** The payments of these buyers, unless there are too many of them. */
export async function leadByBuyers(
  db: Db,
  reach: Reach,
  texts: readonly string[],
): Promise<Lead | undefined> {
  // The longest is most likely to be rare.
  const byLength = texts.map(normalize).toSorted((one, other) => other.length - one.length)
  for (const text of byLength) {
    const slice = { position: undefined, direction: 'desc', limit: BUYERS_MAX + 1 } as const
    const found = await searchBuyers(db, { reach, text }, slice)
    if (found.length > BUYERS_MAX) continue
    const values = found
      .filter(({ display_name, billing_details, external_identifier }) => {
        const own = searchText([display_name, billing_details?.email_address, external_identifier])
        return byLength.every((part) => own.includes(part))
      })
      .map(({ id }) => id)
    return { kind: 'column', column: 'buyer_id', type: 'uuid', values }
  }
  return undefined
}
