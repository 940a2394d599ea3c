/** Thirteen digits or more, of any script, with any signs between them, or in the groups of a card with a letter between them. */
const NUMBER =
  /\p{Nd}(?:[^\p{L}\p{N}]{0,3}\p{Nd}){12,}|\p{Nd}{4}(\p{L})\p{Nd}{4,6}\1\p{Nd}{4,5}(?:\1\p{Nd}{1,7})?/gu

/** Texts with many digits that are no card numbers: ids, times, and IP addresses. */
const HARMLESS = new RegExp(
  [
    /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/,
    /(?<!\d)\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:[.]\d{1,9})?)?(?!\d)/,
    /(?<![\d.])(?:\d{1,3}[.]){3}\d{1,3}(?::\d{1,5})?(?![\d.])/,
  ]
    .map(({ source }) => `(${source})`)
    .join('|'),
  'gi',
)

const ENCODED = /(?:%[\da-f]{2})+/gi
/**
 * A text that is encoded more often than this is no client's mistake, and no server would decode a number
 * from it.
 */
const DECODINGS_MAX = 4

/**
 * By a caller's mistake a card number can be anywhere, even in a path or a field name, and in any spelling. What
 * is masked is decoded, too, and can be stored.
 */
export function maskNumbers(text: string): string {
  if (!mayHoldNumber(text) || isId(text)) return text
  // PostgreSQL refuses zero bytes and half characters. They go first: without them, digits may stand together.
  const decoded = decode(text).replaceAll('\0', '').toWellFormed()
  const masked = maskDecoded(decoded)
  return masked === decoded ? text : masked
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const ID_LENGTH = 36

/** Of texts with many digits, most are an id and nothing else. */
function isId(text: string): boolean {
  return text.length === ID_LENGTH && ID.test(text)
}

const DIGITS_MIN = 13

/** Most texts have too few digits, and reading them all would take time from every request. Any other sign may be a digit. */
function mayHoldNumber(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length && digits < DIGITS_MIN; at += 1) {
    const code = text.charCodeAt(at)
    const isEncoded = code === 0x25 || code > 0x7f
    if (isEncoded || (code >= 0x30 && code <= 0x39)) digits += 1
  }
  return digits === DIGITS_MIN
}

function maskDecoded(text: string): string {
  let masked = ''
  let end = 0
  // Not by `matchAll`, which compiles the expression again for each text.
  HARMLESS.lastIndex = 0
  for (let found = HARMLESS.exec(text); found; found = HARMLESS.exec(text)) {
    masked += `${text.slice(end, found.index).replaceAll(NUMBER, '***')}${found[0]}`
    end = found.index + found[0].length
  }
  return masked + text.slice(end).replaceAll(NUMBER, '***')
}

function decode(text: string): string {
  let decoded = text
  for (let round = 0; round < DECODINGS_MAX && decoded.includes('%'); round += 1) {
    // Bytes that are no text become replacement characters. Digits among them are still read.
    const next = decoded.replaceAll(ENCODED, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    if (next === decoded) break
    decoded = next
  }
  return decoded
}
