import type { Caller } from '#platform/access/auth.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import { namedTwice } from '#resources/buyers/find-named.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { GiftCard } from '../schemas.ts'
import { ActivateGiftCard, activateGiftCard } from './create.ts'

export function giftCardActivationRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'activate_gift_card',
      route: 'POST /gift-cards/activations',
      tag: 'Gift cards',
      summary: 'Activate gift card',
      description:
        'Puts an amount on a gift card that was sold. With `store`, the card is stored as well. Without it, the answer’s ' +
        '`id` is that of the activation. Send an idempotency key, so that a retry does not activate the card twice. ' +
        'A browser token has to pin the amount and the currency.',
      scope: 'gift-cards.write',
      embed: true,
      limit: 'browser',
      concerns: 'merchant-account',
      needsFreshProof: true,
      body: ActivateGiftCard,
      check: ({ body }, about) => activationComplaints(body, about),
      errors: ['duplicate_record', 'too_early', 'gateway_timeout'],
      responses: { 201: GiftCard },
      handler: (call) =>
        activateGiftCard(scopeOf(call), call.once, engine, { request: call.body, caller: call.caller }),
    }),
  ]
}

/** Contradictions in a request, judged by the request alone. */
function activationComplaints(request: Sound<ActivateGiftCard>, { caller, isRight }: About): ErrorDetail[] {
  return [
    ...unknownCodes({ currency: request.currency }),
    ...(isRight('/amount', '/currency') ? aboutAmount(request, caller) : []),
    ...(isRight('/store') ? aboutStoring(request, caller) : []),
    ...namedTwice(request),
  ]
}

function aboutAmount(request: Sound<ActivateGiftCard>, caller: Caller): ErrorDetail[] {
  const amount = request.amount ?? null
  const currency = request.currency ?? null
  if (amount !== null && currency === null) {
    return [inBody('/currency', 'value_error.missing', 'send a currency with the amount')]
  }
  if (amount === null && currency !== null) {
    return [inBody('/amount', 'value_error.missing', 'send an amount with the currency')]
  }
  // A page that could choose the amount or the currency could make money.
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

function aboutStoring(request: Sound<ActivateGiftCard>, caller: Caller): ErrorDetail[] {
  if (request.store) {
    return request.pin
      ? []
      : [inBody('/pin', 'value_error.missing', 'send a PIN: a card without one cannot be stored')]
  }
  // A browser token fills in its buyer in every request that can name one.
  if (caller.isEmbed) return []
  const named = (['buyer_id', 'buyer_external_identifier'] as const).filter((name) => request[name])
  return named.map((name) => inBody(`/${name}`, 'value_error.conflict', 'allowed only with store'))
}
