import { isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import { termsOf } from '#connectors/contract/describe.ts'
import type { AuthorizeOrder, Instrument } from '#connectors/contract/orders.ts'
import { answerDispute, disputeFields } from './answer-dispute.ts'
import { authorize, complete } from './authorize.ts'
import { payByAch, payByBacs, payBySepa } from './bank-accounts.ts'
import { toLineItems } from './buyer.ts'
import { obstacleTo, payByCard } from './instruments.ts'
import { type Described, manifestOf } from './manifest.ts'
import { ASKED, METHODS, type MethodRow } from './methods.ts'
import { cancel, capture, increment, refund, refundCard, release, withLine } from './modify.ts'
import { readNotification } from './notification.ts'
import { CARD_OPTIONS, OPTIONS, SEPA_OPTIONS } from './option-schemas.ts'
import type { Method } from './payment-request.ts'
import { registerNotifications } from './register.ts'
import { reportsOf } from './reports.ts'
import { syncBy } from './sync.ts'
import { forgetToken, tokenize } from './tokens.ts'
import { CARD_TRIAL, TRIAL } from './trial.ts'
import { verify } from './verify.ts'
import type { Json } from './wire.ts'

/** The parts of a method that are its own. */
type Part = Omit<Described, 'isDefended'> &
  Omit<Method, 'id' | 'hasAuthentication' | 'hasCaptureDelay'> & {
    /** The buyer approves on a page, and comes back with the result. */
    readonly isOnPage: boolean
  }

const CARD = part({
  id: 'adyen-card',
  displayName: 'Adyen cards',
  method: 'card',
  mode: 'card',
  instruments: ['card', 'network-token', 'wallet', 'provider-token'],
  currencies: 'all',
  countries: 'all',
  capabilities: {
    multipleCaptures: true,
    zeroAuthorization: true,
    partialAuthorization: true,
    threeDSecurePassThrough: true,
    threeDSecureByProvider: true,
  },
  options: CARD_OPTIONS,
  payer: payByCard,
  isOnPage: true,
  hasCapture: true,
})

const SEPA = part({
  ...bank('sepa', 'Adyen SEPA Direct Debit', ['EUR'], payBySepa),
  options: SEPA_OPTIONS,
})
const BACS = part(bank('bacs', 'Adyen Bacs Direct Debit', ['GBP'], payByBacs))
const ACH = part({ ...bank('ach', 'Adyen ACH Direct Debit', ['USD'], payByAch), options: OPTIONS })

export const adyenConnectors: readonly Connector[] = [CARD, ...METHODS.map(byRow), SEPA, BACS, ACH].map(
  connect,
)

function connect(own: Part): Connector {
  const {
    id,
    displayName,
    method: name,
    mode,
    instruments,
    currencies,
    countries,
    capabilities,
    options,
    buyerFields,
    terms,
  } = own
  const method: Method = {
    ...own,
    hasAuthentication: mode === 'card',
    hasCaptureDelay: own.hasCapture || mode === 'bank',
  }
  // Debits and transfers are taken back without a defense. What can be captured is a card, or a wallet.
  const isDefended = own.hasCapture
  const connector: Connector = {
    manifest: manifestOf({
      isDefended,
      id,
      displayName,
      method: name,
      mode,
      instruments,
      currencies,
      countries,
      capabilities,
      ...(terms && { terms }),
      ...(buyerFields && { buyerFields }),
      ...(options && { options }),
    }),
    authorize: (order: AuthorizeOrder, link) => authorize(order, link, method),
    ...(own.isOnPage && { complete }),
    ...(own.hasCapture && { capture: own.lines ? withLine(capture) : capture, void: release }),
    ...(capabilities.partialRefunds !== false && { refund: own.lines ? withLine(refund) : refund }),
    ...(mode === 'card' && { obstacleTo, increment, cancel, refund: refundCard, tokenize, forgetToken }),
    ...(isDefended && { answerDispute, disputeFields }),
    verify,
    registerNotifications,
    readNotification: (message, link) => readNotification(message, link, name),
    reports: reportsOf(name),
    trial: mode === 'card' ? CARD_TRIAL : TRIAL,
  }
  return { ...connector, sync: syncBy(connector) }
}

function part(own: Part): Part {
  return own
}

/** Adyen's fields of the buyer in `paymentMethod`, by ours. */
const BUYERS = {
  firstName: 'first_name',
  lastName: 'last_name',
  shopperEmail: 'email_address',
  telephoneNumber: 'phone_number',
} as const

/** A method by its row. */
function byRow(row: MethodRow): Part {
  const {
    method,
    displayName,
    type,
    currencies,
    countries,
    options,
    captures,
    asks,
    fixed,
    repeats = [],
    hasLines,
    shape,
    refunds,
    fields,
    hasMandate,
  } = row
  return {
    id: `adyen-${method}`,
    displayName,
    method,
    mode: 'redirect',
    instruments: ['redirect'],
    terms: termsOf(row, ASKED),
    currencies,
    countries,
    capabilities: { multipleCaptures: captures === 'several', partialRefunds: refunds ?? true },
    ...(options && { options }),
    ...(hasMandate && { hasMandate }),
    ...(fields && { buyerFields: Object.keys(fields).filter(isBuyerField) }),
    payer: ({ currency, billing, instrument }) => ({
      paymentMethod: {
        type: typeof type === 'string' ? type : (type[currency] ?? ''),
        ...fixed,
        ...enteredIn(instrument, fields),
        ...Object.fromEntries(repeats.map((name) => [name, billing?.[BUYERS[name]] ?? undefined])),
      },
    }),
    isOnPage: shape === undefined,
    ...(hasLines && { lines: toLineItems }),
    ...(asks && { asks }),
    hasCapture: captures !== undefined,
  }
}

/** What the buyer has entered, under Adyen's names. */
function enteredIn(instrument: Instrument, names: MethodRow['fields'] = {}): Json {
  const given = instrument.kind === 'redirect' ? (instrument.fields ?? {}) : {}
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const own = isBuyerField(name) ? names[name] : undefined
      return own === undefined ? [] : [[own, value.use(String)]]
    }),
  )
}

/** A direct debit of a bank account. */
function bank(
  method: string,
  displayName: string,
  currencies: readonly string[],
  payer: Method['payer'],
): Part {
  return {
    id: `adyen-${method}`,
    displayName,
    method,
    mode: 'bank',
    instruments: ['bank'],
    currencies,
    countries: 'all',
    capabilities: {},
    payer,
    isOnPage: false,
    hasCapture: false,
  }
}
