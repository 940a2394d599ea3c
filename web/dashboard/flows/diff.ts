import { describeCondition } from './describe.ts'
import { isSamePlace, type Rule } from './words.ts'

/** What is different: a line of a rule that is no longer there, or one that is new. */
export type Line = { readonly isNew: boolean; readonly text: string }

export type Change = {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved'
  /** As it is in the newer version; a rule that was removed, as it was. */
  readonly rule: Rule
  readonly lines: readonly Line[]
}

/** What became of the rules between two versions, in words. A rule that was both changed and moved is there once. */
export function differences(
  before: readonly Rule[],
  after: readonly Rule[],
  outcomeText: (rule: Rule) => string,
): readonly Change[] {
  const old = new Map(before.map((rule) => [rule.id, rule]))
  const kept = new Set(after.map(({ id }) => id))
  const moved = movedIds(before, after)
  const now = after.flatMap((rule): Change[] => {
    const earlier = old.get(rule.id)
    if (!earlier) return [{ kind: 'added', rule, lines: linesOf(rule, outcomeText).map(asNew) }]
    const lines = linesBetween(earlier, rule, outcomeText)
    const move = moved.has(rule.id)
      ? [`Position ${earlier.position + 1}`, `Position ${rule.position + 1}`]
      : []
    const places = move.map((text, index) => ({ isNew: index === 1, text }))
    if (lines.length > 0) return [{ kind: 'changed', rule, lines: [...lines, ...places] }]
    return places.length > 0 ? [{ kind: 'moved', rule, lines: places }] : []
  })
  const gone = before
    .filter(({ id }) => !kept.has(id))
    .map((rule): Change => ({ kind: 'removed', rule, lines: linesOf(rule, outcomeText).map(asOld) }))
  return [...now, ...gone]
}

function asNew(text: string): Line {
  return { isNew: true, text }
}

function asOld(text: string): Line {
  return { isNew: false, text }
}

/** All that a rule says, one thing on each line. */
function linesOf(rule: Rule, outcomeText: (rule: Rule) => string): readonly string[] {
  return [
    ...(rule.description === null ? [] : [`Called “${rule.description}”`]),
    ...rule.conditions.map((condition) => `If ${describeCondition(condition)}`),
    `Then: ${outcomeText(rule)}`,
  ]
}

function linesBetween(before: Rule, after: Rule, outcomeText: (rule: Rule) => string): readonly Line[] {
  const [old, now] = [linesOf(before, outcomeText), linesOf(after, outcomeText)]
  return [
    ...old.filter((text) => !now.includes(text)).map(asOld),
    ...now.filter((text) => !old.includes(text)).map(asNew),
  ]
}

/**
 * The rules that were moved. Those in the longest row that kept its order stayed where they were; a rule that was only pushed
 * by another is one of them.
 */
function movedIds(before: readonly Rule[], after: readonly Rule[]): ReadonlySet<string> {
  const moved = new Set<string>()
  const left = [...after]
  while (left.length > 0) {
    const [first] = left
    if (!first) break
    const own = left.filter((rule) => isSamePlace(rule, first))
    for (const rule of own) left.splice(left.indexOf(rule), 1)
    const placeOf = new Map(before.filter((rule) => isSamePlace(rule, first)).map((rule) => [rule.id, rule]))
    const common = own.toSorted((a, b) => a.position - b.position).filter(({ id }) => placeOf.has(id))
    const stayed = heaviestRise(
      common.map(({ id, updated_at }) => {
        const earlier = placeOf.get(id)
        // Two neighbours that change places look alike. The one that a person moved has another time.
        return { number: earlier?.position ?? 0, weight: earlier?.updated_at === updated_at ? 1.001 : 1 }
      }),
    )
    common.forEach(({ id }, index) => {
      if (!stayed.has(index)) moved.add(id)
    })
  }
  return moved
}

type Weighed = { readonly number: number; readonly weight: number }

/** The indexes of the rising part of the numbers that weighs most. */
function heaviestRise(row: readonly Weighed[]): ReadonlySet<number> {
  const sums: number[] = []
  const from: number[] = []
  for (const { number, weight } of row) {
    const best = sums.reduce(
      (found, sum, at) => ((row[at]?.number ?? 0) < number && sum > (sums[found] ?? 0) ? at : found),
      -1,
    )
    sums.push((sums[best] ?? 0) + weight)
    from.push(best)
  }
  const stayed = new Set<number>()
  for (let at = sums.indexOf(Math.max(...sums)); at >= 0; at = from[at] ?? -1) stayed.add(at)
  return stayed
}
