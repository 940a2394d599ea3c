import { sql } from 'kysely'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { insertColumns } from '#platform/database/statements.ts'
import type { Status } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_service_tokens: {
      id: string
      merchant_account_id: string
      payment_method_id: string
      payment_service_id: string
      status: Status
      is_first: boolean
      redirect_url: string
      approval_url: string | null
      approval_expires_at: Date | null
      vault_token: string | null
      error_code: string | null
      created_at: Date
      updated_at: Date
      deleted_at: Date | null
      given_up_at: Date | null
    }
  }
}

/** A token as it is stored. The vault has its text. */
export type StoredToken = Tables['payment_service_tokens']

const rows = accountRows('payment_service_tokens', [
  'payment_method_id',
  'payment_service_id',
  'status',
  'is_first',
  'redirect_url',
  'approval_url',
  'approval_expires_at',
  'vault_token',
  'error_code',
  'deleted_at',
  'given_up_at',
])

/** `find` finds also deleted tokens: the provider may still have to delete its own. */
export const { find, lock, update } = rows

/** The index that allows a method one token at each service. */
export const ONE_AT_A_SERVICE = 'payment_service_tokens_one_at_a_service'

type NewToken = Pick<StoredToken, 'payment_method_id' | 'payment_service_id' | 'is_first' | 'redirect_url'>

/** Takes a `Tx`, so that a token and its attempt are recorded together before the provider is asked. */
export function insert(tx: Scope<Tx>, given: NewToken): Promise<StoredToken> {
  return rows.insert(tx, {
    ...given,
    status: 'processing',
  })
}

type BroughtToken = Pick<StoredToken, 'id' | 'payment_method_id' | 'vault_token'>

/** Inserts hundreds of tokens that a service has given before, in one statement. */
export async function insertAll(
  { db, clock, merchantAccountId }: Scope<Tx>,
  payment_service_id: string,
  brought: readonly BroughtToken[],
): Promise<void> {
  if (brought.length === 0) return
  const now = clock()
  await insertColumns('payment_service_tokens', {
    same: {
      merchant_account_id: ['text', merchantAccountId],
      payment_service_id: ['uuid', payment_service_id],
      status: ['text', 'succeeded'],
      redirect_url: ['text', ''],
      created_at: ['timestamptz', now],
      updated_at: ['timestamptz', now],
    },
    each: {
      id: ['uuid', brought.map(({ id }) => id)],
      payment_method_id: ['uuid', brought.map((one) => one.payment_method_id)],
      vault_token: ['uuid', brought.map((one) => one.vault_token)],
    },
  }).execute(db)
}

/** The tokens of a method that are not deleted, newest first. */
export function listOf(
  scope: Scope,
  payment_method_id: string,
  payment_service_id?: string,
): Promise<StoredToken[]> {
  const atService = payment_service_id === undefined ? {} : { payment_service_id }
  return rows.newest(scope, { payment_method_id, ...atService, deleted_at: null })
}

/** All that are not deleted, locked in the order of their ids. */
export function lockOf(
  { db, merchantAccountId }: Scope<Tx>,
  paymentMethodId: string,
): Promise<StoredToken[]> {
  return rows
    .select(db)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('payment_method_id', '=', paymentMethodId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The token that a service has given, or is about to give. */
export async function liveAt(
  scope: Scope,
  place: Pick<StoredToken, 'payment_method_id' | 'payment_service_id'>,
): Promise<StoredToken | undefined> {
  return (await rows.newest(scope, { ...place, deleted_at: null }, sql`status <> 'failed'`))[0]
}

/** Tokens whose buyer did not approve in time. */
export function abandoned({ db }: Context, now: Date, limit: number) {
  return db
    .selectFrom('payment_service_tokens')
    .select(['id', 'merchant_account_id'])
    .where('approval_expires_at', '<=', now)
    .orderBy('approval_expires_at')
    .limit(limit)
    .execute()
}

/** Whether a service has tokens that it may be asked to delete. */
export async function isAnyAt({ db, merchantAccountId }: Scope, serviceId: string): Promise<boolean> {
  const found = await db
    .selectFrom('payment_service_tokens')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('payment_service_id', '=', serviceId)
    .where('vault_token', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How many attempts at a service are open only because a buyer who did not approve in time may still do so. */
export async function countAbandonedAt({ db, merchantAccountId }: Scope, serviceId: string): Promise<number> {
  const { abandoned } = await db
    .selectFrom('attempts as attempt')
    .innerJoin('payment_service_tokens as token', 'token.id', 'attempt.id')
    .select((eb) => eb.fn.countAll<string>().as('abandoned'))
    .where('attempt.merchant_account_id', '=', merchantAccountId)
    .where('attempt.service_id', '=', serviceId)
    .where('attempt.due_at', 'is not', null)
    .where('token.status', '=', 'failed')
    .executeTakeFirstOrThrow()
  return Number(abandoned)
}

export function nextExpiry(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(approval_expires_at) as at from payment_service_tokens`)
}
