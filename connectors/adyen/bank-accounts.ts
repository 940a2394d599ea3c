import type { Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { nameOf, type Payer, withoutNulls } from './instruments.ts'
import { isObject, type Json } from './wire.ts'

/** A bank account of the euro area, by its IBAN. */
export function payBySepa(order: AuthorizeOrder): Payer | Refused {
  const account = accountOf(order, 'sepa')
  if (!account) return notMine('a SEPA account')
  return {
    paymentMethod: {
      type: 'sepadirectdebit',
      iban: account['account_number'],
      ownerName: ownerOf(order, account),
    },
  }
}

/** A bank account of the United States. */
export function payByAch(order: AuthorizeOrder): Payer | Refused {
  const account = accountOf(order, 'ach')
  if (!account) return notMine('an ACH account')
  return {
    paymentMethod: {
      type: 'ach',
      ...withoutNulls({
        bankAccountNumber: account['account_number'],
        bankLocationId: account['routing_number'],
        bankAccountType: account['account_type'],
        ownerName: ownerOf(order, account),
        accountHolderType: isCompany(account) ? 'business' : 'personal',
      }),
    },
  }
}

/** Null if it is no account of this scheme, or lacks its numbers. */
function accountOf({ instrument }: AuthorizeOrder, scheme: 'sepa' | 'ach'): Json | null {
  if (instrument.kind !== 'bank') return null
  const account: unknown = instrument.payload.use((bytes) => parse(String(bytes)))
  if (!isObject(account) || account['scheme'] !== scheme) return null
  if (typeof account['account_number'] !== 'string') return null
  return scheme === 'sepa' || typeof account['routing_number'] === 'string' ? account : null
}

function ownerOf({ billing }: AuthorizeOrder, { account_holder: holder }: Json): string {
  const { first_name, last_name, company_name } = isObject(holder) ? holder : {}
  const person = [first_name, last_name].filter((name) => typeof name === 'string').join(' ')
  return (typeof company_name === 'string' && company_name) || person || nameOf(billing)
}

function isCompany({ account_holder: holder }: Json): boolean {
  return isObject(holder) && typeof holder['company_name'] === 'string' && holder['company_name'] !== ''
}

/** Certain, because nothing was sent. Another service may take the account. */
function notMine(what: string): Refused {
  const rawDescription = `${what} with its numbers is needed`
  return { ...refused('unsupported_payment_method', { rawDescription }), isRetriable: true }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
