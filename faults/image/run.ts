import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startReceiver } from '#testing/receiver.ts'
import { type Client, createClient, verifyWebhook } from '../../client/src/index.ts'
import { CARD } from '../../lab/card.ts'
import { type Postgres, startPostgres } from '../../lab/postgres.ts'
import { CHECKOUT, freePort, temporaryFolder, undoable } from '../../lab/processes.ts'
import { say } from '../../lab/progress.ts'
import { runProgram } from '../../lab/run.ts'
import { buildImage, type Image, withArchive } from './build-image.ts'
import { type Container, runContainer, runToEnd, untilReady } from './run-image.ts'

/*
 * Builds the image, and runs it as compose.yaml does: migrates, pays, verifies a webhook, upgrades while it pays, and restores an
 * export. Needs root, buildah, and debootstrap where no registry answers:
 *
 *   node faults/image/run.ts [--previous ARCHIVE]
 */
const SIDE_BY_SIDE = 20
const SECRETS = [
  ['DATABASE_URL', 'database-url'],
  ['SECRET_KEY', 'secret-key'],
  ['VAULT_KEY', 'vault-key'],
  ['METRICS_TOKEN', 'metrics-token'],
] as const

type Place = { readonly secrets: string; readonly data: string }

await runProgram(main)

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { previous: { type: 'string' } } })
  const folder = temporaryFolder().path
  chmodSync(folder, 0o711)
  const image = buildImage(folder)
  checkOwners(image)
  const old = values.previous ? withArchive(image, values.previous, join(folder, 'old')) : image
  if (!values.previous) say('Without --previous, the upgrade is one from this version to itself.')
  const postgres = await startPostgres()
  const place = await prepare(
    folder,
    await openPort(postgres),
    new URL(await postgres.newDatabase(), 'postgresql://x'),
  )
  await serveAndUpgrade({ old, image, place })
  await restoreElsewhere(image, place, new URL(await postgres.newDatabase(), 'postgresql://x'))
  say('Everything held.')
  return 0
}

/** The service cannot change its own code. */
function checkOwners({ root }: Image): void {
  const home = join(root, 'opt')
  const conditions = ['-not', '-user', 'root', '-o', '-perm', '/022', '-not', '-type', 'l']
  const writable = execFileSync('find', [home, ...conditions])
  if (writable.length > 0) throw new Error(`the service could change its own code: ${writable}`)
  const [size, total] = [home, root].map(
    (path) => execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0],
  )
  say(`Built the image: ${size} MB in a root of ${total} MB.`)
}

/** The database has a socket alone, and another user. Containers reach it by a port. */
async function openPort({ connection }: Postgres): Promise<number> {
  const path = join(String(connection.host), '.s.PGSQL.5432')
  const server = createServer((client) => {
    const upstream = connect(path)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy())
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  undoable(async () => void server.close())
  return port
}

/** Secrets as `make-secrets.sh` makes them, with the address of this database. */
async function prepare(
  folder: string,
  port: number,
  database: URL,
): Promise<Place & { readonly port: number }> {
  const place = { secrets: join(folder, 'secrets'), data: join(folder, 'data'), port }
  execFileSync('sh', [join(CHECKOUT, 'deploy/make-secrets.sh'), place.secrets])
  // Containers get single files of the folder, or the folder with another mode.
  chmodSync(place.secrets, 0o755)
  nameDatabase(place, database)
  mkdirSync(place.data, { mode: 0o700 })
  chownSync(place.data, 10_001, 10_001)
  return place
}

function nameDatabase({ secrets, port }: Place & { readonly port: number }, { pathname }: URL): void {
  writeFileSync(join(secrets, 'database-url'), `postgresql://switchyard@127.0.0.1:${port}${pathname}`)
}

function secretSettings(): Record<string, string> {
  const given = SECRETS.map(([name, file]) => [`${name}_FILE`, `/run/secrets/${file}`])
  return { HOST: '127.0.0.1', INSTANCE_ID: 'switchyard', LOG_LEVEL: 'warn', ...Object.fromEntries(given) }
}

type Serving = { readonly url: string; readonly container: Container; readonly port: string }

async function serve(image: Image, place: Place, ROLE: string): Promise<Serving> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const container = runContainer(image, {
    ...place,
    env: { ...secretSettings(), ROLE, PORT: port, PUBLIC_URL: url },
  })
  await untilReady(container, url)
  return { url, container, port }
}

type Upgrade = { readonly old: Image; readonly image: Image; readonly place: Place }

async function serveAndUpgrade({ old, image, place }: Upgrade): Promise<void> {
  await runToEnd(old, { ...place, env: secretSettings(), command: ['migrate'] })
  const before = [await serve(old, place, 'api'), await serve(old, place, 'worker')] as const
  await runToEnd(
    { ...old, entrypoint: [] },
    { ...place, env: { PORT: before[0].port }, command: old.healthCheck },
  )
  const first = clientOf(place, before[0])
  await hearWebhook(first)

  const paying = payUntilTold(first)
  say((await runToEnd(image, { ...place, env: secretSettings(), command: ['migrate'] })).trim())
  const after = [await serve(image, place, 'api'), await serve(image, place, 'worker')] as const
  const second = clientOf(place, after[0])
  const beside = payUntilTold(second)
  // The old process goes on on the new schema.
  await paying.more(SIDE_BY_SIDE)
  await beside.more(SIDE_BY_SIDE)
  const paidAtOld = await paying.end()
  const codes = [await before[0].container.stop(), await before[1].container.stop()]
  const paidAtNew = await beside.end()
  const expected = [...paidAtOld, ...paidAtNew]
  const known = new Map(
    (await second.transactions.list({ limit: 100 }).toArray(100_000)).map((one) => [one.id, one.status]),
  )
  const wrong = expected.filter((id) => known.get(id) !== 'authorization_succeeded')
  say(
    `Paid ${paidAtOld.length} times at the old process and ${paidAtNew.length} at the new one; ${wrong.length} are missing or wrong.`,
  )
  if (wrong.length > 0 || known.size !== expected.length + 1)
    throw new Error(`payments differ: ${known.size} are known`)
  if (codes.some((code) => code !== 0)) throw new Error(`SIGTERM ended the old processes with ${codes}`)
  await runToEnd(image, { ...place, env: secretSettings(), command: ['verify'] })
  await runToEnd(image, {
    ...place,
    env: secretSettings(),
    command: ['export', '/var/lib/switchyard/switchyard.export.gz'],
  })
  for (const { container } of after)
    if ((await container.stop()) !== 0) throw new Error(`a stop failed: ${container.output()}`)
}

function clientOf({ data }: Place, { url }: Serving): Client {
  return createClient({ url, privateKey: readFileSync(join(data, 'admin-key.pem'), 'utf8') })
}

function pay(client: Client) {
  return client.transactions.create({ amount: 1299, currency: 'USD', country: 'US', payment_method: CARD })
}

/** A payment is told by a webhook, which the client verifies. */
async function hearWebhook(client: Client): Promise<void> {
  const receiver = await startReceiver()
  const close = undoable(receiver.close)
  const { id, ...subscription } = await client.webhookSubscriptions.create({ url: receiver.url })
  const payment = await pay(client)
  await receiver.waitFor(1)
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received
  const secret = (subscription as { secret?: string }).secret ?? ''
  const event = await verifyWebhook({ body, headers, secret })
  say(`Paid (${payment.status}), and verified the webhook ${event.name}.`)
  await client.webhookSubscriptions.delete(id)
  await close()
}

/** Pays one after the other. A payment that is not answered, or not approved, ends the program. */
function payUntilTold(client: Client) {
  const paid: string[] = []
  let isOver = false
  const run = async () => {
    while (!isOver) {
      const { id, status } = await pay(client)
      if (status !== 'authorization_succeeded') throw new Error(`a payment is ${status}`)
      paid.push(id)
    }
  }
  const running = run()
  running.catch(() => {})
  return {
    more: async (count: number) => {
      const wanted = paid.length + count
      while (paid.length < wanted)
        await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 20))])
    },
    end: async () => {
      isOver = true
      await running
      return paid
    },
  }
}

/** The export becomes the same installation in another database. */
async function restoreElsewhere(
  image: Image,
  place: Place & { readonly port: number },
  database: URL,
): Promise<void> {
  if (!existsSync(join(place.data, 'switchyard.export.gz'))) throw new Error('there is no export')
  nameDatabase(place, database)
  const told = await runToEnd(image, {
    ...place,
    env: secretSettings(),
    command: ['import', '/var/lib/switchyard/switchyard.export.gz'],
  })
  const restored = await serve(image, place, 'api')
  const client = clientOf(place, restored)
  const { items } = await client.transactions.list({ limit: 1 }).page()
  const { status } = await pay(client)
  say(
    `${/^Read .*$/m.exec(told)?.[0]} The restored service shows ${items.length === 1 ? 'its payments' : 'nothing'} and pays (${status}).`,
  )
  if (items.length !== 1 || status !== 'authorization_succeeded')
    throw new Error('the restored service does not work')
  await restored.container.stop()
}
