import { FAULT_KINDS } from '../faults.ts'
import type { Scheme, Token } from './store.ts'

/** What the ninth to twelfth digit of a card's number ask for, so that every outcome can be tested. */
export type Wish = {
  readonly isRefused: boolean
  readonly isInactive: boolean
  readonly makesCryptograms: boolean
  /** What the network does to the provisioning. */
  readonly provisionFault: Token['fault']
  /** What the network does to later operations on the token. */
  readonly fault: Token['fault']
}

export function readWish(number: string): Wish {
  const digits = number.slice(8, 12)
  const at = (start: string) =>
    digits.startsWith(start) ? (FAULT_KINDS[Number(digits.slice(3)) - 1] ?? null) : null
  return {
    isRefused: digits === '0021',
    isInactive: digits === '0022',
    makesCryptograms: digits !== '0023',
    provisionFault: at('003'),
    fault: at('004'),
  }
}

const FORMS: Readonly<
  Record<Scheme, { readonly start: string; readonly length: number; readonly par: string }>
> = {
  visa: { start: '489537', length: 16, par: 'V001' },
  mastercard: { start: '520473', length: 16, par: '5001' },
  amex: { start: '370471', length: 15, par: 'A001' },
  discover: { start: '601179', length: 16, par: 'D001' },
}

/** The number of a token: the same for the same hash, with a right check digit. */
export function tokenNumber(scheme: Scheme, hash: Buffer): string {
  const { start, length } = FORMS[scheme]
  const count = length - start.length - 1
  const middle = String(hash.readBigUInt64BE() % 10n ** BigInt(count)).padStart(count, '0')
  const digits = `${start}${middle}`
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** 29 characters, as EMVCo has them: the same for all tokens of a card. */
export function accountReference(scheme: Scheme, cardHash: Buffer): string {
  return `${FORMS[scheme].par}${cardHash.toString('hex').toUpperCase().slice(0, 25)}`
}
