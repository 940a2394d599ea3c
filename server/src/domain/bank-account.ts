/** The schemes by which bank accounts are debited, each with its one currency. */
export const BANK_SCHEMES = {
  ach: { name: 'ACH', currency: 'USD' },
  bacs: { name: 'BACS', currency: 'GBP' },
  sepa: { name: 'SEPA', currency: 'EUR' },
} as const
export type BankScheme = keyof typeof BANK_SCHEMES

export const ACCOUNT_TYPES = ['checking', 'savings'] as const

/** The lengths of IBANs in the countries of SEPA (SWIFT IBAN Registry; EPC list of SEPA countries). */
// biome-ignore format: one country in each line would bury the functions below
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AD: 24, AL: 28, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27,
  GB: 22, GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MD: 24,
  ME: 22, MK: 19, MT: 31, NL: 18, NO: 15, PL: 28, PT: 25, RO: 24, RS: 22, SE: 24, SI: 19, SK: 24, SM: 27, VA: 22,
}

/** An account number or a routing number as banks write it: without spaces and dashes, in capitals. */
export function compact(number: string): string {
  return number.replaceAll(/[ -]/g, '').toUpperCase()
}

/** Whether a country's IBANs can be debited by SEPA, and have this length. */
export function hasIbanLength(iban: string): boolean {
  const country = iban.slice(0, 2)
  return Object.hasOwn(IBAN_LENGTHS, country) && IBAN_LENGTHS[country] === iban.length
}

/** Whether the check digits of an IBAN are right (ISO 13616-1, by ISO 7064 MOD 97-10). */
export function passesIbanCheck(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return false
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    // Letters count as two digits: A is 10, Z is 35.
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const ABA_WEIGHTS = [3, 7, 1]

/** Whether the last digit of a routing number is the check digit of the others (ABA routing number policy). */
export function passesAbaCheck(routingNumber: string): boolean {
  if (!/^\d{9}$/.test(routingNumber)) return false
  const sum = [...routingNumber].reduce(
    (total, digit, index) => total + Number(digit) * (ABA_WEIGHTS[index % 3] ?? 0),
    0,
  )
  return sum % 10 === 0
}

/**
 * Whether a bank can have a routing number that begins so. 00 is the government's, and 80 is for traveller's
 * cheques: neither has accounts to debit.
 */
export function isAbaOfBank(routingNumber: string): boolean {
  const start = Number(routingNumber.slice(0, 2))
  return (start >= 1 && start <= 12) || (start >= 21 && start <= 32) || (start >= 61 && start <= 72)
}

/** `ACH ******7890`: the last four signs, or fewer so that half of a short number stays hidden. */
export function labelOfAccount(scheme: BankScheme, accountNumber: string): string {
  const shown = Math.min(4, Math.floor(accountNumber.length / 2))
  return `${BANK_SCHEMES[scheme].name} ******${accountNumber.slice(-shown)}`
}
