import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import type { Schema } from '#platform/reference/openapi-schemas.ts'
import { openDatabase } from '../lab/open-database.ts'
import { mustDo } from '../lab/product.ts'
import { openUserSession } from '../lab/user-session.ts'
import { type Described, isForUsers, operationsOf } from './document.ts'
import { type KillableService, killableService } from './killable-service.ts'
import { complaints, type Outcome, type Pace, type Program, type Say } from './program.ts'
import { type Answer, type RawRequest, senderTo } from './raw-request.ts'

/*
 * It was seen to fail for each of these changes: ids by the library's format (`ajv.addFormat('uuid', …)` left out), bodies
 * of any depth (`acceptJson` without `isTooDeep`), and sessions that are counted before a look-up whether they exist.
 */
const GUESSES = { full: 2_000, short: 120 }
const DEPTH = 20_000
const GUESSES_ANSWERED = 50

export const oddIds: Program = {
  name: 'odd-ids',
  promise: 11,
  title: 'No id, no depth and no guess breaks it',
  explanation:
    'In every place of every operation where our OpenAPI document has an id (path, query, and body at any depth), ids are ' +
    'sent that other programs take for one: `urn:uuid:…`, in braces, without hyphens. Each has to be refused with 400. Every ' +
    'operation that changes something gets a body of 20,000 levels, and those that take none get one: 400. Pages and ' +
    'notifications get odd ids in their addresses. Then ids of checkout sessions are guessed: beyond 50 a minute they are ' +
    'answered 429, none of them leaves a row, and a session that exists can be used all the while.',
  run,
}

const ID = '01900000-0000-7000-8000-0000000000ff'
const ODD = [
  `urn:uuid:${ID}`,
  `URN:UUID:${ID.toUpperCase()}`,
  `{${ID}}`,
  ID.replaceAll('-', ''),
  `${ID} `,
  `${ID}\n`,
  `${ID}0`,
  ID.replace('0', '٠'),
]

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  const databaseUrl = await newDatabase()
  const service = await killableService({ databaseUrl, env: { ROLE: 'api' } })
  await service.start()
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument
  const { send, close } = senderTo(service.url)
  const operations = operationsOf(document)
  const broken: string[] = []
  const did = { operations: operations.length, ids: 0, bodies: 0, addresses: 0, guesses: 0 }
  const session = await newSession(service)
  const known: Known = (name) => ({ merchant_account_id: 'default', session_id: session })[name] ?? ID
  for (const operation of operations) {
    say(operation.described.operationId)
    const places = placesOf(document, operation, known)
    // The short form has one odd id for each place, another one in each.
    const tries =
      form === 'short'
        ? places.map((place, index) => place(ODD[index % 3] ?? ''))
        : places.flatMap((place) => ODD.map(place))
    const bodies = bodiesFor(operation, known)
    // A proof of a user is fresh for ten minutes, so each operation has a user of its own.
    const credentials: RawRequest['headers'] = isForUsers(operation)
      ? (await openUserSession(service)).headers
      : [['authorization', `Bearer ${service.token}`]]
    for (const request of [...tries, ...bodies]) {
      const answer = await send({ ...request, headers: [...credentials, ...request.headers] })
      broken.push(...unlessRefused(request, answer))
    }
    did.ids += tries.length
    did.bodies += bodies.length
  }
  for (const request of addresses()) {
    const { status } = await send(request)
    if (status >= 500) broken.push(`${request.url} was answered ${status}`)
    did.addresses += 1
  }
  say('guesses')
  did.guesses = GUESSES[form]
  const guessed = await guess(service, databaseUrl, did.guesses)
  close()
  await service.kill()
  return {
    seed,
    did,
    acknowledged: guessed.statuses,
    found: { 'rows left behind by guesses': guessed.rows },
    broken: [...broken.slice(0, 50), ...guessed.broken],
  }
}

function unlessRefused({ method, url, body }: RawRequest, { status, body: answer }: Answer): string[] {
  if (status === 400) return []
  return complaints(`${method} ${url} was answered ${status}`, [
    { body: String(body ?? '').slice(0, 200), answer: answer.slice(0, 200) },
  ])
}

/** The valid values of path parameters. */
type Known = (name: string) => string

type Place = (id: string) => RawRequest

/** A request for each place of an operation that takes an id, with an odd id there. */
function placesOf(document: OpenApiDocument, operation: Described, known: Known): Place[] {
  const { method, path, parameters, described } = operation
  const isId = ({ schema }: { readonly schema: Schema }) =>
    schema.format === 'uuid' || schema.items?.format === 'uuid'
  const fill = (odd: string, name?: string) =>
    filled(path, (own) => (own === name ? encodeURIComponent(odd) : known(own)))
  const inPath = parameters.filter((parameter) => parameter.in === 'path' && isId(parameter))
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && isId(parameter))
  const schema = described.requestBody?.content['application/json'].schema
  const bodies = schema ? idsIn(document, schema) : []
  return [
    ...inPath.map(
      ({ name }): Place =>
        (id) => ({ method, url: fill(id, name), headers: [], body: undefined }),
    ),
    ...inQuery.map(
      ({ name }): Place =>
        (id) => ({
          ...{ method, headers: [], body: undefined },
          url: `${fill('')}?${name}=${encodeURIComponent(id)}`,
        }),
    ),
    ...bodies.map(
      (write): Place =>
        (id) => ({
          ...{ method, url: fill('') },
          headers: [['content-type', 'application/json']],
          body: JSON.stringify(write(id)),
        }),
    ),
  ]
}

function filled(path: string, value: Known): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => value(name))
}

type Write = (id: string) => unknown

/** Values for a schema, each with an id in one of its places. Other required fields are filled in. */
function idsIn(document: OpenApiDocument, schema: Schema, depth = 0): Write[] {
  const { $ref, format, items, properties = {}, anyOf = [] } = schema
  if (depth > 8) return []
  if ($ref !== undefined) {
    const found = document.components.schemas[$ref.split('/').at(-1) ?? '']
    return found ? idsIn(document, found, depth) : []
  }
  if (format === 'uuid') return [(id) => id]
  if (items) return idsIn(document, items, depth + 1).map((write) => (id) => [write(id)])
  if (anyOf.length > 0) return anyOf.flatMap((shape) => idsIn(document, shape, depth + 1))
  const example = (schema.examples?.[0] ?? {}) as object
  return Object.entries(properties).flatMap(([name, inner]) =>
    idsIn(document, inner, depth + 1).map(
      (write): Write =>
        (id) => ({ ...constants(properties), ...example, [name]: write(id) }),
    ),
  )
}

function constants(properties: Readonly<Record<string, Schema>>): object {
  const fixed = Object.entries(properties).filter(([, inner]) => inner.const !== undefined)
  return Object.fromEntries(fixed.map(([name, inner]) => [name, inner.const]))
}

/** Bodies that must be refused: nested too deep, or sent to operations without a body. */
function bodiesFor({ method, path, described }: Described, known: Known): RawRequest[] {
  if (method === 'GET') return []
  const url = filled(path, known)
  const headers: RawRequest['headers'] = [
    ['content-type', 'application/json'],
    ['idempotency-key', crypto.randomUUID()],
  ]
  const deep = [`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`, `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`]
  const any = described.requestBody ? [] : ['{"surprise":true}', '[1]', '"text"', '0']
  return [...deep, ...any].map((body) => ({ method, url, headers, body }))
}

/** Other addresses with an id: pages and notifications. */
function addresses(): RawRequest[] {
  return ODD.map(encodeURIComponent).flatMap((odd) => [
    { method: 'GET', url: `/approvals/default/${odd}/key`, headers: [], body: undefined },
    { method: 'GET', url: `/gift-cards/issued/${odd}/key`, headers: [], body: undefined },
    { method: 'POST', url: `/payment-services/${odd}/notifications/key`, headers: [], body: '{}' },
    { method: 'POST', url: `/anti-fraud-services/${odd}/notifications/key`, headers: [], body: '{}' },
  ])
}

async function newSession(service: KillableService): Promise<string> {
  return (await mustDo(service, 'POST /checkout/sessions')).id
}

async function guess(service: KillableService, databaseUrl: string, guesses: number) {
  const { url } = service
  const database = await openDatabase(databaseUrl)
  const rows = async () =>
    (await database.query('select count(*)::int as rows from rate_limits')).rows[0].rows
  const statuses: Record<string, number> = {}
  const broken: string[] = []
  const before = await rows()
  for (let count = 0; count < guesses; count += 1) {
    const { status } = await fetch(`${url}/checkout/sessions/${crypto.randomUUID()}/acquirer`)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const left = (await rows()) - before
  const id = await newSession(service)
  const known = await fetch(`${url}/checkout/sessions/${id}/acquirer`)
  if (left > 0) broken.push(`${guesses} guesses left ${left} rows`)
  // Slow machines may get into a second minute.
  if ((statuses[404] ?? 0) > 4 * GUESSES_ANSWERED) broken.push(`${statuses[404]} guesses were answered`)
  if (!statuses[429]) broken.push('no guess was refused')
  if (known.status !== 200) broken.push(`a session that exists was answered ${known.status}`)
  return { statuses, rows: left, broken }
}
