import type { GiftCardErrorCode } from '#connectors/contract/gift-card.ts'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'

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

const rows = accountRows('gift_card_operations', [
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
])

export const { find, lock, update } = rows

/** The index that refuses a second activation of a card while the first is undecided. */
export const ONE_ACTIVATION = 'gift_card_operations_one_activation'

type CardPart = 'bin' | 'sub_bin' | 'last4' | 'fingerprint' | 'number_token' | 'pin_token' | 'buyer_id'
export type NewOperation = Pick<
  Operation,
  'kind' | 'gift_card_service_id' | 'amount' | 'currency' | 'external_identifier'
> &
  Partial<Pick<Operation, CardPart>>

/** Takes a `Tx`, so that an operation and its attempt are recorded together before the service is asked. */
export function insert(tx: Scope<Tx>, given: NewOperation): Promise<Operation> {
  return rows.insert(tx, {
    ...given,
    state: 'sent',
  })
}

/** An undecided activation of a card. */
export function findOpenActivation(
  scope: Scope,
  { serviceId, fingerprint }: { readonly serviceId: string; readonly fingerprint: string },
): Promise<Operation | undefined> {
  const isOpen = { kind: 'activate', state: 'sent' } as const
  return rows.find(scope, { gift_card_service_id: serviceId, fingerprint, ...isOpen })
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
