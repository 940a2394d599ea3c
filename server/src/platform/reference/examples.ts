import type { OpenApiDocument, OperationObject, Parameter } from './openapi.ts'
import type { Listed } from './site.ts'

/** A request to try, with the examples of the document. */
type ExampleRequest = {
  readonly method: string
  readonly url: string
  readonly hasToken: boolean
  readonly hasKey: boolean
  readonly body: unknown
}

export type Example = { readonly language: string; readonly label: string; readonly text: string }

/** The same request in each language. A `POST` has an idempotency key, so that it can be retried. */
export function examplesFor(document: OpenApiDocument, entry: Listed): Example[] {
  const request = requestFor(document, entry)
  return [
    { language: 'shell', label: 'curl', text: curl(request) },
    { language: 'typescript', label: 'TypeScript', text: typescript(request) },
    { language: 'python', label: 'Python', text: python(request) },
  ]
}

function requestFor(document: OpenApiDocument, { verb, path, operation }: Listed): ExampleRequest {
  const parameters = parametersOf(document, operation.parameters)
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const found = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)
    const example = found && exampleValue(found)
    return example === undefined ? whole : encodeURIComponent(String(example))
  })
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter): [string, string] => [parameter.name, String(exampleValue(parameter) ?? '')])
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  return {
    method: verb.toUpperCase(),
    url: `${document.servers[0]?.url ?? ''}${filled}${search}`,
    hasToken: operation.security.some((scheme) => 'bearerAuth' in scheme),
    hasKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: operation.requestBody?.content['application/json'].example,
  }
}

export function parametersOf(
  { components }: OpenApiDocument,
  parameters: OperationObject['parameters'],
): Parameter[] {
  return parameters.flatMap((parameter) => {
    if (!('$ref' in parameter)) return [parameter]
    return components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []
  })
}

function exampleValue({ example, schema }: Parameter): unknown {
  return example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.const
}

/** A command that works unchanged in the checkout of the running service. */
function curl({ method, url, hasToken, hasKey, body }: ExampleRequest): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $(bin/switchyard token)"'] : []),
    ...(hasKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** In a shell, only a single quote has a meaning between single quotes. */
function quote(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function typescript({ method, url, hasToken, hasKey, body }: ExampleRequest): string {
  const headers = [
    ...(hasToken ? ["Authorization: 'Bearer ' + process.env.TOKEN,"] : []),
    ...(hasKey ? ["'Idempotency-Key': crypto.randomUUID(), // the same one for a retry"] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((line) => `    ${line}`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${typescriptValue(body, '  ')}),`]),
  ]
  return [
    options.length === 0
      ? `const response = await fetch(${typescriptValue(url, '')})`
      : [`const response = await fetch(${typescriptValue(url, '')}, {`, ...options, '})'].join('\n'),
    'if (!response.ok) throw new Error(await response.text())',
    'console.log(await response.text())',
  ].join('\n')
}

function typescriptValue(value: unknown, indent: string): string {
  return literal(value, indent, {
    step: '  ',
    word: (word) => String(word),
    text: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
    key: (name) => (/^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' ? name : undefined),
  })
}

function python({ method, url, hasToken, hasKey, body }: ExampleRequest): string {
  const headers = [
    ...(hasToken ? [`"Authorization": f"Bearer {os.environ['TOKEN']}",`] : []),
    ...(hasKey ? ['"Idempotency-Key": str(uuid.uuid4()),  # the same one for a retry'] : []),
  ]
  return [
    ...(hasToken ? ['import os'] : []),
    ...(hasKey ? ['import uuid'] : []),
    ...(hasToken || hasKey ? [''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${pythonValue(url, '')},`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((line) => `        ${line}`), '    },']),
    ...(body === undefined ? [] : [`    json=${pythonValue(body, '    ')},`]),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n')
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

function pythonValue(value: unknown, indent: string): string {
  return literal(value, indent, {
    step: '    ',
    word: (word) => PYTHON_WORDS[String(word)] ?? String(word),
    text: (text) => JSON.stringify(text),
    key: () => undefined,
  })
}

type Dialect = {
  readonly step: string
  readonly word: (word: unknown) => string
  readonly text: (text: string) => string
  /** A key that needs no quotes. */
  readonly key: (name: string) => string | undefined
}

/** A JSON value in the words of a language. */
function literal(value: unknown, indent: string, dialect: Dialect): string {
  if (typeof value === 'string') return dialect.text(value)
  if (value === null || typeof value !== 'object') return dialect.word(value)
  const inner = indent + dialect.step
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, inner, dialect))
    : Object.entries(value).map(
        ([name, item]) => `${dialect.key(name) ?? dialect.text(name)}: ${literal(item, inner, dialect)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}
