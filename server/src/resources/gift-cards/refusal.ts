import type { GiftCardErrorCode, GiftCardRefused } from '#connectors/contract/gift-card.ts'
import { type ApiError, type DetailType, errors, inBody } from '#platform/http/errors.ts'

/** Codes that concern a field of the request. The others concern the merchant and the service. */
const ABOUT: Readonly<Partial<Record<GiftCardErrorCode, readonly [field: string, type: DetailType]>>> = {
  invalid_gift_card: ['number', 'value_error.not_found'],
  expired_card: ['number', 'value_error.expired'],
  inactive_card: ['number', 'value_error.conflict'],
  canceled_payment_method: ['number', 'value_error.conflict'],
  suspected_fraud: ['number', 'value_error.conflict'],
  insufficient_funds: ['number', 'value_error.conflict'],
  unexpected_state: ['number', 'value_error.conflict'],
  duplicate_transaction: ['number', 'value_error.duplicate'],
  invalid_amount: ['amount', 'value_error.conflict'],
  incorrect_currency: ['currency', 'value_error.conflict'],
}

/** A refusal of the gift card service, as the answer to the request. */
export function refusal({ code }: Pick<GiftCardRefused, 'code'>, body: object): ApiError {
  const [field = '', type = 'value_error.conflict'] = ABOUT[code] ?? []
  if (!Object.hasOwn(body, field)) return errors.refused(`The gift card service refuses: ${code}.`)
  return errors.invalid(inBody(`/${field}`, type, `the gift card service refuses: ${code}`))
}

/** For requests that change nothing, so that a retry is safe. */
export function noAnswer(): ApiError {
  return errors.unanswered('gateway_timeout', 'The gift card service did not answer.')
}
