import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { laterThan } from '#platform/process/clock.ts'
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

const COLUMNS = [
  'id',
  'merchant_account_id',
  'payment_method_id',
  'payment_service_id',
  'status',
  'is_first',
  'redirect_url',
  'approval_url',
  'approval_expires_at',
  'vault_token',
  'error_code',
  'created_at',
  'updated_at',
  'deleted_at',
  'given_up_at',
] as const

/** The index that allows a method one token at each service. */
export const ONE_AT_A_SERVICE = 'payment_service_tokens_one_at_a_service'

type NewToken = Pick<StoredToken, 'payment_method_id' | 'payment_service_id' | 'is_first' | 'redirect_url'>

/** Takes a `Tx`, so that a token and its attempt are recorded together before the provider is asked. */
export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  given: NewToken,
): Promise<StoredToken> {
  const now = clock()
  const token: StoredToken = {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    ...given,
    status: 'processing',
    approval_url: null,
    approval_expires_at: null,
    vault_token: null,
    error_code: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    given_up_at: null,
  }
  await db.insertInto('payment_service_tokens').values(token).execute()
  return token
}

/** Finds also deleted tokens: the provider may still have to delete its own. */
export function find(scope: Scope, id: string): Promise<StoredToken | undefined> {
  return own(scope).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that changes of one token are applied in turn. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredToken | undefined> {
  return own(scope).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The tokens of a method that are not deleted, newest first. */
export function listOf(
  scope: Scope,
  paymentMethodId: string,
  paymentServiceId?: string,
): Promise<StoredToken[]> {
  let query = ofMethod(scope, paymentMethodId)
  if (paymentServiceId !== undefined) query = query.where('payment_service_id', '=', paymentServiceId)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

/** All that are not deleted, locked in the order of their ids. */
export function lockOf(scope: Scope<Tx>, paymentMethodId: string): Promise<StoredToken[]> {
  return ofMethod(scope, paymentMethodId).orderBy('id').forUpdate().execute()
}

/** The token that a service has given, or is about to give. */
export function liveAt(
  scope: Scope,
  {
    paymentMethodId,
    paymentServiceId,
  }: { readonly paymentMethodId: string; readonly paymentServiceId: string },
): Promise<StoredToken | undefined> {
  return ofMethod(scope, paymentMethodId)
    .where('payment_service_id', '=', paymentServiceId)
    .where('status', '<>', 'failed')
    .executeTakeFirst()
}

type Change = Partial<
  Pick<
    StoredToken,
    | 'status'
    | 'approval_url'
    | 'approval_expires_at'
    | 'vault_token'
    | 'error_code'
    | 'deleted_at'
    | 'given_up_at'
  >
>

export async function change(
  { db, clock, merchantAccountId }: Scope<Tx>,
  token: StoredToken,
  change: Change,
): Promise<StoredToken> {
  const changed = { ...change, updated_at: laterThan(token, clock()) }
  await db
    .updateTable('payment_service_tokens')
    .set(changed)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', token.id)
    .execute()
  return { ...token, ...changed }
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

function ofMethod(scope: Scope, paymentMethodId: string) {
  return own(scope).where('payment_method_id', '=', paymentMethodId).where('deleted_at', 'is', null)
}

function own({ db, merchantAccountId }: Scope) {
  return db
    .selectFrom('payment_service_tokens')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
}
