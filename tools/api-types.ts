// Writes the types of the API that the pages call into web/api/schema.d.ts, the shapes of routing rules, and the client: node
// tools/api-types.ts
import { writeFileSync } from 'node:fs'
import { describeApi, type OpenApiDocument, type OperationObject } from '#platform/reference/openapi.ts'
import { OPERATIONS } from '#testing/operations.ts'
import { writeClient } from './client.ts'
import { flowShapes, SHAPES_FILE } from './flow-shapes.ts'
import { createWriter, key, nameIn, type Schema } from './type-text.ts'

export const FILE = 'web/api/schema.d.ts'

const { typeOf, objectOf } = createWriter({
  refer: (name) => `Schemas[${JSON.stringify(name)}]`,
  isCommented: false,
})

if (import.meta.main) {
  writeFileSync(FILE, apiTypes())
  writeFileSync(SHAPES_FILE, flowShapes())
  writeClient()
}

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
