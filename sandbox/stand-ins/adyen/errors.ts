/** Adyen's `ServiceError`, as its answers show it. https://docs.adyen.com/development-resources/error-codes */
export class ServiceError extends Error {
  readonly status: number
  readonly errorCode: string
  readonly errorType: 'validation' | 'security' | 'configuration' | 'internal'

  constructor(
    status: number,
    errorCode: string,
    message: string,
    errorType: ServiceError['errorType'] = 'validation',
  ) {
    super(message)
    this.status = status
    this.errorCode = errorCode
    this.errorType = errorType
  }
}

export type Reply = { readonly status: number; readonly body: object }

export function toReply(
  { status, errorCode, message, errorType }: ServiceError,
  pspReference: string,
): Reply {
  return { status, body: { status, errorCode, message, errorType, pspReference } }
}
