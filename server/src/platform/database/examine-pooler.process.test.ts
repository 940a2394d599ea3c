import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describePrivateKey } from '#resources/api-key-pairs/keys.ts'
import { guardProcess } from '#testing/guard.ts'
import { cloneDatabase, signToken } from '#testing/harness.ts'
import { tempFolder } from '#testing/temp-folder.ts'
import { CARD } from '#testing/till.ts'
import { bringUpToDate } from '../../bring-up-to-date.ts'
import { readConfig } from '../../config.ts'
import { startService } from '../../start.ts'
import { createCommandLogger } from '../observability/log.ts'
import { explainDatabase } from './database-errors.ts'
import { examinePooler } from './examine-pooler.ts'
import { type Connection, openDatabase } from './open-database.ts'

/** Set PGBOUNCER to try another one than that of this machine. Without any, only a direct connection is tried. */
const PROGRAM = process.env['PGBOUNCER'] ?? 'pgbouncer'
const version = versionOf(PROGRAM)
const keepsStatements = version !== undefined && version >= 1.21

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
const OUR_SETTINGS = [...LIMITS, 'options', 'extra_float_digits'].join(', ')

function versionOf(program: string): number | undefined {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    const [, found] = /PgBouncer (\d+[.]\d+)/.exec(text) ?? []
    return found === undefined ? undefined : Number(found)
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A connection to a database of its own, whose user has limits of time, through a PgBouncer with these settings. */
async function through(
  settings: Readonly<Record<string, string>>,
  limits: readonly string[] = LIMITS,
): Promise<Connection> {
  const { host, database } = await cloneDatabase()
  const direct = new pg.Client({ host: String(host), user: 'switchyard', database: String(database) })
  await direct.connect()
  for (const name of limits) await direct.query(`alter database ${database} set ${name} = '20s'`)
  await direct.end()
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  const port = await freePort()
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    [`[databases]`, `* = host=${host} user=switchyard`, '[pgbouncer]', ...text, ''].join('\n'),
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PROGRAM, [...asUser, file], { stdio: 'ignore' })
  const forget = guardProcess(child.pid ?? 0)
  onTestFinished(() => {
    child.kill('SIGKILL')
    forget()
  })
  const connection = { host: '127.0.0.1', port, user: 'switchyard', database: String(database) }
  for (let tries = 0; tries < 200; tries += 1) {
    const client = new pg.Client(connection)
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isUp) return connection
    await sleep(50)
  }
  throw new Error('PgBouncer does not answer')
}

async function examine(connection: Connection) {
  const { pool, close } = openDatabase(connection, { poolSize: 2, onError: () => {} })
  try {
    return await examinePooler(pool)
  } finally {
    await close()
  }
}

test('a direct connection keeps its session', async () => {
  expect(await examine(await cloneDatabase())).toBe('by session')
})

describe.runIf(version !== undefined)('PgBouncer, if the machine has it', () => {
  const ignore = { ignore_startup_parameters: OUR_SETTINGS }

  test('that refuses our settings is explained', async () => {
    const error = await examine(await through({ pool_mode: 'session' })).catch(explainDatabase)

    expect(String(error)).toContain('set ignore_startup_parameters = statement_timeout')
  })

  test('in session mode is as good as none', async () => {
    expect(await examine(await through({ ...ignore, pool_mode: 'session' }))).toBe('by session')
  })

  test('that drops our limits of time is refused, if the user has none', async () => {
    const connection = await through({ ...ignore, pool_mode: 'session' }, ['statement_timeout'])

    await expect(examine(connection)).rejects.toThrow(
      'drops idle_in_transaction_session_timeout, lock_timeout, which',
    )
  })

  test('in transaction mode that keeps no statements is refused', async () => {
    const kept = keepsStatements ? { max_prepared_statements: '0' } : {}

    const connection = await through({ ...ignore, ...kept, pool_mode: 'transaction' })

    await expect(examine(connection)).rejects.toThrow('Set max_prepared_statements')
  })

  describe.runIf(keepsStatements)('in transaction mode that keeps statements', () => {
    const settings = { ...ignore, pool_mode: 'transaction', max_prepared_statements: '100' }

    test('is recognized, also with a single connection to the server', async () => {
      expect(await examine(await through(settings))).toBe('by transaction')
      expect(await examine(await through({ ...settings, default_pool_size: '1' }))).toBe('by transaction')
    })

    test('serves a database that is up to date, and does not migrate another', async () => {
      const connection = await through(settings)
      const config = readConfig({ ENVIRONMENT: 'sandbox', DATA_DIR: tempFolder() })
      const options = { logger: createCommandLogger(() => {}), isUpgrade: true }

      expect(await bringUpToDate(connection, config, options)).toEqual([])
      const { pool, close } = openDatabase(connection, { poolSize: 1, onError: () => {} })
      await pool.query("delete from schema_migrations where version = '0001_issuer'")
      await close()
      await expect(bringUpToDate(connection, config, options)).rejects.toThrow(
        'Run "switchyard migrate" once',
      )
    })

    test('serves payments', async () => {
      const { port, database } = await through({
        ...settings,
        default_pool_size: '4',
        max_prepared_statements: '20',
      })
      const config = readConfig({
        DATA_DIR: tempFolder(),
        DATABASE_URL: `postgres://switchyard@127.0.0.1:${port}/${database}`,
        LOG_LEVEL: 'silent',
      })
      const service = await startService(config, () => {}, new AbortController().signal)
      onTestFinished(() => service.stop())
      const privateKey = readFileSync(String(service.keyFile), 'utf8')
      const token = await signToken({ privateKey, publicKey: await describePrivateKey(privateKey) })
      const pay = async () => {
        const response = await fetch(new URL('/transactions', service.publicUrl), {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': crypto.randomUUID(),
          },
          body: JSON.stringify({ amount: 1299, currency: 'USD', intent: 'capture', payment_method: CARD }),
        })
        return ((await response.json()) as { status: string }).status
      }

      const paid = []
      for (let round = 0; round < 5; round += 1) {
        paid.push(...(await Promise.all(Array.from({ length: 8 }, pay))))
      }

      expect(new Set(paid)).toEqual(new Set(['capture_succeeded']))
    })

    test('runs what it is asked to run, however connections are shared', async () => {
      const connection = await through({ ...settings, default_pool_size: '3', max_prepared_statements: '5' })
      const pools = [1, 2, 3].map(() => openDatabase(connection, { poolSize: 2, onError: () => {} }))
      const [first] = pools
      await first?.pool.query('create table counted (id int primary key, count int not null)')
      await first?.pool.query('insert into counted select one, 0 from generate_series(1, 30) as one')

      await Promise.all(
        pools.map(async ({ pool }, at) => {
          for (let turn = 0; turn < 120; turn += 1) {
            const id = ((turn + at) % 30) + 1
            if (turn % 6 === 0) await pool.query('update counted set count = count + 1 where id = $1', [id])
            const { rows } = await pool.query(
              `select id, 'c${turn % 15}' as c${turn % 15} from counted where id = $1`,
              [id],
            )
            expect(rows).toEqual([{ id, [`c${turn % 15}`]: `c${turn % 15}` }])
          }
        }),
      )

      const { rows } = (await first?.pool.query('select sum(count)::int as sum from counted')) ?? { rows: [] }
      expect(rows).toEqual([{ sum: 60 }])
      await Promise.all(pools.map(({ close }) => close()))
    })
  })
})
