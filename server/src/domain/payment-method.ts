/** The kind of a method, for people who choose between methods. */
export const METHOD_KINDS = ['card', 'wallet', 'bank', 'pay-later', 'voucher', 'crypto', 'other'] as const
export type MethodKind = (typeof METHOD_KINDS)[number]

export type MethodDescription = {
  readonly name: string
  /** Given if the short name alone is unclear. */
  readonly longName: string | null
  readonly kind: MethodKind
}

/** Every payment method of the API, with its common name. */
export const PAYMENT_METHODS = {
  affirm: method('pay-later', 'Affirm'),
  afterpay: method('pay-later', 'Afterpay'),
  alipay: method('wallet', 'Alipay'),
  alipayhk: method('wallet', 'AlipayHK', 'Alipay Hong Kong'),
  applepay: method('wallet', 'Apple Pay'),
  bacs: method('bank', 'Bacs', 'Bacs Direct Debit'),
  bancontact: method('bank', 'Bancontact'),
  banked: method('bank', 'Banked', 'Banked pay by bank'),
  becs: method('bank', 'BECS', 'BECS Direct Debit'),
  bitpay: method('crypto', 'BitPay'),
  boleto: method('voucher', 'Boleto', 'Boleto Bancário'),
  boost: method('wallet', 'Boost', 'Boost eWallet'),
  card: method('card', 'Card', 'Credit or debit card'),
  cashapp: method('wallet', 'Cash App', 'Cash App Pay'),
  chaseorbital: method('card', 'Chase Orbital'),
  'checkout-session': method('other', 'Checkout session', 'Card entered in a checkout session'),
  clearpay: method('pay-later', 'Clearpay'),
  'click-to-pay': method('card', 'Click to Pay'),
  dana: method('wallet', 'DANA'),
  dcb: method('other', 'DCB', 'Direct carrier billing'),
  dlocal: method('other', 'dLocal'),
  ebanx: method('other', 'EBANX'),
  efecty: method('voucher', 'Efecty'),
  eps: method('bank', 'EPS', 'EPS bank transfer'),
  everydaypay: method('wallet', 'Everyday Pay'),
  gcash: method('wallet', 'GCash'),
  gem: method('pay-later', 'Gem', 'Gem by Latitude'),
  gemds: method('pay-later', 'Gem DS'),
  'gift-card': method('card', 'Gift card'),
  giropay: method('bank', 'giropay'),
  givingblock: method('crypto', 'The Giving Block'),
  gocardless: method('bank', 'GoCardless'),
  googlepay: method('wallet', 'Google Pay'),
  googlepay_pan_only: method('wallet', 'Google Pay (card)', 'Google Pay with the number of the card itself'),
  gopay: method('wallet', 'GoPay'),
  grabpay: method('wallet', 'GrabPay'),
  id: method('other', 'Stored method', 'A stored payment method, by its id'),
  ideal: method('bank', 'iDEAL'),
  kakaopay: method('wallet', 'KakaoPay'),
  kcp: method('other', 'KCP', 'NHN KCP'),
  klarna: method('pay-later', 'Klarna'),
  latitude: method('pay-later', 'Latitude', 'LatitudePay'),
  latitudeds: method('pay-later', 'Latitude DS'),
  laybuy: method('pay-later', 'Laybuy'),
  linepay: method('wallet', 'LINE Pay'),
  linkaja: method('wallet', 'LinkAja'),
  maybankqrpay: method('wallet', 'Maybank QRPay'),
  mercadopago: method('wallet', 'Mercado Pago'),
  multibanco: method('voucher', 'Multibanco'),
  multipago: method('voucher', 'Multipago'),
  netbanking: method('bank', 'Netbanking', 'Indian net banking'),
  'network-token': method('card', 'Network token', 'A card, by its network token'),
  oney_3x: method('pay-later', 'Oney 3x', 'Oney in 3 instalments'),
  oney_4x: method('pay-later', 'Oney 4x', 'Oney in 4 instalments'),
  oney_6x: method('pay-later', 'Oney 6x', 'Oney in 6 instalments'),
  oney_10x: method('pay-later', 'Oney 10x', 'Oney in 10 instalments'),
  oney_12x: method('pay-later', 'Oney 12x', 'Oney in 12 instalments'),
  ovo: method('wallet', 'OVO'),
  oxxo: method('voucher', 'OXXO'),
  payid: method('bank', 'PayID'),
  paymaya: method('wallet', 'Maya', 'Maya, formerly PayMaya'),
  paypal: method('wallet', 'PayPal'),
  paypalpaylater: method('pay-later', 'PayPal Pay Later'),
  payto: method('bank', 'PayTo'),
  venmo: method('wallet', 'Venmo'),
  pix: method('bank', 'Pix'),
  pse: method('bank', 'PSE', 'Pagos Seguros en Línea'),
  rabbitlinepay: method('wallet', 'Rabbit LINE Pay'),
  razorpay: method('other', 'Razorpay'),
  scalapay: method('pay-later', 'Scalapay'),
  sepa: method('bank', 'SEPA', 'SEPA Direct Debit'),
  shopeepay: method('wallet', 'ShopeePay'),
  singteldash: method('wallet', 'Singtel Dash'),
  smartpay: method('pay-later', 'Smartpay'),
  sofort: method('bank', 'Sofort', 'Sofort bank transfer'),
  spei: method('bank', 'SPEI', 'SPEI bank transfer'),
  stripedd: method('bank', 'Stripe Direct Debit'),
  thaiqr: method('bank', 'Thai QR', 'Thai QR, PromptPay'),
  touchngo: method('wallet', 'Touch ’n Go', 'Touch ’n Go eWallet'),
  truemoney: method('wallet', 'TrueMoney', 'TrueMoney Wallet'),
  trustly: method('bank', 'Trustly'),
  trustlyeurope: method('bank', 'Trustly Europe'),
  upi: method('bank', 'UPI', 'Unified Payments Interface'),
  vipps: method('wallet', 'Vipps'),
  waave: method('bank', 'Waave', 'Waave pay by bank'),
  webpay: method('bank', 'Webpay', 'Webpay Plus'),
  wechat: method('wallet', 'WeChat Pay'),
  zippay: method('pay-later', 'Zip', 'Zip Pay'),
} as const satisfies Readonly<Record<string, MethodDescription>>

/**
 * Methods that the buyer approves elsewhere. Those without a name in the interface that we keep to are listed in
 * `processing/connectors.test.ts`: merchants who connect none of them meet none of them.
 */
// biome-ignore format: one name in each line would bury the shapes below
export const REDIRECT_METHODS = [
  'abitab', 'ach', 'affirm', 'afterpay', 'alipay', 'alipayhk', 'alma', 'arcuspaynetwork', 'autogiro', 'bacs',
  'bancomatpay', 'bancontact', 'banked', 'banktransfer', 'bcp', 'becs', 'becsnz', 'belfius', 'betalingsservice', 'billie', 'bitpay', 'bizum',
  'blik', 'boleto', 'boost', 'breb', 'capitec', 'cashapp', 'cashappafterpay', 'clearpay', 'custom_push',
  'custom_redirect', 'custom_tokenize', 'dana', 'dcb', 'dlocal', 'ebanx', 'eckoh', 'efecty', 'eps',
  'everydaypay', 'gcash', 'gem', 'gemds', 'giropay', 'givingblock', 'gocardless', 'gopay', 'grabpay', 'ideal',
  'in3', 'interac', 'kakaopay', 'kbc', 'kcp', 'khipu', 'klarna', 'konbini', 'latitude', 'latitudeds', 'laybuy',
  'linepay', 'linkaja', 'maybankqrpay', 'mbway', 'mercadopago', 'mobilepay', 'multibanco', 'multipago',
  'mybank', 'nequi', 'netbanking', 'nupay', 'onelink', 'oney_10x', 'oney_12x', 'oney_3x', 'oney_4x', 'oney_6x',
  'onlinebankingcz', 'ovo', 'oxxo', 'p24', 'pad', 'pagoefectivo', 'paybybank', 'payid', 'paymaya', 'paypal',
  'paypalpaylater', 'paypay', 'paysafecard', 'paysquad', 'payto', 'payvalida', 'picpay', 'pix', 'pse',
  'rabbitlinepay', 'rapipago', 'razorpay', 'redpagos', 'riverty', 'satispay', 'scalapay', 'sepa', 'servipag',
  'seveneleven', 'shopeepay', 'singteldash', 'smartpay', 'sofort', 'spei', 'stitch', 'stripe', 'stripedd',
  'stripetoken', 'swish', 'tapi', 'tapifintechs', 'thaiqr', 'touchngo', 'truemoney', 'trustly',
  'trustlyeurope', 'twint', 'upi', 'venmo', 'vipps', 'waave', 'webpay', 'wechat', 'wero', 'yape', 'zippay',
] as const

/** What buyers pay with, and of which the API lists no definition. */
const UNLISTED: Readonly<Record<string, MethodDescription>> = {
  alma: method('pay-later', 'Alma'),
  autogiro: method('bank', 'Autogiro', 'Swedish direct debit'),
  bancomatpay: method('wallet', 'BANCOMAT Pay'),
  banktransfer: method('bank', 'Bank transfer', 'SEPA bank transfer'),
  belfius: method('bank', 'Belfius', 'Belfius Direct Net'),
  becsnz: method('bank', 'BECS NZ', 'New Zealand direct debit'),
  betalingsservice: method('bank', 'Betalingsservice', 'Danish direct debit'),
  billie: method('pay-later', 'Billie', 'Billie, for companies'),
  bizum: method('wallet', 'Bizum'),
  blik: method('bank', 'BLIK'),
  in3: method('pay-later', 'in3', 'in3, in 3 instalments'),
  kbc: method('bank', 'KBC/CBC', 'KBC/CBC payment button'),
  konbini: method('voucher', 'Konbini', 'Japanese convenience stores'),
  mbway: method('wallet', 'MB WAY'),
  mobilepay: method('wallet', 'MobilePay'),
  mybank: method('bank', 'MyBank'),
  p24: method('bank', 'Przelewy24'),
  pad: method('bank', 'PAD', 'Canadian pre-authorized debit'),
  paybybank: method('bank', 'Pay by Bank'),
  paypay: method('wallet', 'PayPay'),
  paysafecard: method('voucher', 'paysafecard'),
  paze: method('wallet', 'Paze'),
  riverty: method('pay-later', 'Riverty'),
  satispay: method('wallet', 'Satispay'),
  seveneleven: method('voucher', '7-Eleven'),
  swish: method('wallet', 'Swish'),
  twint: method('wallet', 'TWINT'),
  wero: method('bank', 'Wero'),
}

/** The description of a method, if we know one. Each has an icon. */
export function describeMethod(name: string): MethodDescription | undefined {
  if (Object.hasOwn(PAYMENT_METHODS, name)) return PAYMENT_METHODS[name as PaymentMethodName]
  return Object.hasOwn(UNLISTED, name) ? UNLISTED[name] : undefined
}

type PaymentMethodName = keyof typeof PAYMENT_METHODS

function method(kind: MethodKind, name: string, longName: string | null = null): MethodDescription {
  return { kind, name, longName }
}
