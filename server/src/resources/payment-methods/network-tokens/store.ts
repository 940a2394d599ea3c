import { sql } from 'kysely'
import type { Requestor, TokenScheme } from '#connectors/contract/network-token.ts'
import { accountRows } from '#platform/database/account-rows.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import type { NetworkToken } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    network_tokens: {
      id: string
      merchant_account_id: string
      payment_method_id: string
      scheme: TokenScheme
      /** Null: the simulator, which needs no account. */
      service_id: string | null
      requestor_id: string | null
      app_id: string | null
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

const rows = accountRows('network_tokens', [
  'payment_method_id',
  'scheme',
  'service_id',
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
])

export const { find, findAnywhere, lock, update } = rows

export function isLive(token: StoredToken | undefined): token is LiveToken {
  return token !== undefined && ['inactive', 'active', 'suspended'].includes(token.status)
}

type Given = Pick<StoredToken, 'payment_method_id' | 'merchant_initiated' | 'is_subsequent_payment'> &
  Pick<StoredToken, 'scheme' | 'service_id'> &
  Partial<Pick<StoredToken, 'transaction_id'>> & { readonly requestor: Requestor | null }

/** Takes a `Tx`, so that a token and its attempt are recorded together before the service is asked. */
export function insert(tx: Scope<Tx>, { requestor, ...given }: Given): Promise<StoredToken> {
  return rows.insert(tx, {
    ...given,
    requestor_id: requestor?.requestorId ?? null,
    app_id: requestor?.appId ?? null,
    status: 'provisioning',
  })
}

/** The ids under which the service knows the token. The merchant account may have others by now. */
export function requestorOf({ scheme, requestor_id, app_id }: StoredToken): Requestor | null {
  if (requestor_id === null || app_id === null) return null
  return { scheme, requestorId: requestor_id, appId: app_id }
}

/** Whether the card has got another token meanwhile. */
export function isSecond(error: unknown): boolean {
  return violatedUnique(error) === 'network_tokens_one_live'
}

/** The token of a card that is there or being made. */
export async function findCurrent(scope: Scope, paymentMethodId: string): Promise<StoredToken | undefined> {
  const isThere = sql`status not in ('deleted', 'failed')`
  return (await rows.newest(scope, { payment_method_id: paymentMethodId }, isThere))[0]
}

/** Newest first, with deleted ones. Those that the service never made are left out. */
export function listOf(scope: Scope, paymentMethodId: string): Promise<StoredToken[]> {
  return rows.newest(scope, { payment_method_id: paymentMethodId }, sql`label is not null`)
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

/** How many tokens of a service are there or being made. */
export async function countMadeBy({ db, merchantAccountId }: Scope, serviceId: string): Promise<number> {
  const { made } = await db
    .selectFrom('network_tokens')
    .select((eb) => eb.fn.countAll<string>().as('made'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('service_id', '=', serviceId)
    .where('status', 'not in', ['deleted', 'failed'])
    .executeTakeFirstOrThrow()
  return Number(made)
}
