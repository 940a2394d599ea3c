import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

/**
 * PayPal's published contracts, where they are at hand: the folder that PROVIDER_CONTRACTS names. They check what the
 * connectors send and what the stand-in answers. The vault's contract is not among them.
 */

const FILES = {
  orders: 'paypal-orders-v2.json',
  payments: 'paypal-payments-v2.json',
  webhooks: 'paypal-webhooks-v1.json',
  disputes: 'paypal-disputes-v1.json',
  reporting: 'paypal-reporting-v1.json',
} as const

type Schema = object
type Operation = {
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } }
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json'?: { readonly schema: Schema } } }>
  >
}
type Contract = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

export type PublishedContract = {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  readonly counts: { requests: number; answers: number; unknownPaths: number }
  readonly violations: string[]
  readonly issues: () => readonly string[]
  readonly processorCodes: () => readonly string[]
}

/**
 * Null if the contracts are not at hand. With `accepted`, a wrong request counts only if it is not refused: tests of the
 * stand-in send wrong ones on purpose.
 */
export function openContract(
  folder: string | undefined,
  fetch: PublishedContract['fetch'],
  checked: 'all' | 'accepted' = 'all',
): PublishedContract | null {
  if (!folder) return null
  const contracts = Object.entries(FILES).map(
    ([name, file]) => [name, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Contract] as const,
  )
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true })
  for (const [name, contract] of contracts) ajv.addSchema(contract, name)
  const compiled = new Map<string, ValidateFunction>()
  const validate = (name: string, schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${name}#/`)
    const known = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, known)
    return known
  }
  const counts = { requests: 0, answers: 0, unknownPaths: 0 }
  const violations: string[] = []
  const check = (what: string, validator: ValidateFunction, value: unknown) => {
    if (!validator(value)) violations.push(`${what}: ${ajv.errorsText(validator.errors?.slice(-3))}`)
  }

  return {
    counts,
    violations,
    issues: () => [...new Set(contracts.flatMap(([, { components }]) => enumsOf(components, 'issue')))],
    processorCodes: () => [
      ...new Set(contracts.flatMap(([, { components }]) => enumsOf(components, 'response_code'))),
    ],
    fetch: async (url, init = {}) => {
      const { pathname } = new URL(url)
      const found = findOperation(contracts, init.method ?? 'GET', pathname)
      const response = await fetch(url, init)
      if (!found) {
        counts.unknownPaths++
        return response
      }
      const { name, operation } = found
      const what = `${init.method ?? 'GET'} ${pathname.replace(/[A-Z0-9-]{13,}/g, '…')}`
      const asked = operation.requestBody?.content['application/json']?.schema
      if (asked && init.body && (response.ok || checked === 'all')) {
        counts.requests++
        check(`request ${what}`, validate(name, asked), JSON.parse(String(init.body)))
      }
      const told = operation.responses[String(response.status)]?.content?.['application/json']?.schema
      if (told) {
        counts.answers++
        check(`answer ${response.status} ${what}`, validate(name, told), await response.clone().json())
      }
      return response
    },
  }
}

function findOperation(
  contracts: readonly (readonly [string, Contract])[],
  method: string,
  pathname: string,
): { readonly name: string; readonly operation: Operation } | null {
  for (const [name, { paths }] of contracts) {
    for (const [path, operations] of Object.entries(paths)) {
      const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)
      const operation = operations[method.toLowerCase()]
      if (operation && pattern.test(pathname)) return { name, operation }
    }
  }
  return null
}

/** Every value of a property that the contract lists. */
function enumsOf(value: unknown, property: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => enumsOf(item, property))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const values = key === property && Array.isArray(part?.enum) ? (part.enum as string[]) : []
    return [...values, ...enumsOf(part, property)]
  })
}
