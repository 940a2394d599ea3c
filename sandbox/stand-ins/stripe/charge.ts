import type { Books, Confirmation } from './books.ts'
import { openDispute } from './disputes.ts'
import { otherMethod } from './methods.ts'
import { type Charge, type ChargeOutcome, type Intent, newCharge, type PaymentMethod } from './objects.ts'
import { type Params, textAt, valueAt } from './params.ts'
import { settle } from './settle-money.ts'
import { type CardBehaviour, type Decline, TEST_CARDS } from './test-methods.ts'

export function behaviourOf(books: Books, methodId: string | null): CardBehaviour {
  const number = books.hidden.get(methodId ?? '')?.number ?? ''
  return TEST_CARDS[number] ?? {}
}

/** Whether the buyer has to authenticate first. Source: https://docs.stripe.com/testing#authentication-and-setup */
export function needsAuthentication(
  { authentication }: CardBehaviour,
  { hasThreeDSecureResult, threeDSecureWish }: Confirmation,
): boolean {
  if (hasThreeDSecureResult || authentication === 'not_supported') return false
  if (authentication === 'required' || authentication === 'unless_set_up') return true
  return authentication === 'supported' && (threeDSecureWish === 'any' || threeDSecureWish === 'challenge')
}

/** Stripe's own fraud rules refuse before the bank is asked. */
const BLOCKED: Decline = {
  code: 'card_declined',
  decline_code: 'fraudulent',
  message: 'Your card was declined.',
}

/** The bank's decision about a card. A refused one has a charge, too. */
export function chargeCard(
  books: Books,
  intent: Intent,
  method: PaymentMethod,
): { readonly charge: Charge; readonly decline: Decline | null } {
  const behaviour = behaviourOf(books, method.id)
  const decline = behaviour.isBlocked ? BLOCKED : (behaviour.decline ?? null)
  const charge = newCharge({
    id: books.id('ch'),
    created: books.seconds(),
    amount: intent.amount,
    currency: intent.currency,
    payment_intent: intent.id,
    payment_method: method.id,
    billing_details: method.billing_details,
    payment_method_details: { type: 'card', card: cardDetails(intent, method, behaviour, decline) },
    outcome: outcomeOf(behaviour, decline),
    metadata: { ...intent.metadata },
  })
  if (decline) {
    charge.status = 'failed'
    charge.paid = false
    charge.failure_code = decline.code
    charge.failure_message = decline.message
  }
  books.charges.set(charge.id, charge)
  return { charge, decline }
}

/** A charge of a method that is no card: its bank has said yes, or will say so later. */
export function chargeOther(books: Books, intent: Intent, method: PaymentMethod): Charge {
  const charge = newCharge({
    id: books.id('py'),
    created: books.seconds(),
    amount: intent.amount,
    currency: intent.currency,
    payment_intent: intent.id,
    payment_method: method.id,
    billing_details: method.billing_details,
    payment_method_details: {
      type: method.type,
      [method.type]: otherDetails(method, books.mandateOf.get(intent.id)),
    },
    outcome: outcomeOf({}, null),
    metadata: { ...intent.metadata },
  })
  books.charges.set(charge.id, charge)
  return charge
}

/** Takes the money of a charge, or a part of it. */
export function collect(books: Books, intent: Intent, charge: Charge, amount: number): void {
  const isCard = charge.payment_method_details.type === 'card'
  const transaction = settle(books, {
    type: isCard ? 'charge' : 'payment',
    category: 'charge',
    source: charge.id,
    amount,
    currency: intent.currency,
  })
  charge.status = 'succeeded'
  charge.captured = true
  charge.amount_captured += amount
  charge.balance_transaction = transaction.id
  intent.amount_received += amount
  const { dispute } = behaviourOf(books, charge.payment_method)
  if (dispute) openDispute(books, charge, { reason: dispute, amount })
}

function outcomeOf({ isBlocked }: CardBehaviour, decline: Decline | null): ChargeOutcome {
  return {
    advice_code: decline?.advice_code ?? null,
    network_advice_code: decline?.advice_code === 'do_not_try_again' ? '03' : null,
    network_decline_code: decline?.network_decline_code ?? null,
    network_status: isBlocked
      ? 'not_sent_to_network'
      : decline
        ? 'declined_by_network'
        : 'approved_by_network',
    reason: isBlocked ? 'highest_risk_level' : (decline?.decline_code ?? decline?.code ?? null),
    risk_level: isBlocked ? 'highest' : 'normal',
    risk_score: isBlocked ? 95 : 20,
    seller_message: isBlocked ? 'Stripe blocked this payment as too risky.' : 'Payment complete.',
    type: isBlocked ? 'blocked' : decline ? 'issuer_declined' : 'authorized',
  }
}

function cardDetails(
  intent: Intent,
  method: PaymentMethod,
  { checks }: CardBehaviour,
  decline: Decline | null,
): object {
  const card = method['card'] as Record<string, unknown>
  const options = valueAt(intent.payment_method_options as Params, 'card') as Params | undefined
  const isFlexible = FLEXIBLE_BRANDS.includes(String(card['brand']))
  const wish = (name: string) => isFlexible && textAt(options ?? {}, name) === 'if_available'
  const { line1, postal_code } = method.billing_details.address
  const isManual = intent.capture_method === 'manual'
  return {
    amount_authorized: intent.amount,
    authorization_code: decline ? null : '123456',
    brand: card['brand'],
    capture_before: intent.created + 7 * 24 * 60 * 60,
    checks: {
      address_line1_check: line1 === null ? null : (checks?.address_line1_check ?? 'pass'),
      address_postal_code_check: postal_code === null ? null : (checks?.address_postal_code_check ?? 'pass'),
      cvc_check:
        (card['checks'] as { cvc_check: string | null }).cvc_check === null
          ? null
          : (checks?.cvc_check ?? 'pass'),
    },
    country: card['country'],
    electronic_commerce_indicator: null,
    exp_month: card['exp_month'],
    exp_year: card['exp_year'],
    extended_authorization: { status: 'disabled' },
    fingerprint: card['fingerprint'],
    funding: card['funding'],
    incremental_authorization: { status: available(isManual && wish('request_incremental_authorization')) },
    installments: null,
    last4: card['last4'],
    mandate: null,
    multicapture: { status: available(isManual && wish('request_multicapture')) },
    network: card['brand'],
    network_token: { used: false },
    network_transaction_id: decline ? null : '104557651805572',
    overcapture: {
      maximum_amount_capturable: wish('request_overcapture')
        ? Math.floor(intent.amount * 1.2)
        : intent.amount,
      status: available(isManual && wish('request_overcapture')),
    },
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
}

/** At Stripe, the account and the merchant's category decide, too. */
const FLEXIBLE_BRANDS: readonly string[] = ['visa', 'mastercard']

function available(is: boolean): 'available' | 'unavailable' {
  return is ? 'available' : 'unavailable'
}

function otherDetails(method: PaymentMethod, mandate: string | undefined): object {
  const shown = method[method.type] as Record<string, unknown>
  const redirected = otherMethod(method.type)
  if (redirected) return redirected.details
  switch (method.type) {
    case 'bacs_debit':
      return { ...pick(shown, ['fingerprint', 'last4', 'sort_code']), mandate: mandate ?? null }
    case 'sepa_debit':
      return {
        ...pick(shown, ['bank_code', 'branch_code', 'country', 'fingerprint', 'last4']),
        mandate: mandate ?? null,
      }
    default:
      return {
        ...pick(shown, [
          'account_holder_type',
          'account_type',
          'bank_name',
          'fingerprint',
          'last4',
          'routing_number',
        ]),
        payment_reference: null,
        ...(mandate !== undefined && { mandate }),
      }
  }
}

function pick(from: Record<string, unknown>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
}
