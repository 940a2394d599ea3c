/** Between the page for paying and the frame with Google's button. */

export const GOOGLE_CHANNEL = 'switchyard-google-pay'

/** What the frame is told. */
export type ButtonOrder = {
  readonly request: {
    readonly apiVersion: number
    readonly apiVersionMinor: number
    readonly merchantInfo: object
    readonly allowedPaymentMethods: readonly object[]
  }
  readonly locale: string
  readonly isDark: boolean
  readonly radius: number
}

/** What it tells. `none`: the buyer cannot pay with it here; `closed`: the buyer has closed Google's sheet. */
export type ButtonMessage =
  | { readonly type: 'hello' | 'ready' | 'none' | 'closed' | 'trouble' }
  | { readonly type: 'paid'; readonly payment: object }
