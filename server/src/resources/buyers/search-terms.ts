const GRAM_LENGTH = 3
const GRAMS_ASKED_MAX = 4
/** A term that more of the rows have tells too little for what it costs to read. */
const COMMON_SHARE = 0.25
/** Spans of 2^bits milliseconds, from a quarter of a second to two years. Each holds sixteen of the one before. */
const SPAN_BITS = [8, 12, 16, 20, 24, 28, 32, 36]
const SPAN_BITS_MAX = 36
/** Each one costs time for every row found, and the fewer there are, the less exact is the time. */
const SPANS_ASKED_MAX = 8

/** Control characters keep the kinds of terms apart: `normalize` leaves none in a text. */
const ACCOUNT = '\u0001'
const SPAN = '\u0002'
const LINE_END = '\n'

/** What a search looks at, one line for each field, so that no match spans two. */
export function searchText(fields: readonly (string | null | undefined)[]): string {
  return fields
    .filter((field) => field !== null && field !== undefined)
    .map(normalize)
    .join(LINE_END)
}

/** In JavaScript, because in the C locale PostgreSQL knows the lower case of A to Z only. */
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
 * What the search index knows a buyer by: every three neighbouring characters of its text (fewer at the end of a line,
 * so that terms of one or two characters are found as beginnings of these), its merchant account, and the spans of time
 * it was created in. The extension pg_trgm would not do: in the C locale it skips all letters but A to Z, it always
 * skips punctuation, and terms of one or two characters it cannot find.
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

/** The texts of some rows, one after the other. */
export type Sample = { readonly texts: string; readonly size: number }

/**
 * Queries that a row must all meet to contain the text. Reading the index costs as much as the terms asked for are
 * common, so a long text asks for those of its terms that a sample has least, and for the rarest first.
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
    // Terms that overlap mostly come together, so the second of them tells little.
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
 * The time from a moment on, about as long as asked for: it ends with a span, so that the index has no rows beyond.
 * `toMs` is its first millisecond when it goes back, and the first one after it when it goes forward.
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

/** A term as a `tsquery` names it. */
function quote(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
