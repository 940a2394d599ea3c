import type { Page } from 'playwright-core'

/**
 * Apple Pay and Google Pay as browsers have them: doubles that keep to their contracts, and refuse what a browser would
 * refuse. What the buyer does with the sheet is up to the test.
 */
export type Sheet = {
  readonly wallet: 'applepay' | 'googlepay'
  /** What the page asked the wallet for. */
  readonly request: Readonly<Record<string, unknown>>
}

/** The token that the buyer's device makes. Null: the buyer closes the sheet. */
type Buyer = (sheet: Sheet) => object | null

export type WalletSheets = {
  /** Every sheet that was opened, in order. */
  readonly opened: readonly Sheet[]
  /** What the sheets said at the end: `success`, `fail`, `unknown`, or `aborted` by the page. */
  readonly said: readonly string[]
}

export async function giveWallets(page: Page, buyer: Buyer): Promise<WalletSheets> {
  const opened: Sheet[] = []
  const said: string[] = []
  await page.exposeFunction('openSheet', (sheet: Sheet) => {
    opened.push(sheet)
    return buyer(sheet)
  })
  await page.exposeFunction('closeSheet', (text: string) => void said.push(text))
  await page.addInitScript(installApplePay)
  await page.addInitScript(installGooglePay)
  return { opened, said }
}

/** Google's own script, for the frame with its button. Undefined: it cannot be reached. */
export async function giveGoogleScript(page: Page, isReady: boolean | undefined): Promise<void> {
  const body = `(${installGoogleScript})(${isReady})`
  await page.route('https://pay.google.com/gp/p/js/pay.js', (route) =>
    isReady === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body }),
  )
}

/** What runs in the page is typed here: this file runs in Node. */
declare const window: Record<string, unknown>
type Element = {
  type: string
  textContent: string
  setAttribute: (name: string, value: string) => void
  addEventListener: (name: string, listen: () => void) => void
  append: (element: unknown) => void
}
declare const document: { readonly createElement: (name: string) => Element }
declare const navigator: { readonly userActivation: { readonly isActive: boolean } }
declare const openSheet: (sheet: object) => Promise<object | null>
declare const closeSheet: (text: string) => Promise<void>

function installApplePay(): void {
  type State = 'idle' | 'validating' | 'shown' | 'authorized' | 'over'
  type Handler = ((event: object) => void) | undefined
  let current: unknown
  const refuse = (text: string): never => {
    throw new DOMException(text, 'InvalidAccessError')
  }
  const isText = (value: unknown, form: RegExp) => typeof value === 'string' && form.test(value)

  const ada = {
    ...{ givenName: 'Ada', familyName: 'Lovelace', emailAddress: 'ada@example.com' },
    ...{ phoneNumber: '(415) 555-0123', addressLines: ['29th Street 10', 'Stafford Apartments'] },
    ...{ locality: 'San Jose', administrativeArea: 'CA', postalCode: '95113', countryCode: 'us' },
  }
  const contacts = (request: Record<string, unknown>) => ({
    ...(request['requiredBillingContactFields'] !== undefined && { billingContact: ada }),
    ...(request['requiredShippingContactFields'] !== undefined && { shippingContact: ada }),
  })

  class ApplePaySession {
    static readonly STATUS_SUCCESS = 0
    static readonly STATUS_FAILURE = 1
    static canMakePayments(): boolean {
      return true
    }

    onvalidatemerchant: Handler
    onpaymentauthorized: Handler
    oncancel: Handler
    #state: State = 'idle'
    readonly #request: Record<string, unknown>

    constructor(version: number, request: Record<string, unknown>) {
      if (!navigator.userActivation.isActive) refuse('Must create a session from a gesture of the user')
      const { label, amount } = (request['total'] ?? {}) as Record<string, unknown>
      const isRight =
        version >= 1 &&
        isText(request['countryCode'], /^[A-Z]{2}$/) &&
        isText(request['currencyCode'], /^[A-Z]{3}$/) &&
        isText(label, /./) &&
        isText(amount, /^\d+([.]\d{1,4})?$/) &&
        [request['supportedNetworks'], request['merchantCapabilities']].every(
          (list) => Array.isArray(list) && list.length > 0,
        )
      if (!isRight) throw new TypeError('the payment request is not valid')
      this.#request = request
    }

    begin(): void {
      if (current) refuse('Page already has an active payment session')
      if (!this.onvalidatemerchant || !this.onpaymentauthorized) refuse('a handler is missing')
      current = this
      this.#state = 'validating'
      const validationURL = 'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession'
      queueMicrotask(() => this.onvalidatemerchant?.({ validationURL }))
    }

    completeMerchantValidation(session: Record<string, unknown>): void {
      if (this.#state !== 'validating') refuse('no merchant is being validated')
      if (typeof session?.['merchantSessionIdentifier'] !== 'string') throw new TypeError('not a session')
      this.#state = 'shown'
      void openSheet({ wallet: 'applepay', request: this.#request }).then((paymentData) => {
        if (!paymentData) {
          this.#end()
          return this.oncancel?.({})
        }
        this.#state = 'authorized'
        const paymentMethod = { displayName: 'Visa 1111', network: 'Visa', type: 'debit' }
        const token = { paymentData, paymentMethod, transactionIdentifier: 'A1B2' }
        return this.onpaymentauthorized?.({ payment: { token, ...contacts(this.#request) } })
      })
    }

    completePayment({ status }: { status: number }): void {
      if (this.#state !== 'authorized') refuse('nothing is authorized')
      this.#end(status === ApplePaySession.STATUS_SUCCESS ? 'success' : 'fail')
    }

    abort(): void {
      if (this.#state === 'idle' || this.#state === 'over') refuse('the session is not active')
      this.#end('aborted')
    }

    #end(said?: string): void {
      this.#state = 'over'
      current = undefined
      if (said) void closeSheet(said)
    }
  }
  window['ApplePaySession'] = ApplePaySession
}

function installGooglePay(): void {
  type Method = { readonly supportedMethods: string; readonly data: Record<string, unknown> }
  type Total = { readonly total: { readonly label: string; readonly amount: Record<string, string> } }

  class PaymentResponse {
    readonly details: object
    #isComplete = false

    constructor(token: object) {
      const tokenizationData = { type: 'PAYMENT_GATEWAY', token: JSON.stringify(token) }
      const info = { cardNetwork: 'VISA', cardDetails: '1111' }
      const paymentMethodData = { type: 'CARD', description: 'Visa 1111', info, tokenizationData }
      this.details = { apiVersion: 2, apiVersionMinor: 0, paymentMethodData }
    }

    async complete(result = 'unknown'): Promise<void> {
      if (this.#isComplete) throw new DOMException('it is complete already', 'InvalidStateError')
      if (!['success', 'fail', 'unknown'].includes(result)) throw new TypeError('no such result')
      this.#isComplete = true
      await closeSheet(result)
    }
  }

  class PaymentRequest {
    #isShown = false
    readonly #method: Method
    readonly #total: Total['total']

    constructor([method]: Method[], { total }: Total) {
      if (!method || !/^https:/.test(method.supportedMethods)) throw new TypeError('no method')
      if (!/^\d+([.]\d+)?$/.test(total.amount['value'] ?? '')) throw new TypeError('no amount')
      if (!/^[A-Z]{3}$/.test(total.amount['currency'] ?? '')) throw new TypeError('no currency')
      this.#method = method
      this.#total = total
    }

    async canMakePayment(): Promise<boolean> {
      if (this.#isShown) throw new DOMException('it was shown', 'InvalidStateError')
      return this.#method.supportedMethods === 'https://google.com/pay'
    }

    async show(): Promise<PaymentResponse> {
      if (this.#isShown) throw new DOMException('it was shown', 'InvalidStateError')
      if (!navigator.userActivation.isActive) throw new DOMException('no gesture', 'SecurityError')
      this.#isShown = true
      const request = { ...this.#method.data, total: this.#total }
      const token = await openSheet({ wallet: 'googlepay', request })
      if (!token) throw new DOMException('User closed the Payment Request UI.', 'AbortError')
      return new PaymentResponse(token)
    }
  }
  window['PaymentRequest'] = PaymentRequest
}

/** As Google describes `PaymentsClient`: it refuses what Google would refuse. */
function installGoogleScript(isReady: boolean): void {
  type Request = Readonly<Record<string, unknown>>
  type Parameters = { readonly billingAddressRequired?: boolean }
  const refuse = (statusCode: string): never => {
    throw Object.assign(new Error(statusCode), { statusCode })
  }
  const address = {
    name: 'Ada King Lovelace',
    phoneNumber: '+1 415-555-0123',
    address1: '29th Street 10',
    address2: 'Stafford Apartments',
    address3: '',
    locality: 'San Jose',
    administrativeArea: 'CA',
    postalCode: '95113',
    countryCode: 'US',
  }

  class PaymentsClient {
    constructor({ environment }: { environment: string }) {
      if (!['TEST', 'PRODUCTION'].includes(environment)) refuse('DEVELOPER_ERROR')
    }

    async isReadyToPay(request: Request): Promise<{ result: boolean }> {
      if (request['apiVersion'] !== 2 || !Array.isArray(request['allowedPaymentMethods'])) {
        refuse('DEVELOPER_ERROR')
      }
      return { result: isReady }
    }

    createButton({ onClick }: { onClick: () => void }): unknown {
      const place = document.createElement('div')
      const button = document.createElement('button')
      button.type = 'button'
      button.setAttribute('aria-label', 'Buy with GPay')
      button.setAttribute('style', 'width: 100%; height: 100%; background: #000; color: #fff; border: 0')
      button.textContent = 'GPay'
      button.addEventListener('click', onClick)
      place.append(button)
      return place
    }

    async loadPaymentData(request: Request): Promise<object> {
      if (!navigator.userActivation.isActive) refuse('DEVELOPER_ERROR')
      const token = await openSheet({ wallet: 'googlepay', request })
      if (!token) refuse('CANCELED')
      const [method] = request['allowedPaymentMethods'] as [{ parameters: Parameters }]
      const tokenizationData = { type: 'PAYMENT_GATEWAY', token: JSON.stringify(token) }
      const info = {
        cardNetwork: 'VISA',
        cardDetails: '1111',
        ...(method.parameters.billingAddressRequired && { billingAddress: address }),
      }
      return {
        apiVersion: 2,
        apiVersionMinor: 0,
        ...(request['emailRequired'] === true && { email: 'ada@example.com' }),
        ...(request['shippingAddressRequired'] === true && { shippingAddress: address }),
        paymentMethodData: { type: 'CARD', description: 'Visa 1111', info, tokenizationData },
      }
    }
  }
  window['google'] = { payments: { api: { PaymentsClient } } }
}
