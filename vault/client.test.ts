import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { type KeySource, Masked, Vault } from './client.ts'
import { alone } from './store.ts'

const NUMBER = '4111111111111111'
const PLACE = { merchantAccountId: 'default' }
const OTHER = { merchantAccountId: 'other' }

let database: Database
let file: string
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 4, onError: () => {} })
})
beforeEach(() => {
  file = join(tempFolder(), 'vault.key')
})
// Each test has a vault of its own.
afterEach(() => sql`truncate vault.items, vault.data_keys, vault.key_encryption_keys`.execute(database.db))
afterAll(() => database.close())

const open = (source: KeySource = { kind: 'file', path: file }, environment = 'sandbox') =>
  Vault.open(database.db, environment, source)
const keep = (vault: Vault, text = NUMBER, place = PLACE) =>
  vault.store(database.db, place, 'number', new Masked(text))
const read = (vault: Vault, token: string, place = PLACE, onReveal = async () => {}) =>
  vault.reveal(database.db, { ...place, token, purpose: 'test', onReveal }, async (value) =>
    value.use(String),
  )
const rotate = (onProgress: (progress: { done: number }) => void = () => {}) =>
  Vault.rotate(database.db, 'sandbox', { kind: 'file', path: file }, onProgress)
const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

describe('an item', () => {
  test('comes back unchanged, and only through the vault', async () => {
    const vault = await open()
    const token = await keep(vault)

    expect(await read(vault, token)).toBe(NUMBER)
    expect(await read(await open(), token)).toBe(NUMBER)
    const stored = JSON.stringify(await rows('select * from vault.items, vault.data_keys'))
    expect(stored).not.toContain(NUMBER)
    expect(stored).not.toContain(Buffer.from(NUMBER).toString('hex'))
  })

  test('of an owner is handed out for that owner alone, also after a rotation', async () => {
    const vault = await open()
    const field = { name: 'number', owner: 'method-a' }
    const owned = await vault.store(database.db, PLACE, field, new Masked(NUMBER))
    const entered = await vault.store(database.db, PLACE, 'entered-number', new Masked(NUMBER))
    const readFor = (owner: string, token = owned) =>
      vault.reveal(
        database.db,
        { ...PLACE, token, owner, purpose: 'test', onReveal: async () => {} },
        async (value) => value.use(String),
      )

    expect(await readFor('method-a')).toBe(NUMBER)
    await expect(readFor('method-b')).rejects.toThrow('not the one on record')
    await expect(read(vault, owned)).rejects.toThrow('not the one on record')
    await expect(readFor('method-b', entered)).rejects.toThrow('not the one on record')
    await rotate()
    expect(await readFor('method-a')).toBe(NUMBER)
    await sql`update vault.items set field = 'number of method-b' where token = ${owned}`.execute(database.db)
    await expect(readFor('method-b')).rejects.toThrow()
  })

  test('is unknown to another account', async () => {
    const vault = await open()
    const token = await keep(vault)

    await expect(read(vault, token, OTHER)).rejects.toThrow('no such item')
  })

  test.each([
    [
      'another row',
      "update vault.items set sealed = (select sealed from vault.items where token = '$other') where token = '$token'",
    ],
    ['another account', "update vault.items set merchant_account_id = 'other' where token = '$token'"],
    ['another field', "update vault.items set field = 'pin' where token = '$token'"],
    [
      'another key',
      "update vault.items set data_key_id = (select data_key_id from vault.items where token = '$foreign') where token = '$token'",
    ],
    [
      'one changed byte',
      "update vault.items set sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 1) where token = '$token'",
    ],
  ])('copied to %s does not open', async (name, change) => {
    const vault = await open()
    const [token, other, foreign] = [
      await keep(vault),
      await keep(vault, '5555555555554444'),
      await keep(vault, NUMBER, OTHER),
    ]

    await rows(change.replace('$token', token).replace('$other', other).replace('$foreign', foreign))

    await expect(read(vault, token, name === 'another account' ? OTHER : PLACE)).rejects.toThrow()
  })

  test('is gone when it is removed', async () => {
    const vault = await open()
    const token = await keep(vault)

    await vault.remove(database.db, PLACE, token)

    expect(await rows('select * from vault.items')).toEqual([])
  })

  test('is stored with its caller’s transaction, or not at all', async () => {
    const vault = await open()
    const attempt = database.db.transaction().execute(async (tx) => {
      await vault.store(tx, PLACE, 'number', new Masked(NUMBER))
      throw new Error('changed its mind')
    })

    await expect(attempt).rejects.toThrow('changed its mind')
    expect(await rows('select * from vault.items')).toEqual([])
    expect(await read(vault, await keep(vault))).toBe(NUMBER)
  })

  test('is reported before it is opened; without a report it stays closed', async () => {
    const vault = await open()
    const token = await keep(vault)
    const refuse = async () => {
      throw new Error('no record, no number')
    }

    await expect(read(vault, token, PLACE, refuse)).rejects.toThrow('no record, no number')
  })

  test('is overwritten after use', async () => {
    const vault = await open()
    const token = await keep(vault)
    let kept: Masked | undefined
    await vault.reveal(
      database.db,
      { ...PLACE, token, purpose: 'test', onReveal: async () => {} },
      async (value) => {
        kept = value
      },
    )

    expect(kept?.use((bytes) => bytes.every((byte) => byte === 0))).toBe(true)
  })
})

test('a masked value prints nothing', () => {
  const value = new Masked(NUMBER)

  for (const text of [
    String(value),
    JSON.stringify({ value }),
    inspect({ value }, { depth: 5, showHidden: true }),
    `${value}`,
  ]) {
    expect(text).toContain('***')
    expect(text).not.toContain('1111')
  }
})

test('a fingerprint survives the rollback of a transaction', async () => {
  const vault = await open()
  let inside = ''
  await database.db
    .transaction()
    .execute(async (tx) => {
      inside = await vault.fingerprint(tx, new Masked(NUMBER))
      throw new Error('rolled back')
    })
    .catch(() => {})

  expect(await (await open()).fingerprint(database.db, new Masked(NUMBER))).toBe(inside)
})

test('a fingerprint is the same for the same number, and always has the same length', async () => {
  const vault = await open()
  const print = (text: string) => vault.fingerprint(database.db, new Masked(text))

  expect(await print(NUMBER)).toBe(await (await open()).fingerprint(database.db, new Masked(NUMBER)))
  expect(await print(NUMBER)).not.toBe(await print('4111111111111129'))
  expect(await print(NUMBER)).toMatch(/^[0-9a-f]{64}$/)
})

describe('the key', () => {
  test('is made once for an empty vault, for its owner only', async () => {
    await open()
    const made = readFileSync(file, 'utf8')

    await open()

    expect(readFileSync(file, 'utf8')).toBe(made)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that is missing is not made again, and nothing changes', async () => {
    const token = await keep(await open())
    const key = readFileSync(file, 'utf8')
    const lost = join(tempFolder(), 'vault.key')

    await expect(open({ kind: 'file', path: lost })).rejects.toThrow(
      /vault.key is missing. Copy the vault key of this installation \([0-9a-f]{16}\) there/,
    )

    expect(existsSync(lost)).toBe(false)
    writeFileSync(file, key)
    expect(await read(await open(), token)).toBe(NUMBER)
  })

  test.each([
    ['wrong', () => `${randomBytes(32).toString('base64')}\n`, /does not give the vault key/],
    ['damaged', () => 'damaged', /does not hold keys of 32 bytes/],
    ['empty', () => '', /does not give the vault key/],
  ])('that is %s is refused', async (_name, content, reason) => {
    await keep(await open())
    writeFileSync(file, content())

    await expect(open()).rejects.toThrow(reason)
  })

  test('of another environment opens nothing', async () => {
    await keep(await open())

    await expect(open({ kind: 'file', path: file }, 'production')).rejects.toThrow(
      /belongs to a sandbox installation/,
    )
    await rows("update vault.key_encryption_keys set environment = 'production'")
    await expect(open({ kind: 'file', path: file }, 'production')).rejects.toThrow(/unable to authenticate/)
  })

  test('may come from a command', async () => {
    const command = `echo ${randomBytes(32).toString('base64')}`
    const token = await keep(await open({ kind: 'command', command }))

    expect(await read(await open({ kind: 'command', command }), token)).toBe(NUMBER)
  })

  test('a failed command’s output is not shown', async () => {
    const failing = open({ kind: 'command', command: 'echo secret-words >&2; exit 3' })

    await expect(failing).rejects.toThrow(/^VAULT_KEY_COMMAND failed/)
    await expect(failing).rejects.not.toThrow(/secret-words/)
  })
})

describe('rotation', () => {
  const states = async () =>
    (
      await rows(
        "select state, count(*)::int from vault.data_keys where purpose = 'seal' group by state order by state",
      )
    ).map((row) => [row['state'], row['count']])

  test('gives every item a new key and destroys the old ones', async () => {
    const vault = await open()
    const tokens = await Promise.all(
      Array.from({ length: 450 }, (_, index) =>
        keep(vault, `41111111${String(index).padStart(8, '0')}`, index % 2 ? PLACE : OTHER),
      ),
    )
    const before = await rows('select token, sealed, data_key_id from vault.items order by token')
    const print = await vault.fingerprint(database.db, new Masked(NUMBER))
    const [oldKey] = await rows("select id from vault.key_encryption_keys where state = 'active'")
    const progress: number[] = []

    await rotate(({ done }) => progress.push(done))

    const after = await rows('select token, sealed, data_key_id from vault.items order by token')
    expect(after.map(({ token }) => token)).toEqual(before.map(({ token }) => token))
    expect(after.every((row, index) => row['data_key_id'] !== before[index]?.['data_key_id'])).toBe(true)
    expect(progress.at(-1)).toBe(450)
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await states()).toEqual([
      ['active', 2],
      ['destroyed', 2],
    ])
    expect(await rows(`select state from vault.key_encryption_keys where id = '${oldKey?.['id']}'`)).toEqual([
      { state: 'destroyed' },
    ])
    expect(
      await rows("select 1 from vault.data_keys where state = 'destroyed' and wrapped is not null"),
    ).toEqual([])
    for (const [index, token] of tokens.entries()) {
      expect(await read(vault, token, index % 2 ? PLACE : OTHER)).toBe(
        `41111111${String(index).padStart(8, '0')}`,
      )
    }
    expect(await vault.fingerprint(database.db, new Masked(NUMBER))).toBe(print)
  })

  test('loses nothing that is stored or removed meanwhile', async () => {
    const vault = await open()
    const early = await Promise.all(Array.from({ length: 300 }, () => keep(vault)))
    const writer = await open()
    let isRunning = true
    const late: string[] = []
    const write = (async () => {
      while (isRunning) late.push(await keep(writer))
    })()
    const remove = (async () => {
      for (const token of early.slice(0, 100)) await writer.remove(database.db, PLACE, token)
    })()

    for (let turn = 0; turn < 3; turn += 1) await rotate()
    isRunning = false
    await Promise.all([write, remove])

    expect(late.length).toBeGreaterThan(0)
    for (const token of [...early.slice(100), ...late]) expect(await read(await open(), token)).toBe(NUMBER)
    expect(await rows('select * from vault.items')).toHaveLength(200 + late.length)
  })

  test('that was interrupted leaves no account behind', async () => {
    const vault = await open()
    const accounts = ['a', 'b', 'c']
    for (const merchantAccountId of accounts) await keep(vault, NUMBER, { merchantAccountId })
    const before = await rows("select id from vault.data_keys where purpose = 'seal'")
    await expect(
      rotate(({ done }) => {
        if (done === 1) throw new Error('killed')
      }),
    ).rejects.toThrow('killed')

    await rotate()

    const active = await rows("select id from vault.data_keys where purpose = 'seal' and state = 'active'")
    expect(active).toHaveLength(3)
    expect(active.filter(({ id }) => before.some((old) => old['id'] === id))).toEqual([])
  })

  test('that is refused does not change the key file', async () => {
    await keep(await open())
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`)
    const wrong = readFileSync(file, 'utf8')

    await expect(rotate()).rejects.toThrow(/does not give the vault key/)

    expect(readFileSync(file, 'utf8')).toBe(wrong)
  })

  test('does not bring a destroyed key back', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    await keep(await open({ kind: 'given', keys: [old] }))
    await Vault.rotate(database.db, 'sandbox', { kind: 'given', keys: [fresh, old] }, () => {})

    const back = Vault.rotate(database.db, 'sandbox', { kind: 'given', keys: [old, fresh] }, () => {})

    await expect(back).rejects.toThrow(/was retired by an earlier rotation/)
  })

  test('does not block the reading of a number', async () => {
    const token = await keep(await open())
    const reader = await open()

    const number = await read(reader, token, PLACE, async () => rotate())

    expect(number).toBe(NUMBER)
  })

  test('that was interrupted is finished by the next', async () => {
    const vault = await open()
    const tokens = await Promise.all(Array.from({ length: 500 }, () => keep(vault)))
    const interrupted = rotate(({ done }) => {
      if (done >= 200) throw new Error('killed')
    })
    await expect(interrupted).rejects.toThrow('killed')
    expect((await states()).map(([state]) => state)).toContain('decrypt-only')

    await rotate()

    expect(await states()).toEqual([
      ['active', 1],
      ['destroyed', 1],
    ])
    for (const token of tokens) expect(await read(await open(), token)).toBe(NUMBER)
  })

  test('reaches running processes, also for accounts that they have not seen', async () => {
    const before = await open()
    await keep(before)

    await rotate()
    const token = await keep(before, NUMBER, { merchantAccountId: 'new' })
    await rotate()

    expect(await read(await open(), token, { merchantAccountId: 'new' })).toBe(NUMBER)
  })

  test('with given keys begins with the command, not when the new key is first seen', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const first = await keep(await open({ kind: 'given', keys: [old] }))
    const both: KeySource = { kind: 'given', keys: [fresh, old] }

    const between = await keep(await open(both), NUMBER, { merchantAccountId: 'new' })
    await Vault.rotate(database.db, 'sandbox', both, () => {})

    const after = await open({ kind: 'given', keys: [fresh] })
    expect(await read(after, first)).toBe(NUMBER)
    expect(await read(after, between, { merchantAccountId: 'new' })).toBe(NUMBER)
    await expect(open({ kind: 'given', keys: [old] })).rejects.toThrow(/does not give the vault key/)
  })

  test('waits for the lease of one that was killed, which then changes nothing any more', async () => {
    const token = await keep(await open())
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const { promise: goOn, resolve: awake } = Promise.withResolvers<void>()
    const killed = alone(database.db, async (hold) => {
      held()
      await goOn
      await database.db.transaction().execute(hold)
    })
    await isHeld
    // It renews its lease no more: what was said last ends in two seconds.
    await sql`update vault.rotation set fence = fence + 1, leased_until = clock_timestamp() + interval '2 seconds'`.execute(
      database.db,
    )

    const begun = performance.now()
    await rotate()
    const waited = performance.now() - begun
    awake()

    expect(waited).toBeGreaterThan(1_900)
    await expect(killed).rejects.toThrow('Another rotation of the vault has taken over.')
    expect(await read(await open(), token)).toBe(NUMBER)
  })

  test('runs once at a time', async () => {
    const vault = await open()
    const tokens = await Promise.all(Array.from({ length: 400 }, () => keep(vault)))

    const results = await Promise.allSettled([rotate(), rotate(), rotate()])

    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => reason.message)).toEqual(
      Array(2).fill('Another rotation of the vault is running. Wait for it to end.'),
    )
    await rotate()
    for (const token of tokens) expect(await read(await open(), token)).toBe(NUMBER)
  })
})
