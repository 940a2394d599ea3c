import type { Scope } from '#platform/database/db.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type { Foundation } from '../open-foundation.ts'
import { UsageError } from './command.ts'

export const ACCOUNT = {
  type: 'string',
  value: 'ID',
  about: 'The merchant account of the buyer. Without it: default.',
} as const

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The account of a command about a buyer, and the id of the buyer, who may be named by its external identifier. */
export async function findBuyer(
  { context }: Foundation,
  account: string,
  name: string,
): Promise<{ readonly scope: Scope; readonly buyerId: string }> {
  if (!(await merchantAccounts.exists(context, account))) {
    throw new UsageError(`There is no merchant account ${account}. See: switchyard accounts list`)
  }
  const scope = { ...context, merchantAccountId: account }
  if (UUID.test(name)) return { scope, buyerId: name.toLowerCase() }
  const buyer = await buyers.findByExternalIdentifier(scope, name)
  if (buyer) return { scope, buyerId: buyer.id }
  throw new UsageError(
    `No buyer of the merchant account ${account} has this external identifier. Name the buyer by its id.`,
  )
}

/** What a command says of a buyer that the account does not have. */
export function unknownBuyer(account: string): Error {
  return new Error(
    `The merchant account ${account} has no such buyer, and no payment of one. Check the id, and --merchant-account.`,
  )
}
