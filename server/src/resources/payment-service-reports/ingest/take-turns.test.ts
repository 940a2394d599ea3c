import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { canFollow, firstTurn, type Taking, takeTurn } from './take-turns.ts'

/** Work that adds its name to the result before, and goes on when the test says so. */
function step(name: string, seen: string[], failures = 0) {
  const gate = { toLock: Promise.withResolvers<void>(), toEnd: Promise.withResolvers<void>() }
  let tries = 0
  const work = async ({ hasLocks, before, isAlone }: Taking<string>) => {
    tries += 1
    const isFailing = tries <= failures
    seen.push(`${name} begins${isAlone ? ' alone' : ''}`)
    await gate.toLock.promise
    hasLocks()
    await gate.toEnd.promise
    if (isFailing) throw new Error(`${name} failed`)
    const result = `${await before()}${name}`
    seen.push(`${name} ends`)
    return result
  }
  return { ...gate, work }
}

test('a turn begins when the last one has its locks, and ends after it', async () => {
  const seen: string[] = []
  const [a, b] = [step('a', seen), step('b', seen)]
  const first = takeTurn(firstTurn(''), a.work)
  const second = canFollow(first).then(() => takeTurn(first, b.work).done)
  await setImmediate()
  expect(seen).toEqual(['a begins'])

  a.toLock.resolve()
  b.toLock.resolve()
  b.toEnd.resolve()
  await setImmediate()
  expect(seen).toEqual(['a begins', 'b begins'])
  a.toEnd.resolve()

  expect(await second).toBe('ab')
  expect(seen).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
})

test('if a turn fails, the next one gives up, and both are repeated alone, in their order', async () => {
  const seen: string[] = []
  const [a, b] = [step('a', seen, 1), step('b', seen)]
  for (const gate of [a.toLock, b.toLock, b.toEnd]) gate.resolve()
  const first = takeTurn(firstTurn(''), a.work)
  await canFollow(first)
  const second = takeTurn(first, b.work)
  a.toEnd.resolve()

  expect(await second.done).toBe('ab')
  expect(seen).toEqual(['a begins', 'b begins', 'a begins alone', 'a ends', 'b begins alone', 'b ends'])
})

test('behind a turn that fails before it has its locks, nothing begins until it was repeated', async () => {
  const first = takeTurn(firstTurn(''), async ({ isAlone }) => {
    if (!isAlone) throw new Error('failed early')
    await setImmediate()
    return 'a'
  })

  await canFollow(first)

  expect(await Promise.race([first.done, 'not yet'])).toBe('a')
})

test('a turn that fails twice fails all that follow', async () => {
  const seen: string[] = []
  const [a, b] = [step('a', seen, 2), step('b', seen)]
  for (const gate of [a.toLock, b.toLock, b.toEnd, a.toEnd]) gate.resolve()
  const first = takeTurn(firstTurn(''), a.work)
  const second = takeTurn(first, b.work)

  await expect(second.done).rejects.toThrow('a failed')
  await expect(first.done).rejects.toThrow('a failed')
  expect(seen).not.toContain('b ends')
})
