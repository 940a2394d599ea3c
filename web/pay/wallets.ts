import type { OrderFacts, Wallet } from '../../server/src/domain/pay-page.ts'

/** What a wallet is asked for. */
export type Request = {
  readonly order: OrderFacts
  /** The amount as wallets write it: with a point, and without a currency. */
  readonly price: string
  readonly appleSession: (validationUrl: string) => Promise<unknown>
  /** Pays with what the wallet gave. */
  readonly onToken: (method: object, contact: SheetContact) => Promise<Result>
  /** The wallet could not be used. The buyer did nothing wrong, and nothing was sent. */
  readonly onTrouble: () => void
}

/** What the wallet knows of the buyer, as far as it was asked. */
export type SheetContact = {
  readonly email?: string | undefined
  readonly billing?: SheetAddress | undefined
  readonly shipping?: SheetAddress | undefined
}
export type SheetAddress = {
  readonly first: string
  readonly last: string
  readonly phone: string
  readonly country: string
  readonly lines: readonly string[]
  readonly city: string
  readonly area: string
  readonly postalCode: string
}

/** What the sheet of a wallet says of the payment. The page itself says why. */
export type Result = 'success' | 'fail' | 'unknown'

/** The wallets that this browser has. Both are part of the browser: no script of theirs is loaded. */
export async function readyWallets(order: OrderFacts, price: string): Promise<readonly Wallet[]> {
  const found = order.wallets.map(async (wallet) => ((await isThere(wallet, order, price)) ? [wallet] : []))
  return (await Promise.all(found)).flat()
}

async function isThere(wallet: Wallet, order: OrderFacts, price: string): Promise<boolean> {
  try {
    if (wallet.method === 'applepay') return apple()?.canMakePayments() === true && order.country !== null
    return 'PaymentRequest' in window && (await googleRequest(wallet, order, price).canMakePayment())
  } catch {
    return false
  }
}

/** Opens the wallet. It has to follow a click at once, or browsers refuse. */
export function openWallet(wallet: Wallet, request: Request): void {
  const open = wallet.method === 'applepay' ? openApple : openGoogle
  open(wallet, request).catch(request.onTrouble)
}

/** What Apple's browsers have, as far as this page uses it. */
type AppleSession = {
  onvalidatemerchant: (event: { validationURL: string }) => void
  onpaymentauthorized: (event: { payment: ApplePayment }) => void
  begin: () => void
  abort: () => void
  completeMerchantValidation: (session: unknown) => void
  completePayment: (result: { status: number }) => void
}
type ApplePayment = {
  readonly token: object
  readonly billingContact?: AppleContact
  readonly shippingContact?: AppleContact
}
type AppleContact = Partial<
  Record<
    | 'givenName'
    | 'familyName'
    | 'emailAddress'
    | 'phoneNumber'
    | 'countryCode'
    | 'locality'
    | 'administrativeArea'
    | 'postalCode',
    string
  >
> & { readonly addressLines?: readonly string[] }
type Apple = {
  new (version: number, request: object): AppleSession
  canMakePayments: () => boolean
  readonly STATUS_SUCCESS: number
  readonly STATUS_FAILURE: number
}

function apple(): Apple | undefined {
  return (window as { ApplePaySession?: Apple }).ApplePaySession
}

/** Schemes as Apple's browsers name them. */
const APPLE_NAMES: Readonly<Record<string, string>> = {
  amex: 'amex',
  discover: 'discover',
  jcb: 'jcb',
  maestro: 'maestro',
  mastercard: 'masterCard',
  unionpay: 'chinaUnionPay',
  visa: 'visa',
}

async function openApple(wallet: Wallet, request: Request): Promise<void> {
  const Session = apple()
  if (!Session) return
  const { order, price, appleSession, onToken, onTrouble } = request
  const session = new Session(3, {
    countryCode: order.country,
    currencyCode: order.currency,
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: wallet.schemes.flatMap((scheme) => APPLE_NAMES[scheme] ?? []),
    total: { label: wallet.merchant_name, amount: price },
    ...appleWishes(order),
  })
  session.onvalidatemerchant = ({ validationURL }) => {
    appleSession(validationURL)
      .then((opened) => session.completeMerchantValidation(opened))
      .catch(() => {
        session.abort()
        onTrouble()
      })
  }
  session.onpaymentauthorized = ({ payment }) => {
    void onToken({ method: 'applepay', token: payment.token }, fromApple(payment)).then((result) => {
      const status = result === 'fail' ? Session.STATUS_FAILURE : Session.STATUS_SUCCESS
      // Apple closes a sheet that waits too long. The page shows what becomes of the payment.
      ignoreErrors(() => (result === 'unknown' ? session.abort() : session.completePayment({ status })))
    })
  }
  session.begin()
}

/** Apple tells e-mail address and phone number with the delivery alone. */
function appleWishes({ asks }: OrderFacts): object {
  const has = (field: OrderFacts['asks'][number], name: string) => (asks.includes(field) ? [name] : [])
  const delivery = [
    ...has('email_address', 'email'),
    ...has('phone_number', 'phone'),
    ...has('shipping_address', 'postalAddress'),
  ]
  const names = asks.includes('shipping_address') || asks.includes('name') ? ['name'] : []
  return {
    ...(asks.includes('billing_address') && { requiredBillingContactFields: ['name', 'postalAddress'] }),
    ...(delivery.length + names.length > 0 && { requiredShippingContactFields: [...delivery, ...names] }),
  }
}

function fromApple({ billingContact, shippingContact }: ApplePayment): SheetContact {
  const toAddress = (given: AppleContact | undefined): SheetAddress | undefined =>
    given && {
      first: given.givenName ?? '',
      last: given.familyName ?? '',
      phone: given.phoneNumber ?? '',
      country: given.countryCode ?? '',
      lines: given.addressLines ?? [],
      city: given.locality ?? '',
      area: given.administrativeArea ?? '',
      postalCode: given.postalCode ?? '',
    }
  return {
    email: shippingContact?.emailAddress,
    billing: toAddress(billingContact),
    shipping: toAddress(shippingContact),
  }
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {}
}

async function openGoogle(wallet: Wallet, { order, price, onToken }: Request): Promise<void> {
  const response = await googleRequest(wallet, order, price)
    .show()
    .catch((error: Error) => {
      // The buyer closed it.
      if (error.name === 'AbortError') return undefined
      throw error
    })
  if (!response) return
  const result = await payWithGoogle(response.details, onToken)
  // A browser closes a sheet that waits too long.
  await response.complete(result).catch(() => {})
}

/** What Google's sheet gives. */
export type GooglePayment = {
  readonly email?: string
  readonly shippingAddress?: GoogleAddress
  readonly paymentMethodData: {
    readonly info?: { readonly billingAddress?: GoogleAddress }
    readonly tokenizationData: { readonly token: string }
  }
}
type GoogleAddress = Partial<
  Record<
    | 'name'
    | 'phoneNumber'
    | 'countryCode'
    | 'address1'
    | 'address2'
    | 'address3'
    | 'locality'
    | 'administrativeArea'
    | 'postalCode',
    string
  >
>

export function payWithGoogle(given: GooglePayment, onToken: Request['onToken']): Promise<Result> {
  const { info, tokenizationData } = given.paymentMethodData
  const contact = {
    email: given.email,
    billing: fromGoogle(info?.billingAddress),
    shipping: fromGoogle(given.shippingAddress),
  }
  return onToken({ method: 'googlepay', token: JSON.parse(tokenizationData.token) }, contact)
}

/** Google knows one name. The last word is taken for that of the family. */
function fromGoogle(given: GoogleAddress | undefined): SheetAddress | undefined {
  if (!given) return undefined
  const words = (given.name ?? '').trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  return {
    first: words.slice(0, -1).join(' ') || last,
    last,
    phone: given.phoneNumber ?? '',
    country: given.countryCode ?? '',
    lines: [given.address1, given.address2, given.address3].flatMap((line) => line || []),
    city: given.locality ?? '',
    area: given.administrativeArea ?? '',
    postalCode: given.postalCode ?? '',
  }
}

function googleRequest(wallet: Wallet, order: OrderFacts, price: string): PaymentRequest {
  const total = { label: wallet.merchant_name, amount: { currency: order.currency, value: price } }
  const data = googleData(wallet, order, price)
  return new PaymentRequest([{ supportedMethods: 'https://google.com/pay', data }], { total })
}

export function googleData(wallet: Wallet, order: OrderFacts, price: string) {
  const { asks } = order
  const phone = { phoneNumberRequired: asks.includes('phone_number') }
  // Google tells a name and a phone number with an address alone.
  const needsAddress = asks.some((field) => field !== 'email_address' && field !== 'shipping_address')
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: {
      merchantName: wallet.merchant_name,
      ...(wallet.merchant_id && { merchantId: wallet.merchant_id }),
      ...wallet.button?.merchant_info,
    },
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: {
          allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
          allowedCardNetworks: wallet.schemes.map((scheme) => scheme.toUpperCase()),
          ...(needsAddress && {
            billingAddressRequired: true,
            billingAddressParameters: { format: 'FULL', ...phone },
          }),
        },
        tokenizationSpecification: {
          type: 'PAYMENT_GATEWAY',
          parameters: { gateway: wallet.gateway, gatewayMerchantId: wallet.gateway_merchant_id },
        },
      },
    ],
    transactionInfo: {
      countryCode: order.country,
      currencyCode: order.currency,
      totalPriceStatus: 'FINAL',
      totalPrice: price,
    },
    ...(asks.includes('email_address') && { emailRequired: true }),
    ...(asks.includes('shipping_address') && {
      shippingAddressRequired: true,
      shippingAddressParameters: phone,
    }),
  }
}
