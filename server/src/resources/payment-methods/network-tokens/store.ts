import { newId } from '#domain/ids.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { Requestor, TokenScheme } from '#processing/token-service.ts'
import type { NetworkToken } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    network_tokens: {
      id: string
      merchant_account_id: string
      payment_method_id: string
      scheme: TokenScheme
      requestor_id: string
      app_id: string
      status: NetworkToken['status'] | 'provisioning' | 'failed'
      operation: 'suspend' | 'resume' | null
      merchant_initiated: boolean
      is_subsequent_payment: boolean
      transaction_id: string | null
      reference: string | null
      vault_token: string | null
      fingerprint: string | null
      label: string | null
      expiration_date: string | null
      error_code: string | null
      first_used_at: Date | null
      given_up_at: Date | null
      created_at: Date
      updated_at: Date
    }
  }
}

/** A network token as it is stored. Its vault token and its reference never leave the server. */
export type StoredToken = Tables['network_tokens']

/** A token that the service has made and that is not deleted. */
export type LiveToken = StoredToken & {
  readonly status: 'inactive' | 'active' | 'suspended'
  readonly reference: string
  readonly vault_token: string
  readonly fingerprint: string
  readonly label: string
  readonly expiration_date: string
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'payment_method_id',
  'scheme',
  'requestor_id',
  'app_id',
  'status',
  'operation',
  'merchant_initiated',
  'is_subsequent_payment',
  'transaction_id',
  'reference',
  'vault_token',
  'fingerprint',
  'label',
  'expiration_date',
  'error_code',
  'first_used_at',
  'given_up_at',
  'created_at',
  'updated_at',
] as const

export function isLive(token: StoredToken | undefined): token is LiveToken {
  return token !== undefined && ['inactive', 'active', 'suspended'].includes(token.status)
}

type Given = Pick<StoredToken, 'payment_method_id' | 'merchant_initiated' | 'is_subsequent_payment'> &
  Partial<Pick<StoredToken, 'transaction_id'>> & { readonly requestor: Requestor }

/** Takes a `Tx`, so that a token and its attempt are recorded together before the service is asked. */
export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  { requestor, ...given }: Given,
): Promise<StoredToken> {
  const now = clock()
  const token: StoredToken = {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    transaction_id: null,
    ...given,
    scheme: requestor.scheme,
    requestor_id: requestor.requestorId,
    app_id: requestor.appId,
    status: 'provisioning',
    operation: null,
    reference: null,
    vault_token: null,
    fingerprint: null,
    label: null,
    expiration_date: null,
    error_code: null,
    first_used_at: null,
    given_up_at: null,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('network_tokens').values(token).execute()
  return token
}

/** The ids under which the service knows the token. The merchant account may have others by now. */
export function requestorOf({ scheme, requestor_id, app_id }: StoredToken): Requestor {
  return { scheme, requestorId: requestor_id, appId: app_id }
}

/** Whether the card has got another token meanwhile. */
export function isSecond(error: unknown): boolean {
  return violatedUnique(error) === 'network_tokens_one_live'
}

export function find(scope: Scope, id: string): Promise<StoredToken | undefined> {
  return own(scope).where('id', '=', id).executeTakeFirst()
}

/** A token of any account, for callers that do not know whose it is. */
export function findAnywhere({ db }: Context, id: string): Promise<StoredToken | undefined> {
  return select(db).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that changes of one token are applied in turn. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredToken | undefined> {
  return own(scope).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The token of a card that is there or being made. */
export function findCurrent(scope: Scope, paymentMethodId: string): Promise<StoredToken | undefined> {
  return own(scope)
    .where('payment_method_id', '=', paymentMethodId)
    .where('status', 'not in', ['deleted', 'failed'])
    .executeTakeFirst()
}

/** Newest first, with deleted ones. Those that the service never made are left out. */
export function listOf(scope: Scope, paymentMethodId: string): Promise<StoredToken[]> {
  return own(scope)
    .where('payment_method_id', '=', paymentMethodId)
    .where('label', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

type Change = Partial<
  Pick<
    StoredToken,
    | 'status'
    | 'operation'
    | 'reference'
    | 'vault_token'
    | 'fingerprint'
    | 'label'
    | 'expiration_date'
    | 'error_code'
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
    .updateTable('network_tokens')
    .set(changed)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', token.id)
    .execute()
  return { ...token, ...changed }
}

/** Notes the first payment that was approved with it. */
export async function markUsed({ db, clock, merchantAccountId }: Scope<Tx>, id: string): Promise<void> {
  await db
    .updateTable('network_tokens')
    .set({ first_used_at: clock() })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .where('first_used_at', 'is', null)
    .execute()
}

function own({ db, merchantAccountId }: Scope) {
  return select(db).where('merchant_account_id', '=', merchantAccountId)
}

function select(db: Db) {
  return db.selectFrom('network_tokens').select(COLUMNS)
}
