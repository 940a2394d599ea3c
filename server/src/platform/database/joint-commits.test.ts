import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { inBriefTransaction, write, writeOrFail } from './brief-transaction.ts'
import { inTransaction } from './db.ts'
import { PreparingClient } from './open-database.ts'
import { insertInto, insertRows, type Statement, statement } from './statements.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await sql`create table stock (name text primary key, count integer not null check (count >= 0))`.execute(
    service.context.db,
  )
  await sql`create table moves (number bigint generated always as identity, name text, note text)`.execute(
    service.context.db,
  )
  await sql`
    create table kinds (id integer, whole bigint, share float8, is_set boolean, at timestamptz, id_of uuid, words text[],
      bytes bytea, kept jsonb, told json, text text)
  `.execute(service.context.db)
})
afterAll(() => service.close())
beforeEach(async () => {
  await sql`truncate stock, moves, kinds`.execute(service.context.db)
})

const gone = () => new Error('there is no such article')
const put = (name: string, count: number) =>
  statement`insert into stock (name, count) values (${name}, ${count})`
const move = (name: string, note = '') => statement`insert into moves (name, note) values (${name}, ${note})`
const take = (name: string) => statement`update stock set count = stock.count - 1 where name = ${name}`
const rows = async <Row>(text: string) => (await sql.raw<Row>(text).execute(service.context.db)).rows

function commit(...parts: readonly (Statement | readonly [Statement, () => Error])[]): Promise<void> {
  return inBriefTransaction(service.context, async (tx) => {
    for (const part of parts) {
      if ('texts' in part) await write(tx, part)
      else await writeOrFail(tx, ...part)
    }
  })
}

/** All at once. The first goes alone, and the others together while it is under way. */
function commitAll<Given>(given: readonly Given[], work: (one: Given) => Promise<void>) {
  return Promise.allSettled(given.map(work))
}

/** How many transactions each statement was for. A statement for several has their number as its last value. */
async function sizesOf(work: () => Promise<unknown>): Promise<number[]> {
  const sizes: number[] = []
  const { query } = PreparingClient.prototype
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    const [text, values] = args as [string, readonly unknown[] | undefined]
    if (/^with w0/.test(text)) sizes.push(1)
    if (/^with joined/.test(text)) sizes.push(Number(values?.at(-1)))
    return query.apply(this, args)
  })
  await work()
  spy.mockRestore()
  return sizes
}

const NAMES = Array.from({ length: 10 }, (_, at) => `article ${at}`)
const failed = (results: readonly PromiseSettledResult<void>[]) =>
  results.map((result) => (result.status === 'rejected' ? String(result.reason.message) : null))

test('what would wait goes together, in its order, and what need not wait goes alone', async () => {
  const sizes = await sizesOf(() => commitAll(NAMES, (name) => commit(put(name, 1), move(name))))

  expect(sizes).toEqual([1, 9])
  expect(await rows('select name from moves order by number')).toEqual(NAMES.map((name) => ({ name })))
  expect(await sizesOf(() => commit(put('single', 1), move('single')))).toEqual([1])
})

test('one statement is for sixteen at most', async () => {
  const many = Array.from({ length: 40 }, (_, at) => `of many ${at}`)

  expect(await sizesOf(() => commitAll(many, (name) => commit(put(name, 1))))).toEqual([1, 16, 16, 7])
})

test('the error of one is not the answer of another', async () => {
  await commit(put('known', 1))
  const names = [...NAMES, 'known', 'new']

  const results = await commitAll(names, (name) => commit(put(name, name === 'new' ? -1 : 1), move(name)))

  const [exists, refused] = failed(results).slice(-2)
  expect(exists).toContain('stock_pkey')
  expect(refused).toContain('stock_count_check')
  expect(failed(results).slice(0, -2)).toEqual(NAMES.map(() => null))
  expect(await rows('select name from moves order by name')).toEqual(NAMES.map((name) => ({ name })))
})

test('one that is refused sends no others alone but its neighbour', async () => {
  await commit(put('known', 1))
  const names = [...NAMES, 'more', 'and more', 'known', 'last', 'other', 'another', 'the end']

  const sizes = await sizesOf(() => commitAll(names, (name) => commit(put(name, 1))))

  // The first, then all others, halves, and halves of these.
  expect(sizes.filter((size) => size === 1).length).toBeLessThanOrEqual(3)
  expect(await rows('select count(*)::int as all from stock')).toEqual([{ all: names.length }])
})

test('a value of no known kind fails as it does alone, and nobody else does', async () => {
  const odd = (at: Date) => statement`insert into kinds (id, at) values (${1}, ${at})`

  const results = await commitAll([new Date(1), new Date(2), new Date(Number.NaN), new Date(3)], (at) =>
    commit(odd(at)),
  )

  expect(failed(results)).toEqual([null, null, expect.stringContaining('Invalid time'), null])
})

test('one that changes nothing fails alone, with its own error', async () => {
  await commitAll(NAMES, (name) => commit(put(name, 1)))
  const names = [...NAMES, 'missing']

  const results = await commitAll(names, (name) =>
    commit([take(name).followedBy(' returning 1'), gone], move(name)),
  )

  expect(failed(results)).toEqual([...NAMES.map(() => null), 'there is no such article'])
  expect(await rows('select sum(count)::int as left from stock')).toEqual([{ left: 0 }])
  expect(await rows('select count(*)::int as moves from moves')).toEqual([{ moves: NAMES.length }])
})

test('of two with one key one is written, and the other learns it', async () => {
  const add = (name: string) => put(name, 1).followedBy(' on conflict do nothing returning 1')

  const results = await commitAll(['first', 'twice', 'twice', 'last'], (name) => commit([add(name), gone]))

  expect(failed(results).filter((message) => message !== null)).toEqual(['there is no such article'])
  expect(await rows('select name from stock order by name')).toEqual([
    { name: 'first' },
    { name: 'last' },
    { name: 'twice' },
  ])
})

test('changes of one row, which nothing checks, all happen', async () => {
  await commit(put('shared', 100))

  await commitAll(NAMES, (note) => commit(take('shared'), move('shared', note)))

  expect(await rows('select count from stock')).toEqual([{ count: 90 }])
})

test('rows of one transaction and of several keep their order', async () => {
  const pair = (name: string) =>
    insertRows(
      'moves' as never,
      [
        { name, note: '1' },
        { name, note: '2' },
      ] as never,
    )

  expect(await sizesOf(() => commitAll(NAMES, (name) => commit(pair(name))))).toEqual([1, 9])

  const expected = NAMES.flatMap((name) => ['1', '2'].map((note) => ({ name, note })))
  expect(await rows('select name, note from moves order by number')).toEqual(expected)
})

test('every kind of value is stored as it is stored alone', async () => {
  const odd = `"quoted" \\back\\ {braces} 'single', tab\t line\n ä 漢 😀 \u007f \u2028`
  const values = [
    { whole: 9_007_199_254_740_991, share: 0.1, is_set: true, at: new Date(0), text: odd },
    {
      whole: '12345678901234567',
      share: -1e-7,
      is_set: false,
      at: new Date('2999-12-31T23:59:59.999Z'),
      text: '',
    },
    {
      id_of: '01a1f208-b1e2-7000-a4a8-b916ab5fb654',
      words: ['a', odd, '', 'null', 'x,y'],
      bytes: Buffer.from([0, 92, 255]),
    },
    {
      kept: { odd, list: [1, null, { deep: true }] },
      told: JSON.stringify({ odd }),
      words: [],
      bytes: Buffer.alloc(0),
    },
    { text: 'null', words: ['{}', '"'], share: 1e21, kept: JSON.stringify(odd) },
  ]
  const none = {
    whole: null,
    share: null,
    is_set: null,
    at: null,
    id_of: null,
    words: null,
    bytes: null,
    kept: null,
    told: null,
  }
  const row = (id: number) =>
    insertInto('kinds' as never, { id, ...none, text: null, ...values[id % 5] } as never)

  for (let id = 0; id < 5; id += 1) await commit(row(id))
  const sizes = await sizesOf(() => commitAll([10, 5, 6, 7, 8, 9], (id) => commit(row(id))))

  expect(sizes).toEqual([1, 5])
  const columns = 'whole, share, is_set, at, id_of, words, bytes, kept, told::text, text'
  const differing = `select ${columns} from kinds where id < 5 except all select ${columns} from kinds where id between 5 and 9`
  expect(await rows(differing)).toEqual([])
  expect(await rows('select count(*)::int as all from kinds')).toEqual([{ all: 11 }])
})

test('what no statement can hold is refused as it is alone', async () => {
  const results = await commitAll(['first', 'nul \u0000', 'half \ud800', 'last'], (name) =>
    commit(put(name, 1)),
  )

  expect(failed(results)).toEqual([null, expect.stringContaining('0x00'), null, null])
  expect(await rows('select name from stock order by name')).toEqual([
    { name: 'first' },
    { name: 'half \ufffd' },
    { name: 'last' },
  ])
})

test('nobody is told that it failed, or writes it again, when the connection is lost', async () => {
  const { query } = PreparingClient.prototype
  await commitAll(NAMES, (name) => commit(put(name, 1), move(name)))
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    const answer = query.apply(this, args)
    if (!/^with joined/.test(String(args[0]))) return answer
    // It reaches the database, and its answer does not come back.
    return answer.then(() => {
      throw new Error('Connection terminated unexpectedly')
    })
  })

  const results = await commitAll(NAMES, (name) => commit(put(`lost ${name}`, 1), move(`lost ${name}`)))
  spy.mockRestore()

  const [first, ...others] = failed(results)
  expect(first).toBe(null)
  expect(new Set(others)).toEqual(new Set(['Connection terminated unexpectedly']))
  expect(await rows("select count(*)::int as moves from moves where name like 'lost%'")).toEqual([
    { moves: 10 },
  ])
})

test('a row that somebody holds keeps only its own transaction waiting', async () => {
  await commitAll([...NAMES, 'held', 'held later'], (name) => commit(put(name, 1)))
  const take1 = (name: string) => commit([take(name).followedBy(' returning 1'), gone], move(name))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holder = inTransaction(service.context, async ({ db }) => {
    await sql`select from stock where name like 'held%' for update`.execute(db)
    hold()
    await released
  })
  await isHeld

  const first = take1('held')
  // The first of these waits for a lock, too, in one statement with others.
  const later = take1('held later')
  await Promise.all(NAMES.map(take1))
  const taken = await rows<{ name: string }>('select name from moves order by name')
  release()
  await Promise.all([holder, first, later])

  expect(taken).toEqual(NAMES.map((name) => ({ name })))
  expect(await rows('select sum(count)::int as left from stock')).toEqual([{ left: 0 }])
})

test('a statement of another form goes alone', async () => {
  const remove = (name: string) => statement`delete from stock where name = ${name}`
  await commitAll(NAMES, (name) => commit(put(name, 1)))

  expect(await sizesOf(() => commitAll(NAMES, (name) => commit(remove(name))))).toEqual(NAMES.map(() => 1))
  expect(await rows('select name from stock')).toEqual([])
})

test('the statements of payments go together', async () => {
  const { order } = await import('#testing/till.ts')
  const pay = (key: string) => order(service, {}, { headers: { 'idempotency-key': key } })
  await pay('before')

  const answers: string[] = []
  const sizes = await sizesOf(async () => {
    const all = await Promise.all(NAMES.map((name) => pay(name.replace(' ', '-'))))
    answers.push(...all.map((answer) => answer.json().status))
  })

  expect(answers).toEqual(NAMES.map(() => 'authorization_succeeded'))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2 * NAMES.length)
  expect(Math.max(...sizes)).toBeGreaterThan(1)
})
