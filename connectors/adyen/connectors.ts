import type { Connector } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { answerDispute, disputeFields } from './answer-dispute.ts'
import { authorize, complete } from './authorize.ts'
import { payByAch, payBySepa } from './bank-accounts.ts'
import { toLineItems } from './buyer.ts'
import { payByCard } from './instruments.ts'
import { type Described, manifestOf } from './manifest.ts'
import { cancel, capture, increment, refund, refundCard, release } from './modify.ts'
import { readNotification } from './notification.ts'
import { CARD_OPTIONS, OPTIONS, SEPA_OPTIONS } from './option-schemas.ts'
import type { Method } from './payment-request.ts'
import { registerNotifications } from './register.ts'
import { reportsOf } from './reports.ts'
import { syncBy } from './sync.ts'
import { forgetToken, tokenize } from './tokens.ts'
import { CARD_TRIAL, TRIAL } from './trial.ts'
import { verify } from './verify.ts'

/** The parts of a method that are its own. */
type Part = Omit<Described, 'isDefended'> & Omit<Method, 'id' | 'hasAuthentication' | 'hasCaptureDelay'>

/** The euro, and the countries whose buyers have the method. */
const EURO = ['EUR']

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
  hasCapture: true,
})

const IDEAL = part({
  ...redirect('ideal', 'Adyen iDEAL', { currencies: EURO, countries: ['NL'] }),
  options: OPTIONS,
})
const BANCONTACT = redirect(
  'bancontact',
  'Adyen Bancontact',
  { currencies: EURO, countries: ['BE'] },
  'bcmc_mobile',
)
const KLARNA = part({
  ...redirect('klarna', 'Adyen Klarna', {
    currencies: [
      'AUD',
      'CAD',
      'CHF',
      'CZK',
      'DKK',
      'EUR',
      'GBP',
      'MXN',
      'NOK',
      'NZD',
      'PLN',
      'RON',
      'SEK',
      'USD',
    ],
    countries: 'all',
  }),
  capabilities: { multipleCaptures: true },
  extra: (order) => ({ lineItems: toLineItems(order) }),
  hasCapture: true,
})
const PAYPAL = part({
  ...redirect('paypal', 'Adyen PayPal', { currencies: 'all', countries: 'all' }),
  // Without it, Adyen answers with data for PayPal's script.
  payer: () => ({ paymentMethod: { type: 'paypal', subtype: 'redirect' } }),
  hasCapture: true,
})
const SEPA = part({
  ...bank('sepa', 'Adyen SEPA Direct Debit', EURO, payBySepa),
  options: SEPA_OPTIONS,
})
const ACH = part({ ...bank('ach', 'Adyen ACH Direct Debit', ['USD'], payByAch), options: OPTIONS })

export const adyenConnectors: readonly Connector[] = [CARD, IDEAL, BANCONTACT, KLARNA, PAYPAL, SEPA, ACH].map(
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
      ...(options && { options }),
    }),
    authorize: (order: AuthorizeOrder, link) => authorize(order, link, method),
    ...(mode !== 'bank' && { complete }),
    ...(own.hasCapture && { capture, void: release }),
    refund,
    ...(mode === 'card' && { increment, cancel, refund: refundCard, tokenize, forgetToken }),
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

/** A method whose buyers approve on a page. */
function redirect(
  method: string,
  displayName: string,
  where: Pick<Described, 'currencies' | 'countries'>,
  type = method,
): Part {
  return {
    id: `adyen-${method}`,
    displayName,
    method,
    mode: 'redirect',
    instruments: ['redirect'],
    ...where,
    capabilities: {},
    payer: () => ({ paymentMethod: { type } }),
    hasCapture: false,
  }
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
    hasCapture: false,
  }
}
