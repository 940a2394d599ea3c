import { readFileSync } from 'node:fs'
import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '#connectors/contract/codes.ts'
import { MAPPING } from './mapping.ts'
import { LINE_KINDS } from './parse-report.ts'
import { meaningOf, refusedFor } from './wire.ts'

/** The names in a union of the official types, which also allows any other text. */
type Literal<Name> = Name extends string ? (string extends Name ? never : Name) : never

// A status that Stripe adds does not compile here until it has a meaning.
MAPPING.intentStatuses satisfies Record<Literal<Stripe.PaymentIntent.Status>, string>
MAPPING.intentStatuses satisfies Record<Literal<Stripe.SetupIntent.Status>, string>

/** From docs.stripe.com/declines/codes: of cards, then of other methods. */
const CARD_DECLINES =
  'authentication_required approve_with_id call_issuer card_not_supported card_velocity_exceeded ' +
  'currency_not_supported do_not_honor do_not_try_again duplicate_transaction expired_card fraudulent ' +
  'generic_decline highest_risk_level incorrect_address incorrect_cvc incorrect_number incorrect_pin incorrect_zip ' +
  'insufficient_funds invalid_account invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year ' +
  'invalid_number invalid_pin issuer_not_available lost_card merchant_blacklist ' +
  'mobile_device_authentication_required new_account_information_available no_action_taken not_permitted ' +
  'offline_pin_required online_or_offline_pin_required pickup_card pin_try_exceeded previously_declined_do_not_retry ' +
  'processing_error reenter_transaction restricted_card revocation_of_all_authorizations ' +
  'revocation_of_authorization security_violation service_not_allowed stolen_card stop_payment_order ' +
  'testmode_decline transaction_not_allowed try_again_later withdrawal_count_limit_exceeded'
const OTHER_DECLINES =
  'partner_generic_decline invalid_customer_account payment_limit_exceeded invalid_billing_agreement ' +
  'partner_expired_card partner_processing_error partner_insufficient_funds partner_invalid_currency ' +
  'partner_invalid_amount invalid_business_account partner_high_risk_customer compliance_violation payment_disputed ' +
  'invalid_authorization invalid_payment_information partner_payment_not_found expired_payment_information ' +
  'partner_duplicate_transaction recurring_not_supported_by_bank partner_action_not_supported lost_or_stolen_card ' +
  'card_already_activated invalid_track_data'

/** The union of `error.code` in the official types. */
function officialCodes(): string[] {
  const types = readFileSync('node_modules/stripe/esm/resources/PaymentIntents.d.ts', 'utf8')
  const [, union = ''] = /namespace LastPaymentError[\s\S]*?type Code = ([^;]*);/.exec(types) ?? []
  return [...union.matchAll(/'([a-z0-9_]+)'/g)].map(([, name = '']) => name)
}

describe('every code of Stripe', () => {
  test('among the 209 of the official types has a meaning, and no other code has', () => {
    const official = officialCodes()

    expect(official).toHaveLength(209)
    expect(official.filter((code) => !Object.hasOwn(MAPPING.codes, code))).toEqual([])
    expect(Object.keys(MAPPING.codes).filter((code) => !official.includes(code))).toEqual([])
  })

  test('among the documented decline codes has a meaning, and no other code has', () => {
    const documented = `${CARD_DECLINES} ${OTHER_DECLINES}`.split(' ')

    expect(new Set(Object.keys(MAPPING.declineCodes))).toEqual(new Set(documented))
  })

  test('of a dispute has a stage, or leaves it as it was', () => {
    const types = readFileSync('node_modules/stripe/esm/resources/Disputes.d.ts', 'utf8')
    const [, union = ''] = /type Status = ('appeal_[^;]*);/.exec(types) ?? []
    const official = [...union.matchAll(/'([a-z_]+)'/g)].map(([, name = '']) => name)

    expect(official).toHaveLength(10)
    expect(new Set(Object.keys(MAPPING.disputeStages))).toEqual(new Set(official))
  })

  test('means a reason of ours', () => {
    const tables = [MAPPING.codes, MAPPING.declineCodes, MAPPING.refundFailures, MAPPING.httpStatuses]
    const meanings = new Set(tables.flatMap((table) => Object.values(table)))

    expect([...meanings].filter((code) => code !== 'unknown' && !Object.hasOwn(ERROR_CODES, code))).toEqual(
      [],
    )
  })
})

describe('an error', () => {
  test.each([
    ['a decline code', 402, { code: 'card_declined', decline_code: 'lost_card' }, 'canceled_payment_method'],
    ['a decline code that is new', 402, { code: 'card_declined', decline_code: 'moon' }, 'other_decline'],
    ['a code', 402, { code: 'incorrect_cvc' }, 'incorrect_cvv'],
    ['a code that is new', 400, { code: 'moon' }, 'invalid_service_request'],
    ['no code', 403, {}, 'insufficient_service_permissions'],
    ['a status that is not documented', 418, { code: 'resource_missing' }, 'unknown'],
    ['a twin', 409, { code: 'idempotency_key_in_use' }, 'unknown'],
    ['other parameters for its key', 400, { type: 'idempotency_error' }, 'unknown'],
  ])('with %s', (_name, status, error, meaning) => {
    expect(meaningOf(status, error)).toBe(meaning)
  })

  test('is not tried elsewhere if the bank says so', () => {
    const again = refusedFor('issuer_decline', { decline_code: 'do_not_honor' }, null)
    const advised = refusedFor('issuer_decline', { advice_code: 'do_not_try_again' }, null)
    const final = refusedFor('issuer_decline', { decline_code: 'transaction_not_allowed' }, null)

    expect([again, advised, final].map(({ isRetriable }) => isRetriable)).toEqual([true, false, false])
  })

  test('shows no key and no number', () => {
    const message = 'Invalid API Key sk_test_4eC39Hq and 4242424242424242 and DE89370400440532013000'

    const { facts } = refusedFor('invalid_service_request', { message }, null)

    expect(facts.rawDescription).toBe('Invalid API Key *** and *** and ***')
  })
})

test('balance transactions of payments have a kind, by their types', () => {
  const kinds = Object.keys(LINE_KINDS).map((name) => name.split(' ')[0])

  expect(new Set(kinds)).toEqual(
    new Set(
      'charge payment payment_failure_refund payment_reversal refund payment_refund refund_failure adjustment'.split(
        ' ',
      ),
    ),
  )
})
