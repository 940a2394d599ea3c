import { migrate } from '#platform/database/migrate.ts'
import { openDatabase } from '../lab/open-database.ts'
import { FAR_PROCESSOR, startProcessor, unreached } from '../lab/processor.ts'
import { MIGRATIONS } from '../server/src/app.ts'
import { settleAll } from './aftermath.ts'
import { type Buyers, openBuyers } from './failover/buyers.ts'
import { type Cluster, startCluster } from './failover/cluster.ts'
import { count } from './failover/count.ts'
import { findPrograms } from './failover/programs.ts'
import { suffer, type Trouble } from './failover/troubles.ts'
import { killableService } from './killable-service.ts'
import type { Outcome, Pace, Program, Say } from './program.ts'
import { openAccount } from './provider.ts'

/*
 * It was seen to fail with asynchronous replication (`--async`): payments are lost, and charges have no payment.
 */
const ROUNDS: Readonly<Record<'full' | 'short' | 'asynchronous', readonly Trouble[]>> = {
  full: [
    'primary killed',
    'standby killed',
    'services cut off',
    'standbys cut off, then primary killed',
    'primary hangs',
    'standby hangs',
    'switchover',
    'primary killed',
    'standbys cut off, then primary killed',
    'services cut off',
  ],
  short: ['primary killed', 'standby killed', 'services cut off'],
  asynchronous: [
    'standbys cut off, then primary killed',
    'primary killed',
    'standbys cut off, then primary killed',
  ],
}

const WAYS = { direct: 'with several addresses', proxy: 'behind HAProxy' } as const
type Way = keyof typeof WAYS

export const failover: readonly Program[] = (['direct', 'proxy'] as const).map((way) => ({
  name: way === 'direct' ? 'failover' : 'failover-haproxy',
  promise: 20,
  title: `A database server may die, ${WAYS[way]}`,
  explanation:
    'Three PostgreSQL servers with Patroni and etcd, set up with the files of `deploy/high-availability`, and two processes of ' +
    `the service, ${way === 'direct' ? 'which know the addresses of all three' : 'which reach them through HAProxy'}. Twenty buyers pay; each repeats its payment ` +
    'with the same key, to either process, until it is answered. Meanwhile servers are killed (`kill -9` of etcd, Patroni and PostgreSQL ' +
    'with all its processes), hang (the same processes are stopped, and their connections stay open), or are cut off. The simulated ' +
    'processor has a database of its own, which stays. Afterwards every acknowledged payment has to be there, and charged once, and no ' +
    'buyer may be charged for a payment that is not there. Skipped where Patroni, etcd or HAProxy is not installed. With `--async`, commits do ' +
    'not wait for a standby: it shows what that loses, and is not kept here.',
  whyNot: () => {
    const programs = findPrograms()
    return typeof programs === 'string' ? programs : undefined
  },
  run: (pace, say) => run(way, pace, say),
}))

async function run(way: Way, { form, isAsynchronous, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const programs = findPrograms()
  if (typeof programs === 'string') throw new Error(programs)
  say('starting three servers')
  const booksUrl = await newDatabase()
  await migrate({ connectionString: booksUrl }, MIGRATIONS)
  const processor = await startProcessor(booksUrl)
  const cluster = await startCluster(programs)
  if (isAsynchronous) await cluster.replicateLater()
  const databaseUrl = await cluster.url(way)
  const services = await startServices(databaseUrl, processor.port)
  const account = await openAccount(services[0])
  const buyers = openBuyers(services, seed, account.id)
  const rounds = ROUNDS[isAsynchronous ? 'asynchronous' : form]
  const seconds = await sufferAll(rounds, { cluster, buyers, say })
  say('waiting for the buyers')
  await buyers.stop()
  const database = await openDatabase(await cluster.urlOfPrimary())
  const unsettled = await settleAll(database)
  const { counts, broken } = await count(database, await openDatabase(booksUrl), buyers)
  const answers = buyers.answers()
  for (const service of services) await service.kill()
  return {
    seed,
    did: {
      rounds: rounds.length,
      'requests sent': Object.values(answers).reduce((sum, each) => sum + each, 0),
    },
    acknowledged: {
      payments: buyers.told.size,
      'undecided payments': [...buyers.told.values()].filter(({ status }) => status === 'processing').length,
      ...Object.fromEntries(Object.entries(answers).map(([status, times]) => [`answers ${status}`, times])),
    },
    found: { ...counts, ...seconds },
    broken: [...buyers.broken, ...unsettled, ...broken, ...unreached(processor)],
  }
}

async function startServices(databaseUrl: string, processorPort: number) {
  const options = {
    databaseUrl,
    preload: [FAR_PROCESSOR],
    env: { PROCESSOR_PORT: String(processorPort) },
  }
  const first = await killableService(options)
  await first.start()
  const second = await killableService({ ...options, folder: first.folder })
  await second.start()
  return [first, second] as const
}

type Trial = { readonly cluster: Cluster; readonly buyers: Buyers; readonly say: Say }

/** Returns the seconds without a success of each round. */
async function sufferAll(
  rounds: readonly Trouble[],
  { cluster, buyers, say }: Trial,
): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {}
  for (const [index, trouble] of rounds.entries()) {
    if (buyers.broken.length > 0) break
    say(`round ${index + 1} of ${rounds.length}: ${trouble}`)
    const took = await suffer(trouble, cluster, buyers)
    seconds[`seconds without a success in round ${index + 1} (${trouble})`] = took
    say(`round ${index + 1}: ${took} s without a success, ${buyers.told.size} payments`)
  }
  await cluster.whole()
  return seconds
}
