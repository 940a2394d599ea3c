type Format = {
  readonly pattern: RegExp
  readonly lengthMax: number
  /** Digits alone: phones show their keys. */
  readonly isNumeric: boolean
  /** For tests and documents. */
  readonly example: string
}

/**
 * What a method needs of its buyer beside the address: a manifest names it (`buyerFields`), the page that the buyer pays on asks for it, and
 * `authorize` gets it in `instrument.fields`. Its label is in `pay` of `server/src/words`.
 */
export const BUYER_FIELDS = {
  /** Of the banking app, for two minutes. */
  blik_code: { pattern: /^\d{6}$/, lengthMax: 6, isNumeric: true, example: '777123' },
  /** An Australian PayID, which is an e-mail address or a number, or BSB and account number with a dash. */
  payto_account: {
    pattern: /^(?=.{3,256}$)(\S+@\S+\.\S+|\+?\d[\d-]{4,40})$/,
    lengthMax: 256,
    isNumeric: false,
    example: 'ada@example.com',
  },
} as const satisfies Readonly<Record<string, Format>>

export type BuyerField = keyof typeof BUYER_FIELDS
export const BUYER_FIELD_NAMES = Object.keys(BUYER_FIELDS) as BuyerField[]

export function isBuyerField(name: string): name is BuyerField {
  return Object.hasOwn(BUYER_FIELDS, name)
}
