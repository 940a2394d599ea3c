import { isCurrency } from '../../../domain/currency.ts'
import type { Caller } from '../../../platform/auth.ts'
import { type ErrorDetail, errors, inBody } from '../../../platform/errors.ts'
import type { ActivateGiftCard } from './schemas.ts'

/** Refuses what cannot be meant, before anything is looked up. */
export function checkRequest(request: ActivateGiftCard, caller: Caller): void {
  const complaints = [...aboutAmount(request, caller), ...aboutStoring(request, caller)]
  if (complaints.length > 0) throw errors.invalid(...complaints)
}

function aboutAmount(request: ActivateGiftCard, caller: Caller): ErrorDetail[] {
  const amount = request.amount ?? null
  const currency = request.currency ?? null
  if (amount !== null && currency === null) {
    return [inBody('/currency', 'value_error.missing', 'an amount needs a currency')]
  }
  if (amount === null && currency !== null) {
    return [inBody('/amount', 'value_error.missing', 'a currency needs an amount')]
  }
  if (currency !== null && !isCurrency(currency)) {
    return [inBody('/currency', 'type_error.enum', `Unknown ISO 4217 currency code: ${currency}`)]
  }
  // A page that could choose the amount could make money, and so could one that chooses what it is counted in.
  if (amount === null || !caller.isEmbed) return []
  return (['amount', 'currency'] as const)
    .filter((name) => caller.pinned[name] === undefined)
    .map((name) =>
      inBody(
        `/${name}`,
        'value_error.conflict',
        `not allowed with a browser token that does not pin ${name}`,
      ),
    )
}

function aboutStoring(request: ActivateGiftCard, caller: Caller): ErrorDetail[] {
  if (request.store) {
    return request.pin ? [] : [inBody('/pin', 'value_error.missing', 'a card without a PIN cannot be stored')]
  }
  // A browser's token fills in the buyer it pins, wherever there is room for one.
  if (caller.isEmbed) return []
  const named = (['buyer_id', 'buyer_external_identifier'] as const).filter((name) => request[name])
  return named.map((name) =>
    inBody(`/${name}`, 'value_error.conflict', 'a buyer goes only with a card that is stored'),
  )
}
