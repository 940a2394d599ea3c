import type { Scope } from '#platform/database/db.ts'
import { evaluate } from '#resources/flows/compile-rules.ts'
import type { Facts } from '#resources/flows/conditions/facts.ts'
import { rulesOf } from '#resources/flows/current.ts'
import * as flows from '#resources/flows/store.ts'
import type { PaymentOption, PaymentOptionRequest } from './schemas.ts'

/** A rule of the checkout shows the options that it names, in its order. Without a rule, all are shown. */
export async function findShown(
  scope: Scope,
  request: PaymentOptionRequest,
): Promise<(options: readonly PaymentOption[]) => PaymentOption[]> {
  const rules = await rulesOf(scope, await flows.newestNumber(scope))
  const place = { flow: 'checkout', action: 'select-payment-options' } as const
  const outcome = rules && evaluate(rules, place, factsOf(scope, request)).rule?.outcome
  if (outcome?.type !== 'list') return (options) => [...options]
  return (options) => outcome.result.flatMap((method) => options.filter((option) => option.method === method))
}

/** A checkout knows little about the payment yet. A split needs a payer, so none is met before there is one. */
function factsOf({ clock }: Scope, request: PaymentOptionRequest): Facts {
  return {
    amount: request.amount ?? null,
    currency: request.currency ?? null,
    country: request.country ?? null,
    payment_method: null,
    payment_source: null,
    merchant_initiated: false,
    is_subsequent_payment: null,
    has_gift_cards: null,
    gift_card_bins: [],
    metadata: request.metadata ?? {},
    cart_items: request.cart_items ?? [],
    browser_language: request.locale.slice(0, 2).toLowerCase(),
    anti_fraud_decision: null,
    card: null,
    installment_count: null,
    at: clock(),
    shareOf: () => null,
  }
}
