import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { SUBSCRIPTIONS_MAX } from '#resources/webhook-subscriptions/create.ts'
import { hostileUrls, REFUSED_ADDRESSES } from '#testing/hostile-urls.ts'
import { listen } from '../lab/listen.ts'
import { openDatabase } from '../lab/open-database.ts'
import { inTurns } from '../lab/turns.ts'
import { HOSTILE_DOMAIN, nameOf, REBINDING } from './hostile-dns.ts'
import { repeat, sendOnce } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'

/*
 * It was seen to fail for each of these changes: addresses in URLs are not checked (`complaintAboutUrl` returns early),
 * addresses of names are not checked (`checkedLookup` leaves no address out), a redirect is followed, a delivery with a
 * refused address is not recorded (no `recorder.add` in deliver.ts), and tokens are fetched without checks (`fetch` in
 * place of `Outgoing` in authorize.ts) or not at all (`headersFor` gives no header).
 */
const PATIENCE_MS = 120_000
const AT_ONCE = 8
/** The one allowed address in trials of tokens. No server listens there, so a delivery to it fails without a refusal. */
const HARMLESS = '127.0.0.77'

export const outgoing: Program = {
  name: 'outgoing',
  promise: 9,
  title: 'No request goes where it must not',
  explanation:
    'URLs that lead into the network of the service, in every spelling that a parser takes, are given as the address of a ' +
    'webhook and as the address where its token is fetched; all have to be refused. Then they are written into the ' +
    'database, past the first check, beside names that lead to such addresses: as the address of a webhook, and as the ' +
    'address of the token for a webhook that is harmless itself. Besides there is a name that leads elsewhere when it is ' +
    'asked for again (DNS rebinding), and a receiver that answers with a redirect. Events are sent to all of them. A ' +
    'canary listens at the port that they name, and must get no connection.',
  run,
}

type Service = { readonly api: KillableService; readonly database: pg.Client }

async function run({ seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const canary = await openCanary()
  const urls = hostileUrls(canary.port)

  const strict = await startService(await newDatabase(), 'none')
  const accepted = await subscribeToAll(strict.api, urls)
  say(`${urls.length} URLs were given`)
  const slipped = urls.filter((url) => url !== '' && url.length <= 2048 && !url.includes('\0'))
  const names = REFUSED_ADDRESSES.map((address) => `http://${nameOf(address)}:${canary.port}/`)
  const hostile = [...slipped, ...names]
  const inside = await sendTo(strict, hostile)
  say(`${inside.length} subscriptions were sent an event`)
  await strict.api.kill()

  const asking = await startService(await newDatabase(), `${HARMLESS}/32`)
  const tokens = await sendWithTokens(asking, hostile)
  say(`${tokens.length} subscriptions were sent an event with a token`)
  await asking.api.kill()

  const open = await startService(await newDatabase(), '127.0.0.1/32')
  const leading = await lead(open, canary.port)
  await open.api.kill()

  const heard = canary.connections()
  const reached = inside.filter(isNotRefused)
  const granted = tokens.filter(isNotRefused)
  const unsent = 2 * hostile.length - inside.length - tokens.length
  return {
    seed,
    did: {
      'hostile URLs': urls.length,
      'names that lead inside': names.length,
      'requests to subscribe': 2 * urls.length,
      'deliveries to hostile addresses': inside.length,
      'deliveries with a token from hostile addresses': tokens.length,
    },
    acknowledged: { 'requests refused': 2 * urls.length - accepted.length },
    found: {
      'connections at the canary': heard,
      'deliveries refused for their address': inside.length - reached.length,
      'deliveries refused for the address of their token': tokens.length - granted.length,
      'requests at the harmless address': leading.requests,
    },
    broken: [
      ...complaints('was taken as an address of a webhook', accepted),
      ...complaints('was not refused when an event was sent', reached),
      ...complaints('was not refused when a token was fetched', granted),
      ...(unsent === 0 ? [] : [`${unsent} of the hostile addresses were never tried`]),
      ...leading.broken,
      ...(heard > 0 ? [`the canary was connected to ${heard} times`] : []),
    ],
  }
}

async function startService(databaseUrl: string, allowCidrs: string): Promise<Service> {
  const api = await killableService({
    databaseUrl,
    preload: [fileURLToPath(new URL('hostile-dns.ts', import.meta.url))],
    env: { WEBHOOK_ALLOW_CIDRS: allowCidrs, HOSTILE_DNS: '1' },
  })
  await api.start()
  return { api, database: await openDatabase(databaseUrl) }
}

/** Returns the URLs that were not refused. */
async function subscribeToAll(api: KillableService, urls: readonly string[]): Promise<unknown[]> {
  const plain = `http://harmless.${HOSTILE_DOMAIN}/`
  const bodies = urls.flatMap((url) => [{ url }, { url: plain, authentication: tokenFrom(url) }])
  const accepted: unknown[] = []
  await inTurns(bodies, AT_ONCE, async (body, index) => {
    const sent = await sendOnce(api, { route: '/webhook-subscriptions', body, key: `hostile-${index}` })
    if (typeof sent === 'string' || sent.status !== 400)
      accepted.push({ body, answer: typeof sent === 'string' ? sent : sent.status })
  })
  return accepted
}

function tokenFrom(token_url: string) {
  return { kind: 'oauth_client_credentials', client_id: 'shop', client_secret: 'word', token_url }
}

type Attempt = { readonly url: string; readonly outcome: string }

function isNotRefused({ outcome }: Attempt): boolean {
  return outcome !== 'address_refused'
}

/** Makes a subscription of each URL, past the API's checks, and sends an event to all of them. */
function sendTo(service: Service, urls: readonly string[]): Promise<Attempt[]> {
  return sendToAll(service, urls, {
    body: { url: `http://harmless.${HOSTILE_DOMAIN}/` },
    slip: 'url = slipped.url',
  })
}

/** The same with harmless subscriptions, whose token comes from the URL. */
function sendWithTokens(service: Service, urls: readonly string[]): Promise<Attempt[]> {
  const url = `http://${HARMLESS}:9/`
  return sendToAll(service, urls, {
    body: { url, authentication: tokenFrom(url) },
    slip: `authentication = jsonb_set(authentication, '{token_url}', to_jsonb(slipped.url))`,
  })
}

type Slipped = { readonly body: object; readonly slip: string }

/** As many at a time as an account can have. */
async function sendToAll(
  { api, database }: Service,
  urls: readonly string[],
  { body, slip }: Slipped,
): Promise<Attempt[]> {
  let made: Attempt[] = []
  for (let from = 0; from < urls.length; from += SUBSCRIPTIONS_MAX) {
    const some = urls.slice(from, from + SUBSCRIPTIONS_MAX)
    const ids: string[] = []
    await inTurns(some, AT_ONCE, async (_, index) => {
      const key = `slipped-${from + index}`
      ids[index] = (await repeat(api, { route: '/webhook-subscriptions', body, key })).id
    })
    await database.query(
      `update webhook_subscriptions as subscription set ${slip}
       from unnest($1::uuid[], $2::text[]) as slipped (id, url) where slipped.id = subscription.id`,
      [ids, some],
    )
    await repeat(api, { route: '/buyers', body: {}, key: `event-${from}` })
    made = await attempts(database, from + some.length)
    await database.query(
      'update webhook_subscriptions set active = false, deleted_at = now() where id = any($1)',
      [ids],
    )
  }
  return made
}

/** A receiver that redirects to the canary, by a name that leads to it once and to the canary ever after. */
async function lead(service: Service, canaryPort: number) {
  let requests = 0
  const receiver = createHttpServer((_, response) => {
    requests += 1
    response.writeHead(307, { location: `http://127.0.0.1:${canaryPort}/`, connection: 'close' }).end()
  })
  const port = await listen(receiver)
  const body = { url: `http://${REBINDING}:${port}/` }
  const { id } = await repeat(service.api, { route: '/webhook-subscriptions', body, key: 'rebinding' })
  const outcomes: string[] = []
  for (const turn of ['first', 'second']) {
    await repeat(service.api, { route: '/buyers', body: {}, key: turn })
    const made = await attempts(service.database, 1 + outcomes.length)
    outcomes.push(made.at(-1)?.outcome ?? '')
  }
  const isRight = outcomes[0] === 'refused' && outcomes[1] === 'address_refused' && requests === 1
  return {
    requests,
    broken: isRight ? [] : [`${id} was rebound: ${outcomes.join(', ')}, ${requests} requests`],
  }
}

/** Waits for so many attempts. There is one for each delivery: the next is not due for seconds. */
async function attempts(database: pg.Client, count: number): Promise<Attempt[]> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    const { rows } = await database.query<Attempt>(
      `select coalesce(authentication->>'token_url', url) as url, outcome from webhook_attempts
       join webhook_subscriptions on webhook_subscriptions.id = subscription_id
       where number = 1 order by webhook_attempts.created_at`,
    )
    if (rows.length >= count || performance.now() > deadline) return rows
  }
}

/** Listens at every address of this machine, and never answers. */
async function openCanary() {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  return { port: await listen(server, '::'), connections: () => connections }
}
