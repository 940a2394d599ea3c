import type { Field, Terms } from './manifest.ts'

/** A field of a manifest. What is left out: optional plain text that `verify` does not check. */
export function field(key: string, displayName: string, rest: Partial<Field>): Field {
  return {
    key,
    displayName,
    isRequired: false,
    format: 'text',
    isSecret: false,
    isVerifiable: false,
    ...rest,
  }
}

/** For rows that say how long the buyer may take. */
export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** What a row of a table of methods says to merchants. */
export type TermsRow = Partial<Pick<Terms, 'shape' | 'seconds' | 'payoutDays'>>

type Asking = TermsRow & {
  readonly asks?: readonly string[]
  readonly fields?: Readonly<Record<string, unknown>>
}

/** The terms of a row. `words` say where the API has what the row asks for. */
export function termsOf(
  { shape = 'page', asks = [], fields = {}, seconds, payoutDays }: Asking,
  words: Readonly<Record<string, string>> = {},
): Terms {
  const entered = Object.keys(fields).map((name) => `payment_method.fields.${name}`)
  return {
    shape,
    needs: [...entered, ...asks.map((one) => words[one] ?? one)],
    ...(seconds !== undefined && { seconds }),
    ...(payoutDays !== undefined && { payoutDays }),
  }
}
