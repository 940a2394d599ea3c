import type { InstrumentKind, Operation } from './orders.ts'

/** What every connector says of itself, whatever kind of provider it is for. */
export type AccountManifest = {
  /** The provider and what it is for, as in `mock-card` or `mock-gift-card`. */
  readonly id: string
  readonly displayName: string
  /** What merchants enter to connect their account at the provider. */
  readonly fields: readonly Field[]
  /** Offered to sandboxes only: it makes its answers up. */
  readonly isSimulator: boolean
}

/** A connector for payments in words: what it is, what merchants must tell it, and what it can do. */
export type Manifest = AccountManifest & {
  /** The payment method of the API that it serves. */
  readonly method: string
  readonly mode: 'card' | 'redirect' | 'bank'
  readonly instruments: readonly InstrumentKind[]
  readonly reportingFields: readonly Field[]
  /** ISO 4217 and ISO 3166-1 alpha-2. `all`: the provider takes every one. */
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
  /** Whether `verify` looks at it. */
  readonly isVerifiable: boolean
  /** Decides where requests are sent. When it changes, merchants must enter the secrets again. */
  readonly isAddress?: true
}

/** What a connector can do beyond having the function for it. */
export type Capabilities = {
  /** Authorize and capture in one step. */
  readonly directCapture: boolean
  /** Several captures of one authorization. */
  readonly multipleCaptures: boolean
  /** Capturing more than was authorized, within the merchant account's limits. */
  readonly overCapture: boolean
  /** A void after a capture releases what captures have left. */
  readonly remainderVoids: boolean
  readonly partialRefunds: boolean
  readonly partialAuthorization: boolean
  readonly zeroAuthorization: boolean
  /** Takes the result of a 3-D Secure authentication made elsewhere. */
  readonly threeDSecurePassThrough: boolean
  /** Operations that merchants can call only when this holds for what they entered in the fields. */
  readonly operationNeeds?: Readonly<
    Partial<Record<Operation | 'sync', (fields: Readonly<Record<string, string>>) => boolean>>
  >
}
