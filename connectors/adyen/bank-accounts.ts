import { type BankAccount, readBankAccount } from '#connectors/contract/bank-account.ts'
import type { Refused } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { nameOf, type Payer } from './instruments.ts'

/** A bank account of the euro area, by its IBAN. */
export function payBySepa(order: AuthorizeOrder): Payer | Refused {
  const account = accountOf(order, 'sepa')
  if (!account) return notMine('a SEPA account')
  return {
    ...shopperOf(order),
    paymentMethod: {
      type: 'sepadirectdebit',
      iban: account.number,
      ownerName: ownerOf(order, account),
    },
  }
}

/** A bank account of the United Kingdom, by its number and sort code. */
export function payByBacs(order: AuthorizeOrder): Payer | Refused {
  const account = accountOf(order, 'bacs')
  if (!account) return notMine('a Bacs account')
  return {
    ...shopperOf(order),
    paymentMethod: {
      type: 'directdebit_GB',
      bankAccountNumber: account.number,
      bankLocationId: account.routing ?? '',
      holderName: ownerOf(order, account),
    },
  }
}

/** A bank account of the United States. */
export function payByAch(order: AuthorizeOrder): Payer | Refused {
  const account = accountOf(order, 'ach')
  if (!account) return notMine('an ACH account')
  return {
    ...shopperOf(order),
    paymentMethod: {
      type: 'ach',
      ...withoutNulls({
        bankAccountNumber: account.number,
        bankLocationId: account.routing,
        bankAccountType: account.type,
        ownerName: ownerOf(order, account),
        accountHolderType: account.holder?.isCompany ? 'business' : 'personal',
      }),
    },
  }
}

/** Adyen makes a mandate for each payment. Those of one stored account have the same shopper: our reference of its mandate. */
function shopperOf({ instrument }: AuthorizeOrder): Pick<Payer, 'shopperReference'> {
  const mandate = instrument.kind === 'bank' ? instrument.mandate : null
  return mandate ? { shopperReference: mandate.reference } : {}
}

/** Null if it is no account of this scheme, or lacks its numbers. */
function accountOf({ instrument }: AuthorizeOrder, scheme: 'sepa' | 'bacs' | 'ach'): BankAccount | null {
  const account = readBankAccount(instrument)
  if (account?.scheme !== scheme) return null
  return scheme === 'sepa' || account.routing !== null ? account : null
}

function ownerOf({ billing }: AuthorizeOrder, { holder }: BankAccount): string {
  return holder?.name ?? nameOf(billing)
}

/** Certain, because nothing was sent. Another service may take the account. */
function notMine(what: string): Refused {
  const rawDescription = `${what} with its numbers is needed`
  return { ...refused('unsupported_payment_method', { rawDescription }), isRetriable: true }
}
