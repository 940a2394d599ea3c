import type { InstrumentKind, Operation } from './orders.ts'

/** What every connector says about itself, for any kind of provider. */
export type AccountManifest = {
  /** The provider and its purpose, as in `mock-card` or `mock-gift-card`. */
  readonly id: string
  readonly displayName: string
  /** What merchants enter to connect their account at the provider. */
  readonly fields: readonly Field[]
  /** Offered only in sandboxes, because it invents its answers. */
  readonly isSimulator: boolean
}

/** The description of a connector for payments: what it is, what merchants enter, and what it supports. */
export type Manifest = AccountManifest & {
  /** The payment method of the API that it serves. */
  readonly method: string
  readonly mode: 'card' | 'redirect' | 'bank'
  readonly instruments: readonly InstrumentKind[]
  readonly reportingFields: readonly Field[]
  /** ISO 4217 and ISO 3166-1 alpha-2. `all`: the provider accepts every one. */
  readonly currencies: 'all' | readonly string[]
  readonly countries: 'all' | readonly string[]
  readonly capabilities: Capabilities
}

export type Field = {
  readonly key: string
  readonly displayName: string
  readonly isRequired: boolean
  readonly format: 'text' | 'multiline' | 'file' | 'number' | 'timezone' | 'boolean'
  /** Sealed in the vault and never shown again. */
  readonly isSecret: boolean
  /** Whether `verify` checks it. */
  readonly isVerifiable: boolean
  /** Decides where requests are sent. If it changes, merchants must enter the secrets again. */
  readonly isAddress?: true
}

/** What a connector supports beyond having the function. */
export type Capabilities = {
  /** Authorize and capture in one step. */
  readonly directCapture: boolean
  /** Several captures of one authorization. */
  readonly multipleCaptures: boolean
  /** Capturing more than was authorized, within the merchant account's limits. */
  readonly overCapture: boolean
  /** A void after a capture releases the rest. */
  readonly remainderVoids: boolean
  readonly partialRefunds: boolean
  readonly partialAuthorization: boolean
  readonly zeroAuthorization: boolean
  /** Accepts the result of a 3-D Secure authentication outside of this service. */
  readonly threeDSecurePassThrough: boolean
  /** Operations that merchants can call only if this holds for their fields. */
  readonly operationNeeds?: Readonly<
    Partial<Record<Operation | 'sync', (fields: Readonly<Record<string, string>>) => boolean>>
  >
}
