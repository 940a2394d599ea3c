import { maskNumbers } from '#platform/observability/mask.ts'

const MASK = '***'
const TEXT_MAX = 300
/** Longer texts are not searched to their end. */
const READ_MAX = 2_000

const WORD_MAX = 24
const QUOTED = /["'`‘“«][^"'`‘’“”«»]+["'`’”»]/g

/** A word of plain letters, digits and signs. Most values are one. */
const WORD = /^[\x21-\x7e]{0,300}$/

/** A value that is allowed to be shown, without what must never be. `secrets` are known, and must not be in it. */
export function shownText(text: string, secrets: readonly string[]): string {
  if (WORD.test(text) && !secrets.some((secret) => text.includes(secret))) return maskNumbers(text)
  const read = text.slice(0, READ_MAX)
  const known = withoutSecrets(read, secrets)
  const isSentence = /\s/.test(known.trim())
  const plain = isSentence ? withoutRepeated(known) : known
  const masked = maskNumbers(plain)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')
    .toWellFormed()
  const isCut = masked.length > TEXT_MAX || text.length > READ_MAX
  return isCut ? `${masked.slice(0, TEXT_MAX).toWellFormed()}…` : masked
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
}

/** A provider's sentence may repeat what we sent: in quotes, or as a word that no sentence needs. */
function withoutRepeated(sentence: string): string {
  return sentence
    .replaceAll(QUOTED, MASK)
    .replaceAll(/[^\s,;:()]+/g, (word) => (isTelling(word) ? MASK : word))
}

/** E-mail addresses, numbers of three digits, longer words with a digit, and words longer than those of a language. */
function isTelling(word: string): boolean {
  const digits = word.match(/\p{Nd}/gu)?.length ?? 0
  return word.includes('@') || digits >= 3 || (digits > 0 && word.length >= 6) || word.length > WORD_MAX
}

/** Stands for a value that is not shown. It tells the kind, and the length of a text. */
export function maskOf(value: unknown): string {
  if (typeof value === 'string') return `${MASK} (${value.length} characters)`
  return `${MASK} (${typeof value})`
}

/** Names that were looked at before: providers use the same few in every payment. */
const plainNames = new Set<string>()
const PLAIN_NAMES_MAX = 2_000

/** Whether a name of a field or parameter, as in `card[number]`, is one. Anything else may be a value in its place. */
export function isPlainName(name: string, secrets: readonly string[]): boolean {
  if (!plainNames.has(name)) {
    const parts = name.split(/[[\]]+/).filter((part) => part !== '')
    const isPlain = parts.every((part) => /^[\w.-]{1,64}$/.test(part) && (part.match(/\d/g)?.length ?? 0) < 5)
    if (!isPlain) return false
    if (plainNames.size < PLAIN_NAMES_MAX) plainNames.add(name)
  }
  return !secrets.some((secret) => name.includes(secret))
}
