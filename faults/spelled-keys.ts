import { createPrivateKey, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { CARD } from '../lab/card.ts'
import { dice } from '../lab/dice.ts'
import { openDatabase } from '../lab/open-database.ts'
import { compareBooks } from './aftermath.ts'
import { type Answer, type KeyedRequest, repeat, type Sent, sendOnce } from './keyed-request.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { MONEY_OPERATIONS, type MoneyOperation } from './money-operations.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'

/*
 * It was seen to fail for each of these changes: ids in capital letters are other ids (`complaintsAbout` without
 * `writeIdsSmall`), pages have the shop's keys (`ownerOf` without `isEmbed`), and a renewed token is another page
 * (`ownerOf` by the token).
 */
const FORMS = { full: { keys: 100, calls: 20, orders: 100 }, short: { keys: 5, calls: 8, orders: 6 } }

export const spelledKeys: Program = {
  name: 'spelled-keys',
  promise: 5,
  title: 'One key for one request, in any spelling, and apart from keys of pages',
  explanation:
    'For each key, calls that mean the same are sent at once, each spelled in another way: ids in small and capital letters, ' +
    'characters of the path as `%61`, fields in another order. One may be carried out. Then pages with browser tokens send ' +
    'payments with the keys of a shop, before, while and after the server of the shop uses them, and renew their tokens ' +
    'between two tries. The server can always use its keys, no page gets an answer that was for the server, and each page ' +
    'pays once.',
  run,
}

type Scene = {
  readonly service: KillableService
  readonly chance: () => number
  readonly broken: string[]
  readonly tally: { spelled: number; replayed: number; executed: number; pages: number; renewed: number }
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const { keys, calls, orders } = FORMS[form]
  const databaseUrl = await newDatabase()
  const service = await killableService({ databaseUrl })
  await service.start()
  const tally = { spelled: 0, replayed: 0, executed: 0, pages: 0, renewed: 0 }
  const scene: Scene = { service, chance: dice(seed), broken: [], tally }
  const database = await openDatabase(databaseUrl)
  const single = MONEY_OPERATIONS.filter(({ name }) => name !== 'redeem' && name !== 'split')
  for (let index = 0; index < keys; index += 1) {
    if (index % 10 === 0) say(`${index} of ${keys} keys`)
    const operation = single[index % single.length]
    if (!operation) throw new Error('there are operations')
    await trySpellings(scene, operation, { order: `spelled-${index}`, calls })
    const effects = await operation.countEffects(database, `spelled-${index}`)
    if (effects !== 1) scene.broken.push(`spelled-${index} (${operation.name}) was done ${effects} times`)
  }
  for (let index = 0; index < orders; index += 1) {
    if (index % 10 === 0) say(`${index} of ${orders} orders`)
    await tryPage(scene, `order-${index}`)
  }
  const { rows } = await database.query(
    `select count(*)::int as payments from transactions where external_identifier like 'order-%' or external_identifier is null`,
  )
  const found = rows[0].payments
  if (found !== 2 * orders) scene.broken.push(`${orders} orders and as many pages made ${found} payments`)
  scene.broken.push(
    ...(await compareBooks(database)),
    ...(tally.replayed === 0 || tally.renewed === 0 ? ['nothing was replayed: nothing was shown'] : []),
  )
  await service.kill()
  return {
    seed,
    did: { keys: keys + orders, 'calls in other spellings': tally.spelled, 'calls of pages': tally.pages },
    acknowledged: {
      executions: tally.executed,
      'replays of other spellings': tally.replayed,
      'replays to renewed tokens': tally.renewed,
    },
    found: { 'payments of shops and pages': found },
    broken: scene.broken,
  }
}

async function trySpellings(
  { service, chance, broken, tally }: Scene,
  operation: MoneyOperation,
  { order, calls }: { readonly order: string; readonly calls: number },
): Promise<void> {
  const request = await operation.prepare(service, order)
  const sent = await Promise.all(
    Array.from({ length: calls }, () => sendOnce(service, spell(request, chance))),
  )
  tally.spelled += calls
  // Requests that were told to wait are sent again, in yet another spelling.
  for (let turn = 0; turn < 3; turn += 1) {
    const onSent = (one: Sent) => void sent.push(one)
    await repeat(service, spell(request, chance), { onSent }).catch(({ message }) => broken.push(message))
    tally.spelled += 1
  }
  const answers = sent.filter((one): one is Answer => typeof one !== 'string')
  const done = answers.filter(({ status }) => status < 300)
  tally.executed += done.filter(({ isReplay }) => !isReplay).length
  tally.replayed += done.filter(({ isReplay }) => isReplay).length
  const others = answers.filter(({ status }) => status >= 300 && status !== 409)
  broken.push(...complaints(`${order} was refused`, others))
  if (new Set(done.map(({ text }) => text)).size !== 1)
    broken.push(`${order} was answered in different words`)
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The same request, written in another way. */
function spell({ route, body, key }: KeyedRequest, chance: () => number): KeyedRequest {
  const anyCase = (text: string) =>
    text.replaceAll(/[a-f]/g, (letter) => (chance() < 0.5 ? letter : letter.toUpperCase()))
  const encoded = (text: string) =>
    text.replaceAll(/[a-z]/g, (letter) => (chance() < 0.9 ? letter : `%${letter.charCodeAt(0).toString(16)}`))
  const path = route.split(ID).map(encoded)
  const ids = [...route.matchAll(ID)].map(([id]) => anyCase(id))
  const fields = Object.entries(body ?? {}).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' && value.replace(ID, '') === '' ? anyCase(value) : value,
  ])
  return {
    route: path.map((part, index) => part + (ids[index] ?? '')).join(''),
    body: body && Object.fromEntries(chance() < 0.5 ? fields : fields.reverse()),
    key,
  }
}

const PAGE_ORDER = { amount: 1299, currency: 'USD', country: 'US', payment_method: CARD }

/** A page and the server both use the key of an order, in any sequence. */
async function tryPage({ service, chance, broken, tally }: Scene, order: string): Promise<void> {
  const renew = await tokensOf(service, order, chance)
  const request = { route: '/transactions', key: order, body: PAGE_ORDER }
  const page = async () => sendOnce({ ...service, token: await renew() }, request)
  const server = () => sendOnce(service, { ...request, body: { ...PAGE_ORDER, external_identifier: order } })
  const [first, own] = await inAnyOrder(chance, page, server)
  const again = await page()
  tally.pages += 2
  tally.executed += 2
  if (!isNew(own)) broken.push(`${order}: the server was kept from its key: ${shown(own)}`)
  if (!isNew(first)) broken.push(`${order}: the page could not pay: ${shown(first)}`)
  else if (typeof again !== 'string' && again.isReplay && again.text === first.text) tally.renewed += 1
  else broken.push(`${order}: the page with a renewed token was told otherwise: ${shown(again)}`)
}

/** At once, or one after the other. */
async function inAnyOrder(
  chance: () => number,
  page: () => Promise<Sent>,
  server: () => Promise<Sent>,
): Promise<[Sent, Sent]> {
  const turn = chance()
  if (turn < 0.5) return Promise.all([page(), server()])
  if (turn < 0.75) return [await page(), await server()]
  const own = await server()
  return [await page(), own]
}

function isNew(sent: Sent): sent is Answer {
  return typeof sent !== 'string' && sent.status === 201 && !sent.isReplay
}

function shown(sent: Sent): string {
  return JSON.stringify(sent).slice(0, 400)
}

/** Makes browser tokens of one page: different tokens that pin the same. */
async function tokensOf(
  service: KillableService,
  order: string,
  chance: () => number,
): Promise<() => Promise<string>> {
  const { key } = service.folder
  const make = (route: string, body: object) => repeat(service, { route, body, key: `${order} ${route}` })
  const turn = chance()
  const claims =
    turn < 0.34
      ? { checkout_session_id: (await make('/checkout/sessions', { amount: 1299, currency: 'USD' })).id }
      : turn < 0.67
        ? { embed: { buyer_id: (await make('/buyers', {})).id } }
        : { embed: { metadata: { order } } }
  return () => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ scopes: ['embed'], exp: now + 600, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'JWT' })
      .sign(createPrivateKey(key.pem))
  }
}
