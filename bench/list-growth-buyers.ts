import type pg from 'pg'
import { searchTerms, searchText } from '#resources/buyers/search-terms.ts'
import {
  createdAt,
  emailOf,
  idOf,
  MAIN_ACCOUNT,
  nameOf,
  type Rows,
  referenceOf,
  SECOND_ACCOUNT,
  SMALL_ACCOUNT,
  SMALL_ROWS,
} from './list-growth-rows.ts'

/** No term holds it: texts have no control characters, and the other terms use the first two. */
const TERM_END = '\u001f'

/** The few rows of the small account are spread over the whole time; the other accounts alternate. */
function accountOf({ count }: Rows, index: number): string {
  if (index % Math.floor(count / SMALL_ROWS) === 1) return SMALL_ACCOUNT
  return index % 10 === 9 ? SECOND_ACCOUNT : MAIN_ACCOUNT
}

export async function addBuyers(client: pg.Client, rows: Rows, first: number, end: number): Promise<void> {
  const buyers = Array.from({ length: end - first }, (_none, at) => buyerOf(rows, first + at))
  const column = <Value>(pick: (buyer: (typeof buyers)[number]) => Value) => buyers.map(pick)
  await client.query(
    `insert into buyers (id, merchant_account_id, created_at, updated_at, display_name, external_identifier,
       billing_details, search_text, search_terms)
     select id, account, created_at, created_at, name, reference, json_build_object('email_address', email), text,
       array_to_tsvector(string_to_array(terms, '${TERM_END}'))
     from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as given (id, account, created_at, name, reference, email, text, terms)`,
    [
      column(({ id }) => id),
      column(({ merchant_account_id }) => merchant_account_id),
      column(({ created_at }) => created_at.toISOString()),
      column(({ name }) => name),
      column(({ reference }) => reference),
      column(({ email }) => email),
      column(({ search_text }) => search_text),
      column(({ terms }) => terms),
    ],
  )
}

function buyerOf(rows: Rows, index: number) {
  const name = nameOf(rows, index)
  const email = emailOf(rows, index)
  const reference = referenceOf(index)
  const search_text = searchText([name, email, reference])
  const row = {
    id: idOf(rows, index),
    merchant_account_id: accountOf(rows, index),
    created_at: createdAt(rows, index),
    search_text,
  }
  return { ...row, name, email, reference, terms: searchTerms(row).join(TERM_END) }
}
