import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { fetchDirectly as fetch } from './fetch.ts'

const servers: (Server | NetServer)[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(server: Server | NetServer): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const serve = (listener: RequestListener) => listen(createServer(listener))

async function read(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Answers with what it was asked. */
async function mirror(request: IncomingMessage): Promise<string> {
  const { method, url, headers } = request
  return JSON.stringify({ method, url, headers, body: await read(request) })
}

async function mirrored(init?: RequestInit) {
  const url = await serve(async (request, response) => response.end(await mirror(request)))
  return JSON.parse(await read((await fetch(`${url}/a?b=c`, init)).body))
}

test('asks as `fetch` does', async () => {
  expect(await mirrored()).toMatchObject({
    method: 'GET',
    url: '/a?b=c',
    headers: { accept: '*/*', 'user-agent': 'Switchyard' },
    body: '',
  })
})

test.each<[string, RequestInit['body'], RegExp | undefined, string]>([
  ['a text', '{"é":1}', undefined, '{"é":1}'],
  ['bytes', Buffer.from('bytes'), undefined, 'bytes'],
  ['a form', new URLSearchParams({ a: '1 2' }), /^application\/x-www-form-urlencoded/, 'a=1+2'],
])('sends %s', async (_what, body, contentType, text) => {
  const asked = await mirrored({
    method: 'POST',
    body: body ?? null,
    headers: new Headers({ Accept: 'text/csv' }),
  })

  expect(asked).toMatchObject({ method: 'POST', body: text, headers: { accept: 'text/csv' } })
  expect(asked.headers['content-length']).toBe(String(Buffer.byteLength(text)))
  if (contentType) expect(asked.headers['content-type']).toMatch(contentType)
  else expect(asked.headers['content-type']).toBeUndefined()
})

test('sends a form with files, and its own content type goes first', async () => {
  const form = new FormData()
  form.set('file', new Blob(['content']), 'a.txt')

  const asked = await mirrored({ method: 'POST', body: form })
  const own = await mirrored({ method: 'POST', body: form, headers: { 'content-type': 'text/own' } })

  expect(asked.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(asked.body).toContain('filename="a.txt"')
  expect(own.headers['content-type']).toBe('text/own')
})

test('hands on status, words and headers, also repeated ones', async () => {
  const url = await serve((_request, response) =>
    response.writeHead(422, 'Not So', { 'x-a': '1', 'set-cookie': ['b=1', 'c=2'] }).end('no'),
  )

  const { status, statusText, headers, body } = await fetch(url)

  expect([status, statusText, headers.get('x-a')]).toEqual([422, 'Not So', '1'])
  expect(headers.getSetCookie()).toEqual(['b=1', 'c=2'])
  expect(await read(body)).toBe('no')
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('unpacks %s', async (encoding, pack) => {
  const text = 'unpacked '.repeat(10_000)
  const url = await serve((_request, response) =>
    response.setHeader('content-encoding', encoding).end(pack(Buffer.from(text))),
  )

  expect(await read((await fetch(url)).body)).toBe(text)
})

test.each(['constructor', '__proto__', 'identity', 'gzip, br'])(
  'hands on an answer as it came if its packing is unknown: %s',
  async (encoding) => {
    const url = await serve((_request, response) =>
      response.setHeader('content-encoding', encoding).end('as it came'),
    )

    expect(await read((await fetch(url)).body)).toBe('as it came')
  },
)

test('a packed answer that is cut or broken ends with an error', async () => {
  const packed = gzipSync(Buffer.from('whole '.repeat(1_000)))
  const url = await serve((request, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(request.url === '/cut' ? packed.subarray(0, -10) : 'no gzip')
  })

  await expect(fetch(`${url}/cut`).then(({ body }) => read(body))).rejects.toThrow()
  await expect(fetch(`${url}/broken`).then(({ body }) => read(body))).rejects.toThrow()
})

test('an answer that breaks off ends with an error', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half')
    setTimeout(() => response.destroy(), 20)
  })

  await expect(fetch(url).then(({ body }) => read(body))).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
  let asked = 0
  const url = await serve((_request, response) => {
    asked += 1
    response.writeHead(status, { location: '/elsewhere' }).end()
  })

  await expect(fetch(url)).rejects.toThrow(`the answer is a redirect (${status})`)
  expect(asked).toBe(1)
})

test.each([
  ['GET', 204],
  ['GET', 304],
  ['HEAD', 200],
])('an answer without a body has none: %s %i', async (method, status) => {
  const url = await serve((_request, response) => response.writeHead(status).end())

  expect(await fetch(url, { method })).toMatchObject({ status, body: null })
})

test('a connection is used again once an answer was read, and not after one that was left', async () => {
  const ports: (number | undefined)[] = []
  const url = await serve(({ url: path, socket }, response) => {
    ports.push(socket.remotePort)
    response.write('x')
    if (path !== '/endless') response.end()
  })

  for (const path of ['/', '/', '/endless', '/']) {
    const { body } = await fetch(url + path)
    if (path !== '/endless') await read(body)
    else for await (const _chunk of body ?? []) break
  }

  expect(ports[1]).toBe(ports[0])
  expect(ports[2]).toBe(ports[0])
  expect(ports[3]).not.toBe(ports[0])
})

test('ends with its signal: before, while it waits, and while it reads', async () => {
  const waits = Promise.withResolvers<void>()
  const url = await serve(({ url: path }, response) => {
    if (path === '/waits') return waits.resolve()
    response.write('x')
  })
  const reason = new Error('enough')
  const waiting = new AbortController()
  const reading = new AbortController()

  await expect(fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const asked = fetch(`${url}/waits`, { signal: waiting.signal })
  await waits.promise
  waiting.abort(reason)
  await expect(asked).rejects.toBe(reason)
  const { body } = await fetch(url, { signal: reading.signal })
  setTimeout(() => reading.abort(reason), 20)
  await expect(read(body)).rejects.toThrow()
})

test('no connection is an error with the code of the system', async () => {
  const url = await serve(() => {})
  const [server] = servers.splice(0)
  await new Promise((resolve) => server?.close(resolve))

  await expect(fetch(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await expect(fetch('no url')).rejects.toThrow('Invalid URL')
})

test.each([
  ['hangs up', ''],
  ['speaks no HTTP', 'SSH-2.0\r\n'],
  ['switches the protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
])('a server that %s gives an error', async (_how, said) => {
  const url = await listen(
    createNetServer((socket) => socket.once('data', () => socket.end(said)).on('error', () => {})),
  )

  await expect(fetch(url)).rejects.toThrow()
})

test('uses a proxy if the environment says so', async () => {
  const proxy = await serve((request, response) => response.end(`by proxy: ${request.url}`))
  const program = `
    import { fetchDirectly } from ${JSON.stringify(`${import.meta.dirname}/fetch.ts`)}
    const { body } = await fetchDirectly('http://provider.example/a')
    for await (const chunk of body) console.log(String(chunk))`
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy }

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  })

  expect(stdout).toBe('by proxy: http://provider.example/a\n')
})
