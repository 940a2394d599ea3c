// Writes the operations and types of the client into client/src/generated: node tools/client.ts
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeApi, type OpenApiDocument, type OperationObject } from '#platform/reference/openapi.ts'
import { OPERATIONS } from '#testing/operations.ts'
import { type ClientName, camel, clientNameOf } from './client-names.ts'
import { comment, createWriter, nameIn, type Schema } from './type-text.ts'

export const FOLDER = 'client/src/generated'

const HEAD = '// Made by tools/client.ts. Do not edit.\n\n'
/** Words that no function can be declared with. As names of exports they are allowed. */
const RESERVED: ReadonlySet<string> = new Set(['delete', 'export', 'void'])

type Described = {
  readonly name: ClientName
  readonly verb: string
  readonly path: string
  readonly operation: OperationObject
}

type Parameter = { readonly name: string; readonly type: string; readonly isRequired: boolean }

const document = describeApi(OPERATIONS, { publicUrl: 'http://localhost', version: '' })
const writer = createWriter({ refer: (name) => `T.${name}`, isCommented: true })

if (import.meta.main) writeClient()

export function writeClient(): void {
  for (const file of globSync(`${FOLDER}/**/*.ts`)) rmSync(file)
  for (const [file, text] of clientFiles()) {
    mkdirSync(dirname(`${FOLDER}/${file}`), { recursive: true })
    writeFileSync(`${FOLDER}/${file}`, text)
  }
}

/** The text of every generated file, by its name. */
export function clientFiles(): ReadonlyMap<string, string> {
  const operations = describedOperations()
  const files = new Map([['types.ts', typesFile(operations)]])
  for (const place of placesOf(operations))
    files.set(`${place.join('/')}.ts`, operationsFile(place, operations))
  const tops = placesOf(operations).filter(({ length }) => length === 1)
  files.set('operations.ts', HEAD + tops.map(([name = '']) => reexport(name, `./${name}.ts`)).join(''))
  files.set('embed.ts', embedFile(operations))
  return files
}

/** All that a token can call. Operations for users of the dashboard, and those of sign-in, take none. */
function describedOperations(): Described[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      const isForUsers = operation.security.some((one) => 'sessionCookie' in one)
      if (isForUsers || path.startsWith('/auth/')) return []
      return [{ name: clientNameOf(operation.operationId, path), verb, path, operation }]
    }),
  )
}

/** Every place that has operations or other places. */
function placesOf(operations: readonly Described[]): string[][] {
  const all = operations.flatMap(({ name: { place } }) =>
    place.map((_word, end) => place.slice(0, end + 1).join('/')),
  )
  return [...new Set(all)].sort(byName).map((place) => place.split('/'))
}

function operationsFile(place: readonly string[], operations: readonly Described[]): string {
  const here = operations.filter(({ name }) => name.place.join('/') === place.join('/'))
  const below = placesOf(operations).filter(
    (other) => other.length === place.length + 1 && other.slice(0, -1).join('/') === place.join('/'),
  )
  const up = '../'.repeat(place.length)
  const functions = here.map(functionOf).join('\n')
  const renamed = here
    .filter(({ name }) => RESERVED.has(name.method))
    .map(({ name: { method } }) => `${method}_ as ${method}`)
  const types = [...new Set(functions.match(/\bT\.\w+/g) ?? [])].length > 0
  const isPath = /\bpath`/.test(functions)
  const imports = [
    here.length > 0 ? `import type { Connection, Options } from '${up}connect.ts'\n` : '',
    /: List</.test(functions) ? `import { type List, list as listOf } from '${up}list.ts'\n` : '',
    isPath ? `import { path } from '${up}path.ts'\n` : '',
    /\bsend\(/.test(functions) ? `import { send } from '${up}send.ts'\n` : '',
    types ? `import type * as T from '${'../'.repeat(place.length - 1) || './'}types.ts'\n` : '',
  ]
  const exports = [
    ...below.map((other) => reexport(other.at(-1) ?? '', `./${place.at(-1)}/${other.at(-1)}.ts`)),
    renamed.length > 0 ? `export { ${renamed.join(', ')} }\n` : '',
  ].join('')
  return [
    HEAD,
    imports.join(''),
    imports.join('') && '\n',
    exports,
    exports && functions && '\n',
    functions,
  ].join('')
}

function reexport(name: string, file: string): string {
  return `export * as ${camel(name)} from '${file}'\n`
}

function functionOf(described: Described): string {
  const { name, verb, path, operation } = described
  const isList = isListOf(described)
  const parameters = parametersOf(described)
  const has = (wanted: string) => parameters.some((one) => one.name === wanted)
  const given = parameters.map((one) => `  ${one.name}${one.isRequired ? '' : '?'}: ${one.type},\n`).join('')
  const answer = answerOf(operation)
  const route = path.replaceAll(/\{(\w+)\}/g, (_match, id: string) => `\${${camel(id)}}`)
  const address = route.includes('${') ? `path\`${route}\`` : `'${route}'`
  const wanted = [`method: '${verb.toUpperCase()}'`, `path: ${address}`, ...['query', 'body'].filter(has)]
  const body = isList
    ? `listOf(connection, ${address}, ${has('query') ? 'query' : 'undefined'}, options)`
    : `send(connection, { ${wanted.join(', ')} }, options)`
  const isReserved = RESERVED.has(name.method)
  const signature = (options: string, type: string) =>
    `${isReserved ? '' : 'export '}function ${name.method}${isReserved ? '_' : ''}(\n` +
    `  connection: Connection,\n${given}  ${options},\n): ${isList ? `List<${type}>` : `Promise<${type}>`}`
  return [
    comment([operation.summary, operation.description].filter((text) => text).join('\n\n')),
    ...choicesOf(operation).map((one) => `${signature(one.options, one.type)}\n`),
    `${signature('options?: Options', answer)} {\n  return ${body}\n}\n`,
  ].join('')
}

/** Of an operation with several answers, one signature for each. The first answer is that of a call that chooses none. */
function choicesOf({ parameters }: OperationObject): { options: string; type: string }[] {
  const prefer = parameters.find((one) => 'name' in one && one.name === 'Prefer')
  const text = prefer && 'description' in prefer ? (prefer.description ?? '') : ''
  const [plain, ...others] = [...text.matchAll(/`resource=([\w-]+)`/g)].map(([, value = '']) => value)
  if (plain === undefined) return []
  const typeOf = (value: string) => `T.${camel(`_${value}`)}`
  return [
    ...others.map((value) => ({
      options: `options: Options & { readonly prefer: 'resource=${value}' }`,
      type: typeOf(value),
    })),
    {
      options: `options?: Options & { readonly prefer?: 'resource=${plain}' }`,
      type: typeOf(plain),
    },
  ]
}

/** Ids in the order of the path, then what is required, then the rest. */
function parametersOf({ path, operation }: Described): Parameter[] {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => ({
    name: camel(id),
    type: 'string',
    isRequired: true,
  }))
  const body = operation.requestBody
  const query = queryOf(operation)
  const others: Parameter[] = []
  if (body) {
    const type = writer.typeOf(body.content['application/json'].schema as Schema, '')
    others.push({ name: 'body', type, isRequired: body.required })
  }
  if (query) {
    others.push({ name: 'query', type: `T.${queryName(operation)}`, isRequired: query.required.length > 0 })
  }
  return [...ids, ...others.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))]
}

function queryOf({
  parameters,
}: OperationObject): { properties: Record<string, Schema>; required: string[] } | undefined {
  const found = parameters
    .map((one) => ('$ref' in one ? document.components.parameters[nameIn(one.$ref)] : one))
    .filter((one) => one?.in === 'query')
  if (found.length === 0) return undefined
  return {
    properties: Object.fromEntries(
      found.map((one) => [one?.name ?? '', { ...(one?.schema as Schema), description: one?.description }]),
    ),
    required: found.flatMap((one) => (one?.required ? [one.name] : [])),
  }
}

function queryName({ operationId }: OperationObject): string {
  return `${camel(`_${operationId}`)}Query`
}

function answerOf({ responses }: OperationObject): string {
  const answers = Object.entries(responses).flatMap(([status, answer]) => {
    if (!status.startsWith('2')) return []
    const content = 'content' in answer ? answer.content?.['application/json']?.schema : undefined
    return [content ? writer.typeOf(content as Schema, '') : 'undefined']
  })
  return [...new Set(answers)].join(' | ')
}

/** Whether the answer is a page of a list, also of one that comes whole. */
function isListOf({ verb, operation }: Described): boolean {
  if (verb !== 'get') return false
  const answer = operation.responses['200']
  const schema =
    answer && 'content' in answer ? (answer.content?.['application/json']?.schema as Schema) : undefined
  const named =
    typeof schema?.['$ref'] === 'string' ? document.components.schemas[nameIn(schema['$ref'])] : undefined
  return named?.properties?.['items']?.type === 'array'
}

/** Within the file of types, the names need no prefix. */
function typesFile(operations: readonly Described[]): string {
  const plain = createWriter({ refer: (name) => name, isCommented: true })
  const schemas = reachable(document, operations).map(([name, schema]) => {
    const text = plain.typeOf(schema, '')
    return `${comment(schema['description'])}export type ${name} = ${text}\n`
  })
  const queries = operations.flatMap(({ operation }) => {
    const query = queryOf(operation)
    return query ? [`export type ${queryName(operation)} = ${plain.objectOf(query, '')}\n`] : []
  })
  return HEAD + [...schemas, ...queries].join('\n')
}

/** The schemas that these operations use, with all that those refer to. */
function reachable({ components }: OpenApiDocument, operations: readonly Described[]): [string, Schema][] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(components.schemas[name])
    }
  }
  for (const { operation } of operations) {
    visit(operation.requestBody)
    visit(operation.parameters)
    for (const [status, answer] of Object.entries(operation.responses))
      if (status.startsWith('2')) visit(answer)
  }
  return Object.entries(components.schemas).filter(([name]) => found.has(name)) as [string, Schema][]
}

/** What a page may call: with a browser token, or without any token. */
function embedFile(operations: readonly Described[]): string {
  const forPages = operations.filter(
    ({ operation }) =>
      operation.security.length === 0 || operation['x-scopes'].some((one) => one[0] === 'embed'),
  )
  const tops = [...new Set(forPages.map(({ name }) => name.place[0] ?? ''))].sort(byName)
  const imports = tops.map((top) => `import * as ${camel(top)} from './${top}.ts'\n`).join('')
  return `${HEAD}${imports}\nexport const EMBED = ${treeOf(forPages, [])}\n`
}

function treeOf(operations: readonly Described[], place: readonly string[]): string {
  const pad = '  '.repeat(place.length + 1)
  const inside = operations.filter(({ name }) => place.every((word, index) => name.place[index] === word))
  const words = [...new Set(inside.flatMap(({ name }) => name.place[place.length] ?? []))].sort(byName)
  const here = inside.filter(({ name }) => name.place.length === place.length)
  const lines = [
    ...here.map(({ name }) => `${name.method}: ${[...place.map(camel), name.method].join('.')}`),
    ...words.map((word) => `${camel(word)}: ${treeOf(operations, [...place, word])}`),
  ]
  return `{\n${lines.map((line) => `${pad}${line},\n`).join('')}${'  '.repeat(place.length)}}`
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1
}
