const KNOWN = new Set(Intl.supportedValuesOf('currency'))

/** Whether a code of three capital letters is in ISO 4217. */
export function isCurrency(code: string): boolean {
  return KNOWN.has(code)
}
