import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import {
  authorizeOrder,
  captureOrder,
  card,
  inquiryAbout,
  refundOrder,
  testLink,
  voidOrder,
} from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { decodeForm } from '#sandbox/stand-ins/stripe/form.ts'
import { createStandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { stripeConnectors } from './connectors.ts'

/** Stripe's published OpenAPI of 2023 is no part of this project. Where a folder has it, exchanges are compared with it. */
const FILE = `${process.env['PROVIDER_CONTRACTS'] ?? ''}/stripe.json`
const isThere = existsSync(FILE)

type Schema = Record<string, unknown>
type Spec = {
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, { schema: Schema }> }
        responses: Record<string, { content: Record<string, { schema: Schema }> }>
      }
    >
  >
  components: { schemas: Record<string, Schema> }
}
type Exchange = { method: string; path: string; form: object; status: number; body: unknown }

describe.skipIf(!isThere)('by the published contract of 2023 (PROVIDER_CONTRACTS)', () => {
  const spec = isThere
    ? (JSON.parse(readFileSync(FILE, 'utf8')) as Spec)
    : { paths: {}, components: { schemas: {} } }
  const ajv = new Ajv({ strict: false, coerceTypes: true, validateFormats: false })
  ajv.addSchema({ $id: 'stripe', ...(closed(spec) as object) })

  test('every request and every answer is valid', async () => {
    const exchanges = await exchanged()

    const complaints = exchanges.flatMap((exchange) => complaintsAbout(exchange))

    expect(complaints).toEqual([])
    // One visible line with the counts.
    process.stdout.write(`stripe: ${exchanges.length} exchanges are valid by the contract of 2023\n`)
    expect(exchanges.length).toBeGreaterThan(20)
  })

  function complaintsAbout({ method, path, form, status, body }: Exchange): string[] {
    const [template = ''] = Object.keys(spec.paths).filter((one) =>
      new RegExp(`^${one.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
    )
    const at = ['paths', template, method.toLowerCase()].map(escaped).join('/')
    const operation = spec.paths[template]?.[method.toLowerCase()]
    if (!operation) return [`${method} ${path} is not in the contract`]
    const answer = `stripe#/${at}/responses/${status === 200 ? '200' : 'default'}/content/application~1json/schema`
    const request = `stripe#/${at}/requestBody/content/application~1x-www-form-urlencoded/schema`
    const complaints = invalid(answer, body).map((text) => `answer of ${method} ${path} ${text}`)
    if (method !== 'POST') return complaints
    return [
      ...complaints,
      ...invalid(request, known(form)).map((text) => `request ${method} ${path} ${text}`),
    ]
  }

  function invalid(pointer: string, value: unknown): string[] {
    const validate = ajv.getSchema(pointer) ?? ajv.compile({ $ref: pointer })
    const copy: unknown = structuredClone(value)
    if (validate(copy)) return []
    return (validate.errors ?? [])
      .slice(0, 3)
      .map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
})

/** Parameters that Stripe has added or renamed since 2023. The official types know them. */
function known(form: object): object {
  const {
    allowed_payment_method_types: types,
    payment_method_options: options,
    ...rest
  } = form as Record<string, unknown>
  const { card: given, ...others } = (options ?? {}) as Record<string, Record<string, unknown>>
  const { request_multicapture, request_overcapture, request_incremental_authorization, ...older } =
    given ?? {}
  const card = Object.keys(older).length > 0 ? { card: older } : {}
  const left = { ...others, ...card }
  return {
    ...rest,
    ...(types !== undefined && { payment_method_types: types }),
    ...(Object.keys(left).length > 0 && { payment_method_options: left }),
  }
}

/** OpenAPI's `nullable` in the words of JSON Schema. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)])) as Schema
  if (copy['nullable'] !== true) return copy
  const { nullable: _nullable, ...schema } = copy
  return { anyOf: [schema, { type: 'null' }] }
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** Everything that the connectors send in a day, and what the stand-in answers. */
async function exchanged(): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const standIn = createStandIn({ now: () => new Date() })
  const link = testLink({
    fields: { secret_key: TEST_KEY, flexible_captures: 'true' },
    fetch: async (url, init) => {
      const response = await standIn.fetch(url, init)
      const { pathname } = new URL(url)
      const form = decodeForm(String(init?.body ?? ''))
      const body: unknown = await response.clone().json()
      exchanges.push({ method: init?.method ?? 'GET', path: pathname, form, status: response.status, body })
      return response
    },
  })
  const [stripeCard, ...others] = stripeConnectors
  const withCard = (number: string) => ({ instrument: card({ number: secret(number) }) })
  const redirectUrl = 'https://pay.example.com/return'
  for (const order of [
    authorizeOrder(),
    authorizeOrder(withCard('4000000000000002')),
    authorizeOrder({ ...withCard('4000002760003184'), redirectUrl }),
    authorizeOrder({ amount: 0 }),
    authorizeOrder({ paymentSource: 'moto' }),
    authorizeOrder({
      intent: 'capture',
      details: { description: 'Shoes', statement_descriptor: { name: 'Shop' } },
    }),
  ]) {
    const answer = await stripeCard?.authorize?.(order, link)
    const reference = answer && 'reference' in answer ? answer.reference : null
    if (answer?.outcome !== 'approved' || reference === null) continue
    const on = { order, reference }
    await stripeCard?.capture?.(captureOrder(on), link)
    await stripeCard?.refund?.(refundOrder(on, { amount: 500, reason: 'duplicate' }), link)
    await stripeCard?.void?.(voidOrder(on), link)
    await stripeCard?.sync?.(inquiryAbout('authorize', order, { reference }), link)
    await stripeCard?.sync?.(inquiryAbout('authorize', order), link)
    await stripeCard?.sync?.(inquiryAbout('capture', captureOrder(on)), link)
  }
  for (const { manifest, authorize } of others) {
    if (manifest.mode !== 'redirect') continue
    const { method } = manifest
    const instrument = { kind: 'redirect', method, country: 'NL', currency: 'EUR' } as const
    const address = { country: 'NL', line1: null, line2: null, city: null, postal_code: null, state: null }
    const billing = {
      first_name: 'Ada',
      last_name: 'L',
      email_address: 'ada@example.com',
      phone_number: null,
      address: { ...address, state_code: null, house_number_or_name: null, organization: null },
    }
    await authorize?.(
      authorizeOrder({ instrument, currency: 'EUR', intent: 'capture', redirectUrl, billing }),
      link,
    )
  }
  return exchanges
}
