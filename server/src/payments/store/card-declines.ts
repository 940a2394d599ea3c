import { type RawBuilder, sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { insertInto } from '#platform/database/statements.ts'
import type { Advice } from '#processing/scheme-rules.ts'
import type { StoredPolicy } from '#resources/flows/retry-policy/store.ts'
import { PROCESSING } from '../state.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    card_declines: {
      merchant_account_id: string
      fingerprint: string
      attempt_id: string
      transaction_id: string
      expiration_date: string | null
      instrument_type: string | null
      scheme: string | null
      merchant_initiated: boolean
      amount: number
      currency: string
      is_decline: boolean
      kind: Advice['kind'] | null
      code: string | null
      created_at: Date
      forget_at: Date
    }
  }
}

export type CardDecline = Tables['card_declines']
const COLUMNS = sql.raw(
  `merchant_account_id, fingerprint, attempt_id, transaction_id, expiration_date, instrument_type, scheme,
   merchant_initiated, amount, currency, is_decline, kind, code, created_at, forget_at`,
)

export async function insert(
  tx: Scope<Tx>,
  given: Omit<CardDecline, 'merchant_account_id' | 'created_at'>,
): Promise<void> {
  const row = { ...given, merchant_account_id: tx.merchantAccountId, created_at: tx.clock() }
  await write(tx, insertInto('card_declines', row))
}

export type Found = {
  readonly policy: Pick<StoredPolicy, 'mode' | 'limits'> | null
  /** Those with advice first, then the newest. */
  readonly declines: readonly CardDecline[]
}

/** More than any limit allows to ask for, so that limits can be counted from what is read. */
const READ_MAX = 300

/** The declines of a card that a rule may need, and how the merchant treats the rules: one question for both. */
export async function findOf(scope: Scope, fingerprint: string): Promise<Found> {
  const { declines, beside } = await findDeclines<Found['policy']>(
    scope,
    fingerprint,
    sql`select json_build_object('mode', mode, 'limits', limits) from retry_policies
      where merchant_account_id = ${scope.merchantAccountId}`,
  )
  return { declines, policy: beside }
}

/** The declines of a card, and one more value as of the same moment. */
async function findDeclines<Beside>(
  { db, clock, merchantAccountId }: Scope,
  fingerprint: string,
  beside: RawBuilder<unknown>,
): Promise<{ readonly declines: readonly CardDecline[]; readonly beside: Beside | null }> {
  const { rows } = await sql<CardDecline & { beside: Beside | null; attempt_id: string | null }>`
    select decline.*, (${beside}) as beside
    from (values (1)) as one (row) left join lateral (
      select ${COLUMNS} from card_declines
      where merchant_account_id = ${merchantAccountId} and fingerprint = ${fingerprint}
        and forget_at > ${clock()}
      order by kind nulls last, created_at desc limit ${READ_MAX}
    ) as decline on true
  `.execute(db)
  return {
    beside: rows[0]?.beside ?? null,
    declines: rows.filter(({ attempt_id }) => attempt_id !== null),
  }
}

/** Until the end of the transaction. Take it before any row of a payment. */
export async function lockCard({ db, merchantAccountId }: Scope<Tx>, fingerprint: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtext('declines of a card'), hashtext(${`${merchantAccountId} ${fingerprint}`}))
  `.execute(db)
}

type UnderWay = { readonly merchant_initiated: boolean }

/**
 * The declines of a card, and other payments with it that wait for the answer of a service. In one statement: a payment that is declined
 * between two would be in neither.
 */
export async function findWithUnderWay(
  scope: Scope,
  { fingerprint, since, besidesId }: { fingerprint: string; since: Date; besidesId: string },
): Promise<{ readonly declines: readonly CardDecline[]; readonly underWay: readonly UnderWay[] }> {
  const { declines, beside } = await findDeclines<UnderWay[]>(
    scope,
    fingerprint,
    sql`select json_agg(one) from (
      select merchant_initiated from transactions
      where merchant_account_id = ${scope.merchantAccountId} and payment_method_fingerprint = ${fingerprint}
        and id >= ${firstIdOf(since)} and id <> ${besidesId} and status = ${PROCESSING.status}
      limit ${READ_MAX}
    ) as one`,
  )
  return { declines, underWay: beside ?? [] }
}

/** The newest payment with a card that was approved. Ids of payments grow with time. */
export async function lastApprovedOf(
  { db, merchantAccountId }: Scope,
  fingerprint: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select transactions.id from transactions join attempts on attempts.transaction_id = transactions.id
    where transactions.merchant_account_id = ${merchantAccountId} and payment_method_fingerprint = ${fingerprint}
      and attempts.kind = 'authorize' and attempts.state = 'approved'
    order by transactions.id desc limit 1
  `.execute(db)
  return rows[0]?.id
}

export function nextToForgetAt(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(forget_at) as at from card_declines`)
}

export async function forget({ db }: Context, until: Date): Promise<void> {
  await db.deleteFrom('card_declines').where('forget_at', '<=', until).execute()
}
