// Writes the types of the API that the pages call into web/api/schema.d.ts: node tools/api-types.ts
import { writeFileSync } from 'node:fs'
import { describeApi, type OpenApiDocument, type OperationObject } from '#platform/reference/openapi.ts'
import { OPERATIONS } from '#testing/operations.ts'

export const FILE = 'web/api/schema.d.ts'

type Schema = Readonly<Record<string, unknown>>

const WORDS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

if (import.meta.main) writeFileSync(FILE, apiTypes())

/** Schemas by name, and what each operation takes and answers. Without descriptions: those are at /docs. */
export function apiTypes(): string {
  const document = describeApi(OPERATIONS, { publicUrl: 'http://localhost', version: '' })
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `  ${key(name)}: ${typeOf(schema as Schema, '  ')}\n`,
  )
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(
      ([verb, operation]) => `  ${key(`${verb.toUpperCase()} ${path}`)}: ${describe(document, operation)}\n`,
    ),
  )
  return [
    '// Made by tools/api-types.ts. Do not edit.\n\n',
    `export type Schemas = {\n${schemas.join('')}}\n\n`,
    `export type Operations = {\n${operations.join('')}}\n`,
  ].join('')
}

function describe({ components }: OpenApiDocument, operation: OperationObject): string {
  const parameters = operation.parameters.map((one) =>
    '$ref' in one ? components.parameters[nameIn(one.$ref)] : one,
  )
  const group = (place: string) => {
    const properties = parameters.flatMap((one) =>
      one?.in === place ? [[one.name, one.schema as Schema] as const] : [],
    )
    const required = parameters.flatMap((one) => (one?.in === place && one.required ? [one.name] : []))
    return objectOf({ properties: Object.fromEntries(properties), required }, '    ')
  }
  const answers = Object.entries(operation.responses).flatMap(([status, answer]) => {
    if (!status.startsWith('2')) return []
    const content = 'content' in answer ? answer.content?.['application/json']?.schema : undefined
    return [content ? typeOf(content as Schema, '    ') : 'undefined']
  })
  const body = operation.requestBody?.content['application/json'].schema
  const lines = [
    `path: ${group('path')}`,
    `query: ${group('query')}`,
    ...(body ? [`body: ${typeOf(body as Schema, '    ')}`] : []),
    `answer: ${[...new Set(answers)].join(' | ')}`,
  ]
  return `{\n${lines.map((line) => `    ${line}\n`).join('')}  }`
}

function typeOf(schema: Schema, pad: string): string {
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return `Schemas[${JSON.stringify(nameIn($ref))}]`
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return join(choices, ' | ', pad)
  if (Array.isArray(allOf)) return join(allOf, ' & ', pad)
  if (Array.isArray(type))
    return join(
      type.map((one) => ({ ...schema, type: one })),
      ' | ',
      pad,
    )
  if (type === 'array') return `${group(typeOf((schema['items'] ?? {}) as Schema, pad))}[]`
  if (type === 'object' || schema['properties'] !== undefined) return objectOf(schema, pad)
  return WORDS[String(type)] ?? 'unknown'
}

function join(schemas: readonly Schema[], sign: string, pad: string): string {
  return [...new Set(schemas.map((one) => group(typeOf(one, pad))))].join(sign)
}

function group(text: string): string {
  return / [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text
}

function objectOf(schema: Schema, pad: string): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const required = new Set((schema['required'] ?? []) as string[])
  const inner = `${pad}  `
  const lines = properties.map(
    ([name, value]) => `${inner}${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(value, inner)}\n`,
  )
  const others = schema['additionalProperties']
  if (typeof others === 'object' && others !== null && lines.length === 0)
    return `Record<string, ${typeOf(others as Schema, inner)}>`
  if (lines.length === 0) return others === undefined || others === true ? 'Record<string, unknown>' : '{}'
  return `{\n${lines.join('')}${pad}}`
}

function key(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}
