import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import { firstIdOf, newId } from '#domain/ids.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { insertRows } from '#platform/database/statements.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { GiftCardRedemption } from '#resources/transactions/wire/gift-card-redemption.ts'
import { MARKS_WHILE_HELD } from './unfinished.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    gift_card_redemptions: {
      merchant_account_id: string
      transaction_id: string
      id: string
      position: number
      gift_card_service_id: string
      gift_card_id: string | null
      bin: string
      sub_bin: string
      last4: string
      amount: number
      status: GiftCardRedemption['status']
      is_reversed: boolean
      refunded_amount: number
      refunding_amount: number
      gift_card_service_redemption_id: string | null
      redeem_attempt_id: string | null
      error_code: GiftCardErrorCode | null
      raw_error_code: string | null
      raw_error_message: string | null
      number_token: string | null
      pin_token: string | null
      updated_at: Date
    }
  }
}

export type Redemption = Tables['gift_card_redemptions']

const COLUMNS = [
  'merchant_account_id',
  'transaction_id',
  'id',
  'position',
  'gift_card_service_id',
  'gift_card_id',
  'bin',
  'sub_bin',
  'last4',
  'amount',
  'status',
  'is_reversed',
  'refunded_amount',
  'refunding_amount',
  'gift_card_service_redemption_id',
  'redeem_attempt_id',
  'error_code',
  'raw_error_code',
  'raw_error_message',
  'number_token',
  'pin_token',
  'updated_at',
] as const

type NewRedemption = Pick<
  Redemption,
  | 'gift_card_service_id'
  | 'gift_card_id'
  | 'bin'
  | 'sub_bin'
  | 'last4'
  | 'amount'
  | 'number_token'
  | 'pin_token'
> &
  Partial<Pick<Redemption, 'status'>>

/** Stores redemptions in the order in which they will be made. */
export async function insertAll(
  { db, clock, merchantAccountId }: Scope<Tx>,
  transactionId: string,
  given: readonly NewRedemption[],
): Promise<Redemption[]> {
  const now = clock()
  const rows = given.map(
    (redemption, position): Redemption => ({
      merchant_account_id: merchantAccountId,
      transaction_id: transactionId,
      id: newId(now.getTime()),
      position,
      status: 'created',
      is_reversed: false,
      refunded_amount: 0,
      refunding_amount: 0,
      gift_card_service_redemption_id: null,
      redeem_attempt_id: null,
      error_code: null,
      raw_error_code: null,
      raw_error_message: null,
      ...redemption,
      updated_at: now,
    }),
  )
  await insertRows('gift_card_redemptions', rows).execute(db)
  return rows
}

/** How many redemptions at a service would be reversed if their payments, created after a moment, failed. */
export async function countHeldAt(
  { db, merchantAccountId }: Scope,
  serviceId: string,
  createdAfter: Date,
): Promise<number> {
  const { held } = await db
    .selectFrom('transaction_statuses as mark')
    .innerJoin('gift_card_redemptions as redemption', (join) =>
      join
        .onRef('redemption.merchant_account_id', '=', 'mark.merchant_account_id')
        .onRef('redemption.transaction_id', '=', 'mark.id'),
    )
    .select((eb) => eb.fn.countAll<string>().as('held'))
    .where('mark.merchant_account_id', '=', merchantAccountId)
    .where('mark.mark', 'in', MARKS_WHILE_HELD)
    .where('mark.id', '>', firstIdOf(createdAfter))
    .where('redemption.gift_card_service_id', '=', serviceId)
    .where('redemption.status', '=', 'succeeded')
    .where('redemption.is_reversed', '=', false)
    .executeTakeFirstOrThrow()
  return Number(held)
}

export async function change(
  { db, clock }: Scope<Tx>,
  before: Redemption,
  change: Partial<
    Pick<
      Redemption,
      | 'status'
      | 'is_reversed'
      | 'refunded_amount'
      | 'refunding_amount'
      | 'gift_card_service_redemption_id'
      | 'redeem_attempt_id'
      | 'error_code'
      | 'raw_error_code'
      | 'raw_error_message'
      | 'number_token'
      | 'pin_token'
    >
  >,
): Promise<Redemption> {
  const after = { ...before, ...change, updated_at: laterThan(before, clock()) }
  await db
    .updateTable('gift_card_redemptions')
    .set({ ...change, updated_at: after.updated_at })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('transaction_id', '=', before.transaction_id)
    .where('id', '=', before.id)
    .execute()
  return after
}

export function listOf({ db, merchantAccountId }: Scope, transactionId: string): Promise<Redemption[]> {
  return db
    .selectFrom('gift_card_redemptions')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .orderBy('position')
    .execute()
}

/** The redemptions of several payments at once, for lists. */
export async function listOfMany(
  { db }: Context,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, Redemption[]>> {
  const found = new Map<string, Redemption[]>()
  if (transactionIds.length === 0) return found
  const rows = await db
    .selectFrom('gift_card_redemptions')
    .select(COLUMNS)
    .where('transaction_id', 'in', transactionIds)
    .orderBy('position')
    .execute()
  for (const row of rows) found.set(row.transaction_id, [...(found.get(row.transaction_id) ?? []), row])
  return found
}
