import type { Instrument } from './orders.ts'

/** The account in a `bank` instrument. Its numbers are secret: they go into the request to the provider, and nowhere else. */
export type BankAccount = {
  /** Null if the account is not stored, and the merchant did not say it. */
  readonly scheme: 'ach' | 'bacs' | 'sepa' | null
  /** Of a SEPA account: its IBAN. */
  readonly number: string
  readonly routing: string | null
  readonly type: 'checking' | 'savings' | null
  readonly holder: { readonly name: string; readonly isCompany: boolean } | null
}

/** Null if it is no bank account, or has no number. */
export function readBankAccount(instrument: Instrument): BankAccount | null {
  if (instrument.kind !== 'bank') return null
  return instrument.payload.use((bytes) => {
    const account = objectIn(bytes)
    const number = textIn(account, 'account_number')
    if (number === null) return null
    return {
      scheme: oneOf(['ach', 'bacs', 'sepa'] as const, account['scheme']),
      number,
      routing: textIn(account, 'routing_number'),
      type: oneOf(['checking', 'savings'] as const, account['account_type']),
      holder: holderIn(account['account_holder']),
    }
  })
}

type Fields = Readonly<Record<string, unknown>>

function holderIn(value: unknown): BankAccount['holder'] {
  const holder = asObject(value)
  const company = textIn(holder, 'company_name')
  if (company !== null) return { name: company, isCompany: true }
  const person = [textIn(holder, 'first_name'), textIn(holder, 'last_name')].filter((name) => name !== null)
  return person.length > 0 ? { name: person.join(' '), isCompany: false } : null
}

function objectIn(bytes: Buffer): Fields {
  try {
    return asObject(JSON.parse(bytes.toString()))
  } catch {
    return {}
  }
}

function asObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function oneOf<const Values extends readonly string[]>(
  values: Values,
  value: unknown,
): Values[number] | null {
  return values.find((one) => one === value) ?? null
}
