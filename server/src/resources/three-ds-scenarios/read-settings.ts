import { binOf, labelOf } from '#domain/card.ts'
import type { Context } from '#platform/database/db.ts'
import { Masked, type Vault } from '#vault'
import type { NewConditions, NewOutcome } from './schemas.ts'
import type { Settings } from './store.ts'

type Conditions = Pick<
  Settings,
  | 'first_name'
  | 'last_name'
  | 'email_address'
  | 'amount'
  | 'external_identifier'
  | 'card_fingerprint'
  | 'card_masked'
>

/** Conditions as they are stored. */
export async function readConditions(
  { db }: Context,
  vault: Vault,
  { card_number, ...given }: NewConditions,
): Promise<Conditions> {
  return {
    first_name: given.first_name ?? null,
    last_name: given.last_name ?? null,
    email_address: given.email_address ?? null,
    amount: given.amount ?? null,
    external_identifier: given.external_identifier ?? null,
    ...(card_number
      ? { card_fingerprint: await fingerprintOf(db, vault, card_number), card_masked: mask(card_number) }
      : { card_fingerprint: null, card_masked: null }),
  }
}

export function readOutcome({ version, authentication, result }: NewOutcome) {
  return {
    version: version ?? null,
    authentication_status: authentication.transaction_status,
    result_status: result?.transaction_status ?? null,
  }
}

async function fingerprintOf(db: Context['db'], vault: Vault, number: string): Promise<string> {
  const masked = new Masked(number)
  try {
    return await vault.fingerprint(db, masked)
  } finally {
    masked.clear()
  }
}

/** Other text may be a number with a typing mistake: nothing of it is shown. */
function mask(number: string): string {
  if (!/^\d{13,19}$/.test(number)) return '****'
  const start = binOf(number)
  const end = labelOf(number)
  return `${start}${'*'.repeat(number.length - start.length - end.length)}${end}`
}
