/** As long as a card number: nothing that looks like one is kept with a payment. */
const LIKE_A_NUMBER = /\d(?:[ -]?\d){11,18}/

/** What connectors are told, without anything that could be a card number. */
export function withoutNumbers<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter(isHarmless).map(withoutNumbers) as Value
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([name, inner]) => isHarmless(name) && isHarmless(inner))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNumbers(inner)])) as Value
}

function isHarmless(value: unknown): boolean {
  return typeof value === 'object' || !LIKE_A_NUMBER.test(String(value))
}
