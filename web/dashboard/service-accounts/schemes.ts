const SCHEMES = [
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['discover', 'Discover'],
] as const

/** The schemes whose cards a provider knows, as its definition tells. */
export function schemesIn(features: Readonly<Record<string, unknown>>): string {
  return SCHEMES.flatMap(([scheme, name]) => (features[scheme] === true ? [name] : [])).join(', ')
}
