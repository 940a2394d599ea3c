import { setTimeout as sleep } from 'node:timers/promises'

/** Works on a list, a few at a time. */
export async function inTurns<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const left = indexed(items)
  const goOn = async () => {
    for (const [item, index] of left) await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
}

function* indexed<Item>(items: Iterable<Item>): Generator<readonly [Item, number]> {
  let index = 0
  for (const item of items) yield [item, index++]
}

/** For `inTurns`: the numbers from 0. */
export function* numbers(count: number): Generator<number> {
  for (let number = 0; number < count; number += 1) yield number
}

/** Looks again and again until it is so. False if it was not so in time. */
export async function isSoon(
  isSo: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 20 }: { readonly withinMs: number; readonly everyMs?: number },
): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; !(await isSo()); await sleep(everyMs))
    if (performance.now() > deadline) return false
  return true
}

/**
 * Work that runs beside the rest. A failure shows where the work is awaited: an unhandled rejection would end the
 * process, and with it the report.
 */
export function inBackground<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}
