import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobNeeds } from '#resources/resource.ts'
import { JOBS } from '../app.ts'
import { PROCESSING, signToken, startTestService, type TestService } from './harness.ts'
import { OPERATIONS } from './operations.ts'

type Entry = { readonly key: string; readonly value: string }
type Field = {
  readonly key: string
  readonly required: boolean
  readonly secret: boolean
  readonly format: string
}
type Definition = { readonly id: string; readonly fields: readonly Field[] }
type Service = { readonly id: string; readonly fields: readonly Entry[]; readonly webhook_url?: string }

/** Walks the kinds of provider accounts, so that a new kind cannot miss a common rule. */
const KINDS = OPERATIONS.flatMap(({ id, body }) => {
  const [, name] = /^create_(\w+_service)$/.exec(id) ?? []
  const { properties = {}, examples = [] } = (body ?? {}) as Body
  if (!name || !('fields' in properties)) return []
  const type = name.replaceAll('_', '-')
  return [{ type, path: `/${type}s`, definition: `${name}_definition_id`, example: examples[0] ?? {} }]
})
type Body = { readonly properties?: object; readonly examples?: readonly object[] }

let service: TestService
let accounts = 0
let account = ''
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  accounts += 1
  account = `kind-${accounts}`
  await service.send('POST /merchant-accounts', { id: account, display_name: 'Shop' })
})

test('the walk finds the kinds', () => {
  expect(KINDS.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'payment-service',
      'gift-card-service',
      'account-updater-service',
      'anti-fraud-service',
      'network-token-service',
      'three-ds-service',
    ]),
  )
})

describe.each(KINDS)('$type', ({ type, path, definition: named, example }) => {
  const send = (route: string, body?: unknown) => service.send(route, body, { account })

  /** A definition with a secret field, of a simulator: it takes any text for its fields. */
  async function findDefinition(): Promise<Definition> {
    const { items } = (await send(`GET /${type}-definitions?limit=100`)).json()
    const found = items.find(
      ({ id, fields }: Definition) => /^(mock|test)-/.test(id) && fields.some(({ secret }) => secret),
    )
    return found ?? expect.fail(`no connector for a ${type} has a secret field`)
  }

  const bodyWith = (definition: string, fields: readonly Entry[]) => ({
    ...example,
    [named]: definition,
    fields,
  })

  async function make(): Promise<{ readonly definition: Definition; readonly made: Service }> {
    const definition = await findDefinition()
    const response = await send(`POST ${path}`, bodyWith(definition.id, definition.fields.map(enter)))
    expect(response.statusCode, response.body).toBe(201)
    return { definition, made: response.json() }
  }

  test('has definitions, each of which can be read by its id', async () => {
    const { id } = await findDefinition()

    const { items } = (await send(`GET /${type}-definitions?limit=100`)).json()
    const first = (await send(`GET /${type}-definitions?limit=1`)).json()
    const next = await send(`GET /${type}-definitions?limit=1&cursor=${first.next_cursor}`)
    const elsewhere = await send(`GET /merchant-accounts?cursor=${first.next_cursor}`)
    const found = await send(`GET /${type}-definitions/${id}`)
    const missing = await send(`GET /${type}-definitions/no-such-provider`)

    const ids = items.map((item: Definition) => item.id)
    expect(ids).toEqual(ids.toSorted())
    expect([first.items[0].id, next.json().items[0].id]).toEqual(ids.slice(0, 2))
    expect(elsewhere.statusCode).toBe(400)
    expect(items).toContainEqual(found.json())
    expect(found.json()).toMatchObject({ type: `${type}-definition`, id })
    expect(missing.statusCode).toBe(404)
  })

  test('keeps secrets in the vault, and never shows them', async () => {
    const { definition, made } = await make()

    const shown = await send(`GET ${path}/${made.id}`)
    const listed = await send(`GET ${path}`)

    const secrets = definition.fields.filter(({ secret }) => secret)
    const plain = definition.fields.filter(({ secret }) => !secret).map(enter)
    expect(made).toMatchObject({ type, [named]: definition.id })
    expect(made.fields).toEqual(plain.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    expect(shown.json()).toEqual(made)
    expect(listed.json().items).toEqual([made])
    for (const { value } of secrets.map(enter)) {
      for (const { body } of [shown, listed]) expect(body).not.toContain(value)
    }
    expect(await vaultItems()).toEqual(secrets.map(() => `${type}-field`))
  })

  test('refuses unknown definitions and fields, and missing required fields', async () => {
    const { id, fields } = await findDefinition()
    const required = fields.filter((field) => field.required)
    const entered = required.map(enter)
    const unknown = { key: 'no-such-field', value: 'x' }

    const complaints = async (body: object) => {
      const response = await send(`POST ${path}`, body)
      expect(response.statusCode, response.body).toBe(400)
      return response.json().details.map(({ pointer }: { pointer: string }) => pointer)
    }

    expect(await complaints(bodyWith('no-such-provider', entered))).toEqual([`/${named}`])
    expect(await complaints(bodyWith(id, [...entered, unknown]))).toEqual([`/fields/${entered.length}/key`])
    if (required.length > 0) {
      expect(await complaints(bodyWith(id, []))).toEqual(required.map(() => '/fields'))
    }
    expect((await send(`GET ${path}`)).json().items).toEqual([])
  })

  test('tells what is wrong in form and in meaning together', async () => {
    const { id } = await findDefinition()
    const unknown = { key: 'no_such_field', value: 'x' }

    const inField = await send(`POST ${path}`, { ...bodyWith(id, [unknown]), display_name: 7 })
    const inDefinition = await send(`POST ${path}`, { ...bodyWith('no-such-provider', []), display_name: 7 })
    const inEntry = await send(`POST ${path}`, bodyWith(id, [{ key: 7, value: 'x' } as never, unknown]))

    expect(pointersOf(inField)).toEqual(expect.arrayContaining(['/display_name', '/fields/0/key']))
    expect(pointersOf(inDefinition)).toEqual(expect.arrayContaining(['/display_name', `/${named}`]))
    expect(pointersOf(inEntry)).toEqual(['/fields/0/key', '/fields/1/key'])
  })

  test('changes one field and leaves the others', async () => {
    const { definition, made } = await make()
    const secret = definition.fields.find((field) => field.secret)?.key ?? ''
    const itemsBefore = await vaultTokens()

    const response = await send(`PUT ${path}/${made.id}`, {
      display_name: 'Another name',
      fields: [{ key: secret, value: 'another-secret' }],
    })

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({ display_name: 'Another name', fields: made.fields })
    const itemsAfter = await vaultTokens()
    expect(itemsAfter).toHaveLength(itemsBefore.length)
    expect(itemsAfter).not.toEqual(itemsBefore)
  })

  test('records every change in the audit log', async () => {
    const { made } = await make()
    await send(`PUT ${path}/${made.id}`, { display_name: 'Another name' })
    await send(`DELETE ${path}/${made.id}`)

    const { items } = (await send(`GET /audit-logs?resource_type=${type}`)).json()

    const changes = items.map(({ action, resource }: { action: string; resource: object }) => [
      action,
      resource,
    ])
    const changed = { type, id: made.id, name: 'Another name' }
    expect(changes).toEqual([
      ['deleted', changed],
      ['updated', changed],
      ['created', { ...changed, name: expect.any(String) }],
    ])
  })

  test('is not found after its deletion, and a job removes its secrets from the vault', async () => {
    const { made } = await make()
    const { statusCode } = await send(`DELETE ${path}/${made.id}`)
    const soon = await forget()
    service.moveClock(11 * 60_000)

    expect(statusCode).toBe(204)
    expect((await send(`GET ${path}/${made.id}`)).statusCode).toBe(404)
    expect((await send(`GET ${path}`)).json().items).toEqual([])
    expect(soon).not.toEqual([])
    expect(await forget()).toEqual([])
  })

  test('accepts notifications only at its own URL', async () => {
    const { made } = await make()
    if (made.webhook_url === undefined) return
    const { pathname } = new URL(made.webhook_url)
    const post = (url: string) => send(`POST ${url}`, '{}')

    const known = await post(pathname)
    const guessed = await post(`${pathname.slice(0, -1)}${pathname.endsWith('A') ? 'B' : 'A'}`)
    await send(`DELETE ${path}/${made.id}`)
    // Until its secrets have left the vault, a deleted service hears of what it has charged.
    service.moveClock(11 * 60_000)
    await forget()
    const deleted = await post(pathname)

    expect(pathname).toMatch(new RegExp(`^${path}/${made.id}/notifications/[\\w-]{43}$`))
    expect(known.statusCode, known.body).not.toBe(404)
    expect(guessed.statusCode).toBe(404)
    expect(deleted.statusCode).toBe(404)
  })
})

/** Payment services have an order instead: any number of them can be active. */
describe.each(KINDS.filter(({ type }) => type !== 'payment-service'))(
  'of a $type, one can be active',
  ({ type, path, definition: named }) => {
    const ACCOUNT = { key: 'account', value: 'frictionless' }
    const SECRET = { key: 'api_key', value: `canary-secret-of-a-${type}` }
    const request = {
      display_name: 'First',
      [named]: `test-${type.replace(/-service$/, '')}`,
      fields: [ACCOUNT],
    }
    const send = (route: string, body?: unknown) => service.send(route, body, { account })
    const create = (body: object = {}) => send(`POST ${path}`, { ...request, ...body })
    const update = (id: string, body: object) => send(`PUT ${path}/${id}`, body)

    async function make(body: object = {}): Promise<Service> {
      const response = await create(body)
      expect(response.statusCode, response.body).toBe(201)
      return response.json()
    }

    test('a definition tells what the provider supports, and which fields to enter', async () => {
      const provider = type.replace(/-service$/, '')
      const full = (await send(`GET /${type}-definitions/test-${provider}`)).json()
      const plain = (await send(`GET /${type}-definitions/plain-${provider}`)).json()

      const names = Object.keys(full.supported_features)
      expect(names.length).toBeGreaterThan(0)
      expect(full.supported_features).toEqual(Object.fromEntries(names.map((name) => [name, true])))
      expect(Object.keys(plain.supported_features)).toEqual(names)
      expect(Object.values(plain.supported_features)).toContain(false)
      expect(full.fields).toMatchObject([
        { key: 'account', required: true, secret: false, format: 'text' },
        { key: 'api_key', required: false, secret: true, format: 'text' },
        ...full.fields.slice(2),
      ])
    })

    test('refuses what is wrong, and names the field', async () => {
      const wrong: [object, string][] = [
        [{ [named]: undefined }, `/${named}`],
        [{ [named]: 'mock-card' }, `/${named}`],
        [{ display_name: '' }, '/display_name'],
        [{ display_name: 'x'.repeat(201) }, '/display_name'],
        [{ fields: [] }, '/fields'],
        [{ fields: [ACCOUNT, { key: 'colour', value: 'red' }] }, '/fields/1/key'],
        [{ fields: [ACCOUNT, ACCOUNT] }, '/fields/1/key'],
        [{ active: 'true' }, '/active'],
      ]
      for (const [body, pointer] of wrong) expect(pointersOf(await create(body))).toEqual([pointer])
      const made = await make()
      const cleared = await update(made.id, { fields: [{ key: 'account', value: '' }] })
      expect(pointersOf(cleared)).toEqual(['/fields/0/value'])
    })

    test('a second active one is refused with the id of the first, until that is inactive', async () => {
      const responses = await Promise.all(Array.from({ length: 10 }, () => create()))
      const first = responses.find(({ statusCode }) => statusCode === 201)?.json()
      const second = await make({ active: false, fields: [ACCOUNT, SECRET] })

      const early = await update(second.id, { active: true })
      await update(first.id, { active: false })
      const late = await update(second.id, { active: true })

      expect(responses.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9)
      expect(early.statusCode).toBe(409)
      expect(early.json()).toMatchObject({
        code: 'duplicate_record',
        resource_id: first.id,
        details: [{ pointer: '/active', type: 'value_error.duplicate' }],
      })
      expect(late.statusCode, late.body).toBe(200)
      const { items } = (await send(`GET ${path}`)).json()
      expect(items.map(({ active }: { active: boolean }) => active)).toEqual([true, false])
    })

    test('keeps what is left out or null, and clears a secret that is sent empty', async () => {
      const made = await make({ fields: [ACCOUNT, SECRET] })

      const kept = await update(made.id, { display_name: 'Renamed', active: null, fields: null })
      const tokens = await vaultTokens()
      await update(made.id, { fields: [{ key: 'api_key', value: '' }] })

      expect(kept.json()).toEqual({ ...made, display_name: 'Renamed', updated_at: expect.any(String) })
      expect([tokens.length, await vaultTokens()]).toEqual([1, []])
    })

    test('no table has a secret in the clear', async () => {
      await make({ fields: [ACCOUNT, SECRET] })

      const table = sql.table(path.slice(1).replaceAll('-', '_'))
      const { rows } = await sql`
        select t::text as row from ${table} t union all select t::text from audit_logs t
      `.execute(service.context.db)
      expect(rows.length).toBeGreaterThan(1)
      expect(JSON.stringify(rows)).not.toContain(SECRET.value)
    })

    test('can only be deleted when its definition was removed', async () => {
      const made = await make()
      const table = sql.table(path.slice(1).replaceAll('-', '_'))
      await sql`update ${table} set ${sql.ref(named)} = 'former' where id = ${made.id}`.execute(
        service.context.db,
      )

      const changed = await update(made.id, { display_name: 'Renamed' })

      expect(changed.statusCode).toBe(400)
      expect(changed.json().message).toContain('former is no longer there')
      expect((await send(`DELETE ${path}/${made.id}`)).statusCode).toBe(204)
    })

    test('is not found by another account, nor created by the role for payments', async () => {
      const made = await make()
      const id = `${account}-other`
      await service.send('POST /merchant-accounts', { id, display_name: 'Other' })
      // Other tests have moved the clock.
      const exp = Math.floor(Date.now() / 1000) + 86_400
      const token = await signToken(await service.addKey({ roleIds: [PROCESSING] }), { exp })

      for (const [method, body] of [['GET'], ['DELETE'], ['PUT', { active: false }]] as const) {
        const response = await service.send(`${method} ${path}/${made.id}`, body, { account: id })
        expect(response.statusCode).toBe(404)
      }
      expect((await service.send(`POST ${path}`, request, { token })).statusCode).toBe(403)
    })
  },
)

/** What a merchant could enter for a field. */
function enter({ key, format }: Field): Entry {
  const values: Record<string, string> = { boolean: 'false', number: '1', timezone: 'Europe/Amsterdam' }
  return { key, value: values[format] ?? `canary-${key}` }
}

/** Runs the jobs that remove secrets from the vault. Returns what is left there. */
async function forget(): Promise<string[]> {
  const jobs = JOBS.filter(({ name }) => name.startsWith('forget-secrets-of-deleted-'))
  for (const { run } of jobs) await run(service as unknown as JobNeeds, new AbortController().signal)
  return vaultTokens()
}

async function vaultItems(): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    select field from vault.items where merchant_account_id = ${account}
  `.execute(service.context.db)
  return rows.map(({ field }) => field)
}

async function vaultTokens(): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`
    select token from vault.items where merchant_account_id = ${account} order by token
  `.execute(service.context.db)
  return rows.map(({ token }) => token)
}

function pointersOf(response: Awaited<ReturnType<TestService['send']>>): string[] {
  expect(response.statusCode, response.body).toBe(400)
  return response.json().details.map(({ pointer }: { pointer: string }) => pointer)
}
