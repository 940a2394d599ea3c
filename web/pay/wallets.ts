import type { OrderFacts, Wallet } from '../../server/src/domain/pay-page.ts'

/** What a wallet is asked for. */
export type Request = {
  readonly order: OrderFacts
  /** The amount as wallets write it: with a point, and without a currency. */
  readonly price: string
  readonly appleSession: (validationUrl: string) => Promise<unknown>
  /** Pays with what the wallet gave. */
  readonly onToken: (method: object) => Promise<Result>
  /** The wallet could not be used. The buyer did nothing wrong, and nothing was sent. */
  readonly onTrouble: () => void
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
    void onToken({ method: 'applepay', token: payment.token }).then((result) => {
      const status = result === 'fail' ? Session.STATUS_FAILURE : Session.STATUS_SUCCESS
      // Apple closes a sheet that waits too long. The page shows what becomes of the payment.
      ignoreErrors(() => (result === 'unknown' ? session.abort() : session.completePayment({ status })))
    })
  }
  session.begin()
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
  const { token } = response.details.paymentMethodData.tokenizationData
  const result = await onToken({ method: 'googlepay', token: JSON.parse(token) })
  // A browser closes a sheet that waits too long.
  await response.complete(result).catch(() => {})
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
