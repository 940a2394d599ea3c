import type { CardScheme } from '#domain/card-scheme.ts'
import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { type DetailType, type ErrorDetail, errors } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import type { CardDetail, CardDetailQuery } from './schemas.ts'
import * as cardBins from './store.ts'

/** What we know about a stored card without opening the vault. */
export type StoredCard = Pick<cardBins.CardFacts, 'scheme' | 'additionalSchemes' | 'cardType' | 'country'> & {
  readonly bin: string
}

export type Needs = {
  readonly publicUrl: string
  /** Finds a card among the merchant account's payment methods. */
  readonly cardOfPaymentMethod: (scope: Scope, caller: Caller, id: string) => Promise<StoredCard | undefined>
}

export async function showCard(
  { scope, caller }: { readonly scope: Scope; readonly caller: Caller },
  query: CardDetailQuery,
  { publicUrl, cardOfPaymentMethod }: Needs,
): Promise<CardDetail> {
  const { bin, payment_method_id: id } = query
  const facts =
    id === undefined ? await cardBins.lookUp(scope, bin ?? '') : await cardOfPaymentMethod(scope, caller, id)
  if (!facts)
    throw errors.invalid(inQuery('/payment_method_id', 'value_error.not_found', 'no such stored card'))
  const iconOf = (scheme: CardScheme) => `${publicUrl}/assets/card-schemes/${scheme}.svg`
  return {
    type: 'card-detail',
    id: bin ?? null,
    card_type: facts.cardType,
    scheme: facts.scheme,
    additional_schemes: [...facts.additionalSchemes],
    additional_schemes_details: facts.additionalSchemes.map((scheme) => ({
      scheme,
      icon_url: iconOf(scheme),
    })),
    scheme_icon_url: iconOf(facts.scheme),
    country: facts.country,
    // No payment service asks for more than the card yet.
    required_fields: null,
  }
}

/** Checks of the query that a schema cannot express. */
export function queryComplaints(query: Sound<CardDetailQuery>, { isRight }: About): ErrorDetail[] {
  const { bin, payment_method_id } = query
  const complaints = unknownCodes(query, 'query')
  if (bin === undefined && payment_method_id === undefined && isRight('/bin', '/payment_method_id')) {
    complaints.push(inQuery('/bin', 'value_error.missing', 'bin or payment_method_id is required'))
  }
  if (bin !== undefined && payment_method_id !== undefined) {
    complaints.push(inQuery('/bin', 'value_error.conflict', 'give bin or payment_method_id, not both'))
  }
  return complaints
}

function inQuery(pointer: string, type: DetailType, message: string): ErrorDetail {
  return { location: 'query', pointer, type, message }
}
