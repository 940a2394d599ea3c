import type { OrderFacts, Wallet } from '../../server/src/domain/pay-page.ts'

/** What a wallet is asked for. This file is loaded only where one is registered, so it imports nothing else. */
export type Request = {
  readonly order: OrderFacts
  /** The amount as wallets write it: with a point, and without a currency. */
  readonly price: string
  readonly appleSession: (validationUrl: string) => Promise<unknown>
  /** Pays with what the wallet gave. */
  readonly onToken: (method: object) => Promise<void>
}

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
export function openWallet(wallet: Wallet, request: Request): Promise<void> {
  return wallet.method === 'applepay' ? openApple(wallet, request) : openGoogle(wallet, request)
}

/** What Apple's browsers have, as far as this page uses it. */
type AppleSession = {
  onvalidatemerchant: (event: { validationURL: string }) => void
  onpaymentauthorized: (event: { payment: { token: object } }) => void
  begin: () => void
  abort: () => void
  completeMerchantValidation: (session: unknown) => void
  completePayment: (result: { status: number }) => void
}
type Apple = {
  new (version: number, request: object): AppleSession
  canMakePayments: () => boolean
  readonly STATUS_SUCCESS: number
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

async function openApple(wallet: Wallet, { order, price, appleSession, onToken }: Request): Promise<void> {
  const Session = apple()
  if (!Session) return
  const session = new Session(3, {
    countryCode: order.country,
    currencyCode: order.currency,
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: wallet.schemes.flatMap((scheme) => APPLE_NAMES[scheme] ?? []),
    total: { label: wallet.merchant_name, amount: price },
  })
  session.onvalidatemerchant = ({ validationURL }) => {
    appleSession(validationURL).then(
      (opened) => session.completeMerchantValidation(opened),
      () => session.abort(),
    )
  }
  session.onpaymentauthorized = ({ payment }) => {
    // The page itself shows what becomes of the payment.
    session.completePayment({ status: Session.STATUS_SUCCESS })
    void onToken({ method: 'applepay', token: payment.token })
  }
  session.begin()
}

async function openGoogle(wallet: Wallet, { order, price, onToken }: Request): Promise<void> {
  const response = await googleRequest(wallet, order, price)
    .show()
    // The buyer closed it.
    .catch(() => undefined)
  if (!response) return
  const { token } = response.details.paymentMethodData.tokenizationData
  await response.complete('success')
  await onToken({ method: 'googlepay', token: JSON.parse(token) })
}

function googleRequest(wallet: Wallet, order: OrderFacts, price: string): PaymentRequest {
  const data = {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { merchantName: wallet.merchant_name },
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: {
          allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
          allowedCardNetworks: wallet.schemes.map((scheme) => scheme.toUpperCase()),
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
  }
  const total = { label: wallet.merchant_name, amount: { currency: order.currency, value: price } }
  return new PaymentRequest([{ supportedMethods: 'https://google.com/pay', data }], { total })
}
