import { compile, readMetadata, TEXTS, testBin } from './compile.ts'
import type { Facts } from './facts.ts'
import type { Condition } from './schemas.ts'

/** What a payment says to a condition. Zero is kept for: not asked yet. */
export const MET = 1
export const NOT_MET = 2
export const NOT_KNOWN = 3

/** Writes the verdicts of conditions that stand side by side, from `start` on. */
export type Judge = (facts: Facts, verdicts: Int8Array, start: number) => void

type Of<Name> = Extract<Condition, { name: Name }>

/**
 * Conditions with the same key are judged together: the fact is read once for all rules, and most of their conditions then say what
 * they usually say. `unique`: the condition is judged alone.
 */
export function keyOfJudge(condition: Condition, unique: string): string {
  const { name } = condition
  if (name === 'amount' || name === 'card_bin' || (name in TEXTS && isListed(condition))) return name
  return name === 'metadata' ? `metadata ${condition.value.key}` : unique
}

function isListed({ operator }: Condition): boolean {
  return operator === 'is_one_of' || operator === 'is_not_one_of'
}

/** `together` have the same key. The salt is for a condition that is judged alone. */
export function compileJudge(together: readonly Condition[], salt: string): Judge {
  const [first] = together as [Condition]
  if (first.name === 'amount') return judgeAmounts(together as readonly Of<'amount'>[])
  if (first.name === 'card_bin') return judgeBins(together as readonly Of<'card_bin'>[])
  if (first.name === 'metadata') {
    const { key } = first.value
    const asked = (together as readonly Of<'metadata'>[]).map(({ operator, value }) => ({
      values: [value.value].flat(),
      isWanted: operator === 'includes',
    }))
    return judgeTexts(asked, ({ metadata }) => readMetadata(metadata, key))
  }
  const read = TEXTS[first.name]
  if (!read || !isListed(first)) return judgeAlone(first, salt)
  const asked = together.map(({ operator, value }) => ({
    values: value as readonly string[],
    isWanted: operator === 'is_one_of',
  }))
  return judgeTexts(asked, read)
}

function judgeAlone(condition: Condition, salt: string): Judge {
  const test = compile(condition, salt)
  return (facts, verdicts, start) => {
    const verdict = test(facts)
    verdicts[start] = verdict === null ? NOT_KNOWN : verdict ? MET : NOT_MET
  }
}

type Asked = { readonly values: readonly string[]; readonly isWanted: boolean }

/** Undefined is a value that no condition names. */
function judgeTexts(asked: readonly Asked[], read: (facts: Facts) => string | null | undefined): Judge {
  const usual = Int8Array.from(asked, ({ isWanted }) => (isWanted ? NOT_MET : MET))
  const naming = new Map<string | undefined, number[]>()
  asked.forEach(({ values }, index) => {
    for (const value of new Set(values)) naming.set(value, [...(naming.get(value) ?? []), index])
  })
  return (facts, verdicts, start) => {
    const value = read(facts)
    if (value === null) {
      verdicts.fill(NOT_KNOWN, start, start + usual.length)
      return
    }
    verdicts.set(usual, start)
    for (const index of naming.get(value) ?? NONE)
      verdicts[start + index] = usual[index] === MET ? NOT_MET : MET
  }
}

const NONE: readonly number[] = []

/** Amounts of another currency are not compared: the condition is then not met. */
function judgeAmounts(asked: readonly Of<'amount'>[]): Judge {
  const spans = asked.map(spanOf)
  const inCurrency = Map.groupBy(spans.keys(), (index) => asked[index]?.value.currency)
  return ({ amount, currency }, verdicts, start) => {
    const isKnown = amount !== null && currency !== null
    verdicts.fill(isKnown ? NOT_MET : NOT_KNOWN, start, start + asked.length)
    if (!isKnown) return
    for (const index of inCurrency.get(currency) ?? NONE) {
      const { above, below } = spans[index] as Span
      if (amount > above && amount < below) verdicts[start + index] = MET
    }
  }
}

type Span = { readonly above: number; readonly below: number }

/** Amounts are whole numbers. */
function spanOf({ operator, value }: Of<'amount'>): Span {
  const { POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number
  if ('min' in value) return { above: value.min - 1, below: value.max + 1 }
  return operator === 'less_than'
    ? { above: NEGATIVE_INFINITY, below: value.value }
    : { above: value.value, below: POSITIVE_INFINITY }
}

function judgeBins(asked: readonly Of<'card_bin'>[]): Judge {
  const tests = asked.map(testBin)
  return ({ card }, verdicts, start) => {
    const bin = card?.bin ?? null
    for (let index = 0; index < tests.length; index += 1)
      verdicts[start + index] =
        bin === null ? NOT_KNOWN : (tests[index] as (bin: number) => boolean)(bin) ? MET : NOT_MET
  }
}
