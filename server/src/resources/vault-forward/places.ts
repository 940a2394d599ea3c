/** What can stand in a body in place of card data. */
export const PLACE_NAMES = [
  'CARD_NUMBER',
  'CARD_EXPIRATION_DATE',
  'CARD_EXPIRATION_MONTH',
  'CARD_EXPIRATION_YEAR',
  'CARD_SECURITY_CODE',
  'NETWORK_TOKEN_NUMBER',
  'NETWORK_TOKEN_EXPIRATION_DATE',
  'NETWORK_TOKEN_EXPIRATION_MONTH',
  'NETWORK_TOKEN_EXPIRATION_YEAR',
  'NETWORK_TOKEN_CRYPTOGRAM',
  'NETWORK_TOKEN_ECI',
] as const
export type PlaceName = (typeof PLACE_NAMES)[number]

/** A name and the position of a card, from 1. */
export type Place = { readonly text: string; readonly name: PlaceName; readonly position: number }

/** Other words in braces are the receiver's own, and stay. */
const PLACE = /\{\{\s*((?:CARD|NETWORK_TOKEN)_[A-Z0-9_]*)\s*\}\}/g
const WORD = /^([A-Z_]+)_([1-9]\d{0,2})$/

/** The places in a text, each once. What looks like one and is none is in `unknown`. */
export function placesIn(text: string): { readonly places: readonly Place[]; readonly unknown: string[] } {
  const words = new Set([...text.matchAll(PLACE)].map(([, word = '']) => word))
  const read = [...words].map((word) => placeOf(word) ?? word)
  return {
    places: read.filter((one) => typeof one !== 'string'),
    unknown: read.filter((one) => typeof one === 'string'),
  }
}

function placeOf(word: string): Place | undefined {
  const [, name, position] = WORD.exec(word) ?? []
  const known = PLACE_NAMES.find((one) => one === name)
  return known && { text: word, name: known, position: Number(position) }
}

export const ESCAPINGS = ['json', 'xml', 'form', 'none'] as const
export type Escaping = (typeof ESCAPINGS)[number]

/** How a body of this content type writes any text. Null: not known. */
export function escapingOf(contentType: string | null): Escaping | null {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/[/+]json$/.test(type)) return 'json'
  if (/[/+]xml$/.test(type)) return 'xml'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type === 'text/plain' ? 'none' : null
}

const XML_SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const ESCAPE: Readonly<Record<Escaping, (value: string) => string>> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  xml: (value) => value.replaceAll(/[&<>"']/g, (sign) => XML_SIGNS[sign] ?? sign),
  form: encodeURIComponent,
  none: (value) => value,
}

/** Puts values into their places. Whoever calls has one for each. */
export function fill(text: string, values: ReadonlyMap<string, string>, escaping: Escaping): string {
  return text.replaceAll(PLACE, (found, word: string) => {
    const value = values.get(word)
    return value === undefined ? found : ESCAPE[escaping](value)
  })
}
