import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, expect } from 'vitest'

/**
 * Adyen's own description of its API, if the environment variable PROVIDER_CONTRACTS names a folder with it. It is not
 * part of this project. Without it, nothing is checked here, and a test says so.
 */
const FOLDER = process.env['PROVIDER_CONTRACTS']
export const HAS_CONTRACT = FOLDER !== undefined

/** How many requests, answers and webhooks were compared, and what did not fit. */
const compared = { requests: 0, answers: 0, webhooks: 0 }
const violations: string[] = []

/** For each test file: says how much was compared, and fails if something did not fit, whatever the tests made of it. */
export function expectNoViolations(): void {
  afterAll(() => {
    const counts = Object.entries(compared).map(([what, count]) => `${count} ${what}`)
    const line = HAS_CONTRACT
      ? `compared with Adyen's contract: ${counts.join(', ')}`
      : 'PROVIDER_CONTRACTS is not set: not compared'
    process.stdout.write(`${line}\n`)
    expect(violations).toEqual([])
  })
}

type Document = { readonly paths?: Operations; readonly webhooks?: Operations }
type Operations = Readonly<Record<string, { readonly post?: Operation; readonly delete?: Operation }>>
type Content = {
  readonly content?: { readonly 'application/json'?: { readonly schema: { readonly $ref: string } } }
}
type Operation = { readonly requestBody?: Content; readonly responses: Readonly<Record<string, Content>> }

const ajv = new Ajv2020({ strict: false, allErrors: false })
// The module's types describe it as it is without ESM.
const withFormats = addFormats as unknown as typeof addFormats.default
withFormats(ajv)
for (const name of ['int32', 'int64', 'double', 'float']) ajv.addFormat(name, true)
const documents = new Map<string, Document>()
const validators = new Map<string, ValidateFunction>()

/** Throws if the published contract knows no such request or answer. The violation is noted, too. */
export async function checkExchange(url: string, init: RequestInit, response: Response): Promise<void> {
  await compareExchange(url, init, response).catch((error: unknown) => {
    violations.push(String(error))
    throw error
  })
}

async function compareExchange(url: string, init: RequestInit, response: Response): Promise<void> {
  const path = new URL(url).pathname
    .replace(/^\/(checkout\/)?v7[12]/, '')
    .replace(/^\/payments\/[A-Z0-9]{16}\//, '/payments/{paymentPspReference}/')
    .replace(/^\/storedPaymentMethods\/.+/, '/storedPaymentMethods/{storedPaymentMethodId}')
  const known = documentOf('adyen-checkout-v71').paths?.[path]
  if (init.method === 'DELETE') {
    if (!known?.delete?.responses[response.status] && response.ok) {
      throw new Error(`the published contract has no answer ${response.status} to DELETE ${path}`)
    }
    return
  }
  // The contract names no errors of requests about tokens.
  if (path === '/storedPaymentMethods' && !response.ok) return
  const operation = known?.post
  if (!operation) throw new Error(`the published contract has no POST ${path}`)
  const answer = operation.responses[String(response.status)]
  if (!answer) throw new Error(`the published contract has no answer ${response.status} to POST ${path}`)
  // A request that Adyen refuses for its form need not be valid.
  if (response.status < 300) {
    validate('adyen-checkout-v71', refOf(operation.requestBody), JSON.parse(String(init.body)))
    compared.requests++
  }
  validate('adyen-checkout-v71', refOf(answer), await response.clone().json())
  compared.answers++
}

/** Checks each item by the schema of its event. The schemas close `additionalData`, against Adyen's own examples. */
export function checkWebhook(body: string): void {
  const message = JSON.parse(body) as {
    notificationItems: { NotificationRequestItem: { eventCode: string } }[]
  }
  for (const item of message.notificationItems) {
    const { eventCode } = item.NotificationRequestItem
    const operation = documentOf('adyen-webhooks-v1').webhooks?.[`/${eventCode}`]?.post
    if (!operation) throw new Error(`the published contract has no webhook ${eventCode}`)
    validate('adyen-webhooks-v1', refOf(operation.requestBody), { live: 'false', notificationItems: [item] })
    compared.webhooks++
  }
}

function refOf(content: Content | undefined): string {
  return content?.content?.['application/json']?.schema.$ref ?? ''
}

function validate(name: string, ref: string, value: unknown): void {
  const id = `${name}${ref}`
  const found = validators.get(id) ?? ajv.compile({ $ref: id })
  validators.set(id, found)
  if (!found(value)) throw new Error(`${id}: ${ajv.errorsText(found.errors)} in ${JSON.stringify(value)}`)
}

function documentOf(name: string): Document {
  const known = documents.get(name)
  if (known) return known
  const document = JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')) as Document
  ajv.addSchema(document, name)
  documents.set(name, document)
  return document
}
