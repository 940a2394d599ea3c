import { execFileSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { type Example, examplesFor } from './examples.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Listed } from './site.ts'

type Sent = { method: string; url: string; headers: Record<string, string>; body: unknown }

let service: TestService
let document: OpenApiDocument
let entries: Listed[]
beforeAll(async () => {
  service = await startTestService()
  document = (await service.app.inject('/openapi.json')).json()
  entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ verb, path, operation })),
  )
})
afterAll(() => service.close())

// That the service accepts these bodies is shown by every-operation.test.ts, which sends them.
test('every curl command sends the documented body, with a token and, for a POST, an idempotency key', () => {
  const script = [
    // It prints its arguments instead of sending a request.
    `curl() { printf '%s\\0' "$@"; printf '\\1'; }`,
    'uuidgen() { echo "the-key"; }',
    ...entries.map((entry) => exampleIn('shell', entry).replace('bin/switchyard token', 'echo the-token')),
  ].join('\n')

  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' })

  const sent = printed
    .split('\u0001')
    .slice(0, -1)
    .map((args) => readCurl(args.split('\0').slice(0, -1)))
  expect(sent).toEqual(entries.map(expected))
})

test('every TypeScript example sends the same request', async () => {
  for (const entry of entries) {
    const sent: Sent[] = []
    const code = stripTypeScriptTypes(exampleIn('typescript', entry))
    const run = new Function('fetch', 'crypto', 'process', 'console', `return (async () => {\n${code}\n})()`)

    await run(
      (url: string, { method = 'GET', headers = {}, body }: RequestInit = {}) => {
        sent.push({
          method,
          url,
          headers: headers as Record<string, string>,
          ...{ body: body === undefined ? undefined : JSON.parse(String(body)) },
        })
        return { ok: true, text: async () => '' }
      },
      { randomUUID: () => 'the-key' },
      { env: { TOKEN: 'the-token' } },
      { log: () => {} },
    )

    expect(sent, entry.operation.operationId).toEqual([expected(entry)])
  }
})

test('every Python example names the same request', () => {
  for (const entry of entries) {
    const { method, url, headers, body } = expected(entry)
    const code = exampleIn('python', entry)

    const [, call, json] =
      /requests\.(\w+)\(\n {4}"[^"]+",[\s\S]*?(?: {4}json=([\s\S]*),\n)? {4}timeout=30,\n\)\n/.exec(code) ??
      []
    expect(call, entry.operation.operationId).toBe(method.toLowerCase())
    expect(code).toContain(`    "${url}",\n`)
    expect(code.includes(`f"Bearer {os.environ['TOKEN']}"`)).toBe('Authorization' in headers)
    expect(code.includes('str(uuid.uuid4())')).toBe('Idempotency-Key' in headers)
    expect(json === undefined ? undefined : readPython(json), code).toEqual(body)
  }
})

function exampleIn(language: string, entry: Listed): string {
  const found = examplesFor(document, entry).find((example: Example) => example.language === language)
  return found?.text ?? ''
}

function expected({ verb, path, operation }: Listed): Sent {
  const examples = new Map(
    operation.parameters.flatMap((parameter) =>
      'name' in parameter
        ? [
            [
              parameter.name,
              parameter.example ?? parameter.schema.examples?.[0] ?? parameter.schema.enum?.[0],
            ],
          ]
        : [],
    ),
  )
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name) =>
    encodeURIComponent(String(examples.get(name))),
  )
  const required = operation.parameters.filter(
    (parameter) => 'in' in parameter && parameter.in === 'query' && parameter.required,
  )
  const query = required.map((parameter) =>
    'name' in parameter ? [parameter.name, String(examples.get(parameter.name))] : [],
  )
  const body = operation.requestBody?.content['application/json'].example
  return {
    method: verb.toUpperCase(),
    url: `http://127.0.0.1:3000${filled}${query.length > 0 ? `?${new URLSearchParams(query as [string, string][])}` : ''}`,
    headers: {
      ...(operation.security.some((scheme) => 'bearerAuth' in scheme) && {
        Authorization: 'Bearer the-token',
      }),
      // Signing in takes none: openapi.test.ts knows which operations do.
      ...(verb === 'post' && isKeyed(operation) && { 'Idempotency-Key': 'the-key' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  }
}

function isKeyed({ parameters }: Listed['operation']): boolean {
  return JSON.stringify(parameters).includes('Idempotency')
}

function readCurl(args: readonly string[]): Sent {
  const sent: Sent = { method: 'GET', url: '', headers: {}, body: undefined }
  for (let at = 0; at < args.length; at += 1) {
    const value = args[at + 1] ?? ''
    if (args[at] === '-X') sent.method = value
    else if (args[at] === '-d') sent.body = JSON.parse(value)
    else if (args[at] === '-H') {
      const [name = '', ...rest] = value.split(': ')
      sent.headers[name] = rest.join(': ')
    } else {
      sent.url = args[at] ?? ''
      continue
    }
    at += 1
  }
  return sent
}

/** Literals of Python are those of JSON but for three words and commas at the end. */
function readPython(text: string): unknown {
  const words: Record<string, string> = { True: 'true', False: 'false', None: 'null' }
  const json = text.replaceAll(
    /("(?:[^"\\]|\\.)*")|\b(True|False|None)\b|,(\s*[}\]])/g,
    (_whole, string, word, end) => {
      return string ?? end ?? words[word]
    },
  )
  return JSON.parse(json)
}
