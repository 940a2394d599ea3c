import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Engine } from '#processing/engine.ts'
import { GiftCard } from '../schemas.ts'
import { activationComplaints } from './check-request.ts'
import { activateGiftCard } from './create.ts'
import { ActivateGiftCard } from './schemas.ts'

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
      responses: { 201: GiftCard },
      handler: (call) =>
        activateGiftCard(scopeOf(call), call.once, engine, { request: call.body, caller: call.caller }),
    }),
  ]
}
