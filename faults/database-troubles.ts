import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Postgres } from '../lab/postgres.ts'
import { undoable } from '../lab/processes.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** A way in which a database fails. */
export type Trouble = {
  readonly name: string
  readonly begin: () => Promise<void>
  /** Ends when the database is as it should be again. */
  readonly end: () => Promise<void>
  readonly lastsMs: number
}

export type TroubledDatabase = {
  readonly server: Postgres
  readonly wire: TcpProxy
  /** Of the database itself, not of the wire to it. */
  readonly url: string
  readonly disk: SmallDisk | undefined
}

type SmallDisk = { readonly path: string; readonly fill: () => void; readonly free: () => void }

const DISK_MEGABYTES = 192
const CHUNK = Buffer.alloc(1024 * 1024)
const BACK_DEADLINE_MS = 60_000
const STORM = 0.03

/** Each takes the database away in another way. */
export function troublesOf(database: TroubledDatabase, chance: () => number): Trouble[] {
  const { wire, disk, url } = database
  const order = async (text: string) => void (await query(url, text))
  const sound = () => wire.setFault(() => ({ kind: 'none' }))
  const troubles: Trouble[] = [
    restart(database, 'SIGINT', 'restarts'),
    restart(database, 'SIGQUIT', 'crashes of the server'),
    {
      name: 'times that all backends were terminated',
      begin: () => order(TERMINATE_ALL),
      end: () => order(TERMINATE_ALL),
      lastsMs: 300,
    },
    {
      name: 'spells of 500 ms more for each question',
      begin: async () => {
        wire.setFault(() => ({ kind: 'latency', ms: 250 }))
        wire.afflict({ kind: 'latency', ms: 250 })
      },
      end: async () => {
        sound()
        wire.afflict({ kind: 'none' })
      },
      lastsMs: 3_000,
    },
    {
      name: 'spells of broken connections',
      begin: async () => {
        wire.setFault(() =>
          chance() < 0.5 ? { kind: 'refuse' } : { kind: 'cut', afterBytes: 1 + 4_000 * chance() },
        )
        wire.resetAll()
      },
      end: async () => {
        sound()
        wire.resetAll()
      },
      lastsMs: 1_500,
    },
    {
      name: 'storms of serialization failures',
      begin: () => order(`update trouble.storm set share = ${STORM}`),
      end: () => order('update trouble.storm set share = 0'),
      lastsMs: 2_500,
    },
  ]
  if (!disk) return troubles
  const full = { name: 'full disks', lastsMs: 2_000 }
  return [...troubles, { ...full, begin: async () => disk.fill(), end: async () => disk.free() }]
}

/** The open connections go silent for good, without being closed. Later ones work. */
export function silence({ wire }: TroubledDatabase): void {
  wire.afflict({ kind: 'swallow', way: 'there' })
}

/** Its supervisor starts it again. After a crash (SIGQUIT) it has to replay its log. */
function restart({ url }: TroubledDatabase, signal: NodeJS.Signals, name: string): Trouble {
  return {
    name,
    begin: async () => {
      const [row] = await query<{ file: string }>(url, "select pg_read_file('postmaster.pid') as file")
      process.kill(Number(row?.file.split('\n')[0]), signal)
    },
    end: async () => {
      const deadline = performance.now() + BACK_DEADLINE_MS
      while (performance.now() < deadline) {
        const isBack = await query(url, 'select 1').catch(() => undefined)
        if (isBack) return
        await sleep(20)
      }
      throw new Error('the database server did not come back')
    },
    lastsMs: 100,
  }
}

const TERMINATE_ALL = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/**
 * Lets any statement that writes fail as a serializable database would, and some transactions only when they commit. A
 * table says how often. A sequence counts the failures, because it is not rolled back.
 */
export async function prepareStorms(url: string): Promise<void> {
  await query(
    url,
    `create schema trouble;
     create table trouble.storm (share double precision);
     insert into trouble.storm values (0);
     create sequence trouble.raised;
     create function trouble.raise_now() returns trigger language plpgsql as $$
     begin
       if random() < (select share from trouble.storm) then
         perform nextval('trouble.raised');
         raise exception 'could not serialize access' using errcode = '40001';
       end if;
       return null;
     end $$;
     do $$
     declare name text;
     begin
       for name in select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'public' loop
         execute format('create trigger storm_now before insert or update or delete on %s
           for each statement execute function trouble.raise_now()', name);
       end loop;
     end $$;
     create constraint trigger storm_late after insert or update on idempotency_keys
       deferrable initially deferred for each row execute function trouble.raise_now();
     create constraint trigger storm_late after insert or update on transactions
       deferrable initially deferred for each row execute function trouble.raise_now();`,
  )
}

export async function countStorms(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    url,
    'select case when is_called then last_value else 0 end as count from trouble.raised',
  )
  return Number(row?.count)
}

/** A file system of its own, or undefined without the right to mount one. */
export async function mountSmallDisk({ connection }: Postgres): Promise<SmallDisk | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(String(connection.host))
  const path = mkdtempSync(join(tmpdir(), 'switchyard-disk-'))
  chmodSync(path, 0o711)
  const options = `size=${DISK_MEGABYTES}m,mode=0711,uid=${uid},gid=${gid}`
  const isMounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', options, 'switchyard', path]).status === 0
  undoable(async () => {
    if (isMounted) spawnSync('/bin/umount', ['-l', path])
    rmdirSync(path)
  })
  if (!isMounted) return undefined
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: () => {
      const file = openSync(ballast, 'w')
      try {
        for (let size = CHUNK.length; size > 0; ) {
          try {
            writeSync(file, CHUNK, 0, size)
          } catch {
            size >>= 1
          }
        }
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast),
  }
}

/** On a new connection: open ones may be gone. */
async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'trouble' })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
