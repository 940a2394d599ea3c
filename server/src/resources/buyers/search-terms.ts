const GRAM_LENGTH = 3
const GRAMS_ASKED_MAX = 4
/** A term that a larger share of rows contain narrows the search too little for its cost. */
const COMMON_SHARE = 0.25
/**
 * Spans of 2^bits milliseconds, from a quarter of a second to two years. Each is sixteen times the previous
 * one.
 */
const SPAN_BITS = [8, 12, 16, 20, 24, 28, 32, 36]
const SPAN_BITS_MAX = 36
/** Each span costs time for every row found. With fewer spans, the time is less exact. */
const SPANS_ASKED_MAX = 8

/** Control characters keep the kinds of terms apart: `normalize` removes them from texts. */
const ACCOUNT = '\u0001'
const SPAN = '\u0002'
const LINE_END = '\n'

/** The text that a search reads, with one line for each field, so that no match spans two. */
export function searchText(fields: readonly (string | null | undefined)[]): string {
  return fields
    .filter((field) => field !== null && field !== undefined)
    .map(normalize)
    .join(LINE_END)
}

/** In JavaScript, because in the C locale PostgreSQL knows only the lower case of A to Z. */
export function normalize(text: string): string {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      // A sigma at the end of a word, and the dot of a Turkish capital I, have no counterpart in the other case.
      .replaceAll('ς', 'σ')
      .replaceAll('i\u0307', 'i')
      .replaceAll(/\p{Cc}/gu, ' ')
  )
}

/**
 * The terms under which the search index knows a buyer: every three neighbouring characters of its text
 * (fewer at the end of a line, so that terms of one or two characters are found as prefixes), its merchant
 * account, and the spans of time in which it was created. The extension pg_trgm does not work here: in the C
 * locale it skips all letters but A to Z, it always skips punctuation, and it cannot find terms of one or two
 * characters.
 */
export function searchTerms(row: {
  readonly merchant_account_id: string
  readonly created_at: Date
  readonly search_text: string
}): string[] {
  const grams = row.search_text.split(LINE_END).flatMap((line) => {
    const characters = [...line]
    return characters.map((_first, at) => characters.slice(at, at + GRAM_LENGTH).join(''))
  })
  const ms = row.created_at.getTime()
  return [...grams, ACCOUNT + row.merchant_account_id, ...SPAN_BITS.map((bits) => spanTerm(bits, ms))]
}

/** The texts of some rows, joined. */
export type Sample = { readonly texts: string; readonly size: number }

/**
 * Queries that a row must all match to contain the text. Reading the index costs more for common terms, so a
 * long text uses its rarest terms, by a sample, the rarest first.
 */
export function textQueries(text: string, sample: Sample): string[] {
  const characters = [...text]
  if (characters.length < GRAM_LENGTH) return [`${quote(text)}:*`]
  const places = new Map(
    characters
      .slice(GRAM_LENGTH - 1)
      .map((_last, at): [string, number] => [characters.slice(at, at + GRAM_LENGTH).join(''), at]),
  )
  const byRarity = [...places]
    .map(([gram, at]) => ({ gram, at, count: sample.texts.split(gram).length - 1 }))
    .sort((a, b) => a.count - b.count)
  const apart: typeof byRarity = []
  for (const one of byRarity) {
    // Overlapping terms mostly occur together, so the second one narrows the search little.
    if (apart.every(({ at }) => Math.abs(at - one.at) >= GRAM_LENGTH)) apart.push(one)
  }
  return [...new Set([...apart, ...byRarity])]
    .filter(({ count }, index) => index === 0 || count <= sample.size * COMMON_SHARE)
    .slice(0, GRAMS_ASKED_MAX)
    .map(({ gram }) => quote(gram))
}

export function accountsQuery(ids: readonly string[]): string {
  return ids.map((id) => quote(ACCOUNT + id)).join(' | ')
}

/**
 * The time from a moment on, about as long as wanted. It ends with a span, so that the index returns no rows
 * beyond. `toMs` is its first millisecond if it goes back, and the first one after it if it goes forward.
 */
export function timeFrom(
  fromMs: number,
  lengthMs: number,
): { readonly query: string; readonly toMs: number } {
  const bits =
    SPAN_BITS.find((candidate) => Math.abs(lengthMs) <= SPANS_ASKED_MAX * 2 ** candidate) ?? SPAN_BITS_MAX
  const spanMs = 2 ** bits
  const spanOf = (ms: number) => Math.floor(ms / spanMs)
  const first = spanOf(Math.min(fromMs, fromMs + lengthMs))
  const last = spanOf(Math.max(fromMs, fromMs + lengthMs))
  const spans = Array.from({ length: last - first + 1 }, (_none, index) =>
    spanTerm(bits, (first + index) * spanMs),
  )
  return {
    query: spans.map(quote).join(' | '),
    toMs: (lengthMs < 0 ? first : last + 1) * spanMs,
  }
}

function spanTerm(bits: number, ms: number): string {
  return `${SPAN}${bits}:${Math.floor(ms / 2 ** bits)}`
}

/** A term in the syntax of `tsquery`. */
function quote(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
