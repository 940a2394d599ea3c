import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import { newId } from '#domain/ids.ts'
import type { Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    gift_card_operations: {
      id: string
      merchant_account_id: string
      gift_card_service_id: string
      kind: 'activate' | 'issue'
      /** Open while it is `sent`. The attempt tells whether to inquire. */
      state: 'sent' | 'approved' | 'refused'
      amount: number | null
      currency: string | null
      external_identifier: string | null
      bin: string | null
      sub_bin: string | null
      last4: string | null
      fingerprint: string | null
      number_token: string | null
      pin_token: string | null
      buyer_id: string | null
      gift_card_id: string | null
      expires_at: Date | null
      reference: string | null
      error_code: GiftCardErrorCode | null
      raw_error_code: string | null
      raw_error_message: string | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type Operation = Tables['gift_card_operations']

const COLUMNS = [
  'id',
  'merchant_account_id',
  'gift_card_service_id',
  'kind',
  'state',
  'amount',
  'currency',
  'external_identifier',
  'bin',
  'sub_bin',
  'last4',
  'fingerprint',
  'number_token',
  'pin_token',
  'buyer_id',
  'gift_card_id',
  'expires_at',
  'reference',
  'error_code',
  'raw_error_code',
  'raw_error_message',
  'created_at',
  'updated_at',
] as const

/** The index that refuses a second activation of a card while the first is undecided. */
export const ONE_ACTIVATION = 'gift_card_operations_one_activation'

type CardPart = 'bin' | 'sub_bin' | 'last4' | 'fingerprint' | 'number_token' | 'pin_token' | 'buyer_id'
export type NewOperation = Pick<
  Operation,
  'kind' | 'gift_card_service_id' | 'amount' | 'currency' | 'external_identifier'
> &
  Partial<Pick<Operation, CardPart>>

/** Takes a `Tx`, so that an operation and its attempt are recorded together before the service is asked. */
export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  given: NewOperation,
): Promise<Operation> {
  const now = clock()
  const operation: Operation = {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    bin: null,
    sub_bin: null,
    last4: null,
    fingerprint: null,
    number_token: null,
    pin_token: null,
    buyer_id: null,
    ...given,
    state: 'sent',
    gift_card_id: null,
    expires_at: null,
    reference: null,
    error_code: null,
    raw_error_code: null,
    raw_error_message: null,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('gift_card_operations').values(operation).execute()
  return operation
}

export function find(scope: Scope, id: string): Promise<Operation | undefined> {
  return own(scope).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that an operation is concluded once. */
export function lock(scope: Scope<Tx>, id: string): Promise<Operation | undefined> {
  return own(scope).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** An undecided activation of a card. */
export function findOpenActivation(
  scope: Scope,
  { serviceId, fingerprint }: { readonly serviceId: string; readonly fingerprint: string },
): Promise<Operation | undefined> {
  return own(scope)
    .where('gift_card_service_id', '=', serviceId)
    .where('fingerprint', '=', fingerprint)
    .where('kind', '=', 'activate')
    .where('state', '=', 'sent')
    .executeTakeFirst()
}

/** How many cards a buyer gets once open activations are decided. */
export async function countCardsToCome({ db, merchantAccountId }: Scope, buyerId: string): Promise<number> {
  const row = await db
    .selectFrom('gift_card_operations')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .where('number_token', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

type Change = Pick<Operation, 'state'> &
  Partial<
    Pick<
      Operation,
      | 'reference'
      | 'expires_at'
      | 'gift_card_id'
      | 'error_code'
      | 'raw_error_code'
      | 'raw_error_message'
      | 'number_token'
      | 'pin_token'
    >
  >

export async function change(
  { db, clock, merchantAccountId }: Scope<Tx>,
  operation: Operation,
  change: Change,
): Promise<Operation> {
  const changed = { ...change, updated_at: laterThan(operation, clock()) }
  await db
    .updateTable('gift_card_operations')
    .set(changed)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', operation.id)
    .execute()
  return { ...operation, ...changed }
}

function own({ db, merchantAccountId }: Scope) {
  return select(db).where('merchant_account_id', '=', merchantAccountId)
}

function select(db: Db) {
  return db.selectFrom('gift_card_operations').select(COLUMNS)
}
