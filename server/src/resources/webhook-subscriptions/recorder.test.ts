import { expect, test } from 'vitest'
import type { Result } from './deliveries/store.ts'
import { Recorder } from './recorder.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })

function result(id: string): Result {
  return {
    subscription_id: 'subscription',
    id,
    number: 1,
    outcome: 'delivered',
    reason: null,
    response_status_code: 200,
    response_body: null,
    duration_ms: 1,
    began_at: new Date(),
    status: 'delivered',
    next_attempt_at: null,
    parked_because: null,
  }
}

/** A recorder whose write may fail, and what it has written. */
function open(refuse: (ids: readonly string[]) => Error | undefined) {
  const written: string[][] = []
  const recorder = new Recorder(async (results) => {
    const ids = results.map(({ id }) => id)
    const refusal = refuse(ids)
    if (refusal) throw refusal
    written.push(ids)
  })
  const add = (...ids: string[]) => Promise.allSettled(ids.map((id) => recorder.add(result(id))))
  return { add, written }
}

test('results that came during a write are written together', async () => {
  const { add, written } = open(() => undefined)

  await add('one', 'two', 'three')

  expect(written).toEqual([['one'], ['two', 'three']])
})

test('a result that the database refuses fails alone', async () => {
  const { add, written } = open((ids) => (ids.includes('bad') ? coded('22P05') : undefined))

  const ends = await add('first', 'two', 'bad', 'three')

  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(ends[2]).toMatchObject({ reason: { code: '22P05' } })
  expect(written).toEqual([['first'], ['two'], ['three']])
})

test('results wait together for a database that is away or slow for a moment', async () => {
  const trouble = [coded('57P01'), coded('57014')]
  const { add, written } = open((ids) => (ids.length > 1 ? trouble.shift() : undefined))

  const ends = await add('one', 'two', 'three')

  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(written).toEqual([['one'], ['two', 'three']])
})
