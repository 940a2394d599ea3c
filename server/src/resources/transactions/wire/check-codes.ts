import { isCountry } from '#domain/country.ts'
import { isCurrency } from '#domain/currency.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'

type Codes = { readonly currency?: string | null | undefined; readonly country?: string | null | undefined }

/** Complains about a currency or a country that does not exist. `at` is the pointer to the object that has them. */
export function unknownCodes(
  { currency, country }: Codes,
  location: 'body' | 'query' = 'body',
  at = '',
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const complain = (name: keyof Codes, message: string) =>
    details.push({ location, pointer: `${at}/${name}`, type: 'type_error.enum', message })
  if (currency && !isCurrency(currency)) complain('currency', NO_CURRENCY)
  if (country && !isCountry(country)) complain('country', NO_COUNTRY)
  return details
}

const NO_CURRENCY = 'Unknown ISO 4217 currency code: use one such as USD'
const NO_COUNTRY = 'Unknown ISO 3166-1 alpha-2 country code: use one such as US'
