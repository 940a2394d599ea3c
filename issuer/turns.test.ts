import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('work on one key is done in the order in which it came, and one at a time', async () => {
  const turns = createTurns()
  const log: string[] = []
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await sleep(ms)
    log.push(`${name} ends`)
    return name
  }

  const results = await Promise.all([turns('a', work('first', 10)), turns('a', work('second', 1))])

  expect(results).toEqual(['first', 'second'])
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('work on another key does not wait', async () => {
  const turns = createTurns()
  const stuck = turns('a', () => new Promise<never>(() => {}))

  const other = await turns('b', async () => 'done')

  expect(other).toBe('done')
  expect(stuck).toBeInstanceOf(Promise)
})

test('work that fails rejects, and does not hold up the next', async () => {
  const turns = createTurns()
  const failing = turns('a', async () => {
    throw new Error('no')
  })
  const next = turns('a', async () => 'done')

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
