const GRAM_LENGTH = 3
const GRAMS_ASKED_MAX = 4
/** Spans of 2^bits milliseconds, from a quarter of a second to two years. Each holds sixteen of the one before. */
const SPAN_BITS = [8, 12, 16, 20, 24, 28, 32, 36]
const SPAN_BITS_MAX = 36
const SPANS_ASKED_MAX = 16

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
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\p{Cc}/gu, ' ')
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

/**
 * Queries that a row must all meet to contain the text. Reading the index costs as much as the terms asked for are
 * common, so a long text asks for those of its terms that a sample has least, and for the rarest first.
 */
export function textQueries(text: string, sample: string): string[] {
  const characters = [...text]
  if (characters.length < GRAM_LENGTH) return [`${quote(text)}:*`]
  const places = new Map(
    characters
      .slice(GRAM_LENGTH - 1)
      .map((_last, at): [string, number] => [characters.slice(at, at + GRAM_LENGTH).join(''), at]),
  )
  const byRarity = [...places]
    .map(([gram, at]) => ({ gram, at, count: sample.split(gram).length - 1 }))
    .sort((a, b) => a.count - b.count)
  const apart: typeof byRarity = []
  for (const one of byRarity) {
    // Terms that overlap mostly come together, so the second of them tells little.
    if (apart.every(({ at }) => Math.abs(at - one.at) >= GRAM_LENGTH)) apart.push(one)
  }
  return [...new Set([...apart, ...byRarity])].slice(0, GRAMS_ASKED_MAX).map(({ gram }) => quote(gram))
}

export function accountsQuery(ids: readonly string[]): string {
  return ids.map((id) => quote(ACCOUNT + id)).join(' | ')
}

/** Rows created between two moments, and some before and after. */
export function timeQuery(fromMs: number, toMs: number): string {
  const isEnough = (bits: number) => toMs - fromMs <= SPANS_ASKED_MAX * 2 ** bits
  const spanMs = 2 ** (SPAN_BITS.find(isEnough) ?? SPAN_BITS_MAX)
  const bits = Math.log2(spanMs)
  const count = Math.floor(toMs / spanMs) - Math.floor(fromMs / spanMs) + 1
  return Array.from({ length: count }, (_none, index) => quote(spanTerm(bits, fromMs + index * spanMs))).join(
    ' | ',
  )
}

function spanTerm(bits: number, ms: number): string {
  return `${SPAN}${bits}:${Math.floor(ms / 2 ** bits)}`
}

/** A term as a `tsquery` names it. */
function quote(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
