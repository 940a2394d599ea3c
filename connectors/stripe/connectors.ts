import { isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import { termsOf } from '#connectors/contract/describe.ts'
import { activityOf } from './activity.ts'
import { answerDispute } from './answer-dispute.ts'
import { authorizeCard } from './card.ts'
import { STRIPE_CURRENCIES } from './currency.ts'
import { cancel, capture, increment, refund, voidPayment } from './follow-ups.ts'
import { FLEXIBLE_CAPTURES, manifestOf } from './manifest.ts'
import { ASKED, METHODS, type MethodRow } from './methods.ts'
import { readNotification } from './notification.ts'
import { CARD_OPTIONS } from './option-schemas.ts'
import { BACS_ASKS, debitByAch, debitByBacs, debitBySepa, payByRow } from './other-methods.ts'
import { registerNotifications } from './register.ts'
import { reportsOf } from './reports.ts'
import { complete, sync } from './sync.ts'
import { CARD_TRIAL, TRIAL } from './trial.ts'
import { verify } from './verify.ts'
import { obstacleTo } from './wallet-token.ts'

/** One account at Stripe serves all of them. See docs/connectors/stripe.md. */
export const stripeConnectors: readonly Connector[] = [card(), ...METHODS.map(byRow), sepa(), bacs(), ach()]

function card(): Connector {
  const isFlexible = (fields: Readonly<Record<string, string>>) => fields['flexible_captures'] === 'true'
  const manifest = manifestOf({
    method: 'card',
    displayName: 'Stripe',
    mode: 'card',
    instruments: ['card', 'wallet'],
    currencies: STRIPE_CURRENCIES,
    countries: 'all',
    fields: [FLEXIBLE_CAPTURES],
    options: CARD_OPTIONS,
    capabilities: {
      multipleCaptures: true,
      overCapture: true,
      remainderVoids: true,
      zeroAuthorization: true,
      threeDSecurePassThrough: true,
      threeDSecureByProvider: true,
      operationNeeds: { increment: isFlexible, multipleCaptures: isFlexible, overCapture: isFlexible },
    },
  })
  return {
    ...common('card'),
    manifest,
    authorize: authorizeCard,
    obstacleTo,
    capture,
    void: voidPayment,
    increment,
    trial: CARD_TRIAL,
  }
}

/** A method by its row. */
function byRow(row: MethodRow): Connector {
  const { method, displayName, currencies, countries, type, captures, refunds, options, shape, fields } = row
  const manifest = manifestOf({
    method,
    displayName,
    currencies,
    countries,
    ...(options && { options }),
    mode: 'redirect',
    instruments: ['redirect'],
    terms: termsOf(row, ASKED),
    ...(fields && { buyerFields: Object.keys(fields).filter(isBuyerField) }),
    capabilities: { partialRefunds: refunds ?? true },
  })
  const { refund: back, complete: page, ...rest } = common(type)
  return {
    ...rest,
    // From an app, the buyer brings nothing back.
    ...(shape !== 'wait' && { complete: page }),
    manifest,
    authorize: payByRow(row),
    ...(refunds !== false && { refund: back }),
    ...(captures && { capture, void: voidPayment }),
  }
}

function sepa(): Connector {
  const manifest = manifestOf({
    method: 'sepa',
    displayName: 'Stripe SEPA Direct Debit',
    mode: 'bank',
    instruments: ['bank'],
    currencies: ['EUR'],
    countries: 'all',
    terms: termsOf({ asks: ['email'], payoutDays: 5 }, ASKED),
    capabilities: {},
  })
  const { complete: _page, cancel: _cancel, ...rest } = common('sepa_debit')
  return { ...rest, manifest, authorize: debitBySepa }
}

function bacs(): Connector {
  const manifest = manifestOf({
    method: 'bacs',
    displayName: 'Stripe Bacs Direct Debit',
    mode: 'bank',
    instruments: ['bank'],
    currencies: ['GBP'],
    countries: ['GB'],
    // Seven with the first mandate of an account, four later.
    terms: termsOf({ asks: BACS_ASKS, payoutDays: 7 }, ASKED),
    capabilities: {},
  })
  const { complete: _page, cancel: _cancel, ...rest } = common('bacs_debit')
  return { ...rest, manifest, authorize: debitByBacs }
}

function ach(): Connector {
  const manifest = manifestOf({
    method: 'ach',
    displayName: 'Stripe ACH Direct Debit',
    mode: 'bank',
    instruments: ['bank'],
    currencies: ['USD'],
    countries: ['US'],
    capabilities: {},
  })
  return { ...common('us_bank_account'), manifest, authorize: debitByAch }
}

/** `type` is Stripe's name of the method: the settlements of others are not this connector's. */
function common(type: string) {
  return {
    complete,
    cancel,
    refund,
    answerDispute,
    sync,
    activity: activityOf(type),
    verify,
    readNotification,
    registerNotifications,
    reports: reportsOf(type),
    trial: TRIAL,
  } satisfies Partial<Connector>
}
