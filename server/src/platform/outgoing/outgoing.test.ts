import { execFile } from 'node:child_process'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { hostileUrls, REFUSED_ADDRESSES } from '#testing/hostile-urls.ts'
import { selfSigned } from '#testing/self-signed.ts'
import {
  createOutgoing,
  type LookUp,
  type Outgoing,
  OutgoingError,
  type OutgoingRequest,
} from './outgoing.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

const undo: (() => unknown)[] = []

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

describe('an internal address', () => {
  test.each(hostileUrls(1))('is refused before anything is sent: %j', async (url) => {
    const outgoing = open({ allowCidrs: [], lookup: resolving(['127.0.0.1']) })

    expect(outgoing.complaintAbout(url)).toMatch(/^value /)
    await expect(send(outgoing, { url })).rejects.toMatchObject({ outcome: 'address_refused' })
  })

  test('is never connected to', async () => {
    const canary = await listen(createNetServer(), '::')
    const outgoing = open({ allowCidrs: [], lookup: resolving(['127.0.0.1', '::1']) })
    const urls = [...hostileUrls(canary.port), canary.url('shop.example')]

    const results = await Promise.allSettled(urls.map((url) => send(outgoing, { url })))

    expect(urls.length).toBeGreaterThan(60)
    expect(results.map(({ status }) => status)).toEqual(urls.map(() => 'rejected'))
    expect(canary.connections()).toBe(0)
  })

  test.each(REFUSED_ADDRESSES)('is refused when a name leads to it: %s', async (address) => {
    const outgoing = open({ allowCidrs: [], lookup: resolving([address]) })

    const sending = send(outgoing, { url: 'http://shop.example/hook' })

    await expect(sending).rejects.toMatchObject({ outcome: 'address_refused' })
    expect(outgoing.complaintAbout('http://shop.example/hook')).toBeUndefined()
  })

  test('is left out if a name has other addresses, too', async () => {
    const receiver = await answering((_, response) => response.end('taken'))
    const outgoing = open({ allowCidrs: ['127.0.0.1/32'], lookup: resolving(['0.0.0.0', '::', '127.0.0.1']) })

    const answer = await send(outgoing, { url: receiver.url('shop.example') })

    expect(answer.body).toBe('taken')
    expect(receiver.connections()).toBe(1)
  })

  test('is found by the look-up that the connection uses', async () => {
    const receiver = await answering((_, response) => response.setHeader('connection', 'close').end())
    // Connecting to 0.0.0.0 would reach the receiver, too.
    const outgoing = open({ allowCidrs: ['127.0.0.1/32'], lookup: resolving(['127.0.0.1'], ['0.0.0.0']) })
    const url = receiver.url('rebinding.example')
    await send(outgoing, { url })

    await expect(send(outgoing, { url })).rejects.toMatchObject({ outcome: 'address_refused' })

    expect(receiver.connections()).toBe(1)
  })

  test('is refused for calls of connectors, too', async () => {
    const receiver = await answering((_, response) => response.setHeader('connection', 'close').end('taken'))
    const outgoing = open({ allowCidrs: ['127.0.0.1/32'], lookup: resolving(['127.0.0.1'], ['0.0.0.0']) })
    const refused = { outcome: 'address_refused' }

    expect(await outgoing.fetch(receiver.url('shop.example'))).toMatchObject({ status: 200 })
    await expect(outgoing.fetch(receiver.url('shop.example'))).rejects.toMatchObject(refused)
    await expect(outgoing.fetch('http://10.0.0.1/a')).rejects.toMatchObject(refused)
    expect(await outgoing.fetch(receiver.url())).toMatchObject({ status: 200 })
    expect(receiver.connections()).toBe(2)
  })

  test('can be allowed, by its address and by a local name', async () => {
    const receiver = await answering((_, response) => response.end('taken'))
    const outgoing = open({ allowCidrs: LOOPBACK })

    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']) {
      expect(outgoing.complaintAbout(receiver.url(host))).toBeUndefined()
      expect(await send(outgoing, { url: receiver.url(host) })).toMatchObject({ status: 200, body: 'taken' })
    }
  })
})

describe('a URL', () => {
  test('without encryption is accepted only if it is allowed', () => {
    const strict = createOutgoing({ isHttpAllowed: false, allowCidrs: [] })

    expect(strict.complaintAbout('http://shop.example/')).toBe('value does not begin with https://')
    expect(strict.complaintAbout('HTTPS://shop.example:8443/hook?a=b#c')).toBeUndefined()
  })

  test('can have 2048 characters', () => {
    const outgoing = open({ allowCidrs: [] })

    expect(outgoing.complaintAbout(`https://shop.example/${'a'.repeat(2027)}`)).toBeUndefined()
    expect(outgoing.complaintAbout(`https://shop.example/${'a'.repeat(2028)}`)).toBe(
      'value has more than 2048 characters',
    )
  })
})

describe('a request', () => {
  test('arrives unchanged', async () => {
    const seen: unknown[] = []
    const receiver = await answering(async (request, response) => {
      const body = (await request.toArray()).join('')
      const { host, 'content-length': length, 'x-mark': mark } = request.headers
      seen.push({ method: request.method, url: request.url, host, length, mark, body })
      response.statusCode = 204
      response.end()
    })
    const outgoing = open()

    const headers = { 'x-mark': '1' }
    const answer = await send(outgoing, { url: `${receiver.url()}?a=1#part`, headers, body: '{"é":1}' })
    await send(outgoing, { url: receiver.url(), method: 'GET', body: '' })

    const host = `127.0.0.1:${receiver.port}`
    expect(answer).toMatchObject({ status: 204, body: '', isCut: false })
    expect(seen).toEqual([
      { method: 'POST', url: '/hook?a=1', host, length: '8', mark: '1', body: '{"é":1}' },
      { method: 'GET', url: '/hook', host, length: undefined, mark: undefined, body: '' },
    ])
    expect(receiver.connections()).toBe(1)
  })

  test('follows no redirect', async () => {
    const elsewhere = await answering((_, response) => response.end())
    const receiver = await answering((_, response) =>
      response.writeHead(301, { location: elsewhere.url() }).end(),
    )

    const answer = await send(open(), { url: receiver.url() })

    expect(answer).toMatchObject({ status: 301, headers: { location: elsewhere.url() } })
    expect(elsewhere.connections()).toBe(0)
  })

  test('is sent again when a kept connection turns out to be closed', async () => {
    let requests = 0
    const receiver = await answering((request, response) => {
      requests += 1
      // The second request uses the connection of the first, which the server has closed.
      if (requests === 2) request.socket.destroy()
      else response.end(`answer ${requests}`)
    })
    const outgoing = open()
    await send(outgoing, { url: receiver.url() })

    const answer = await send(outgoing, { url: receiver.url() })

    expect(answer.body).toBe('answer 3')
    expect(receiver.connections()).toBe(2)
  })

  test('leaves no listeners on its connection', async () => {
    const receiver = await answering((_, response) => response.end())
    const outgoing = open()
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    undo.push(() => process.off('warning', warn))

    for (let count = 0; count < 30; count += 1) await send(outgoing, { url: receiver.url() })

    await new Promise(setImmediate)
    expect(warnings).toEqual([])
    expect(receiver.connections()).toBe(1)
  })

  test('is sent once when a new connection is cut', async () => {
    const receiver = await answering((request) => request.socket.destroy())

    const sending = send(open(), { url: receiver.url() })

    await expect(sending).rejects.toMatchObject({ outcome: 'answer_broken' })
    expect(receiver.connections()).toBe(1)
  })

  test('ends when its signal is aborted', async () => {
    const receiver = await answering(() => {})
    const controller = new AbortController()
    const sending = send(open(), { url: receiver.url(), signal: controller.signal })

    controller.abort(new Error('stopping'))

    await expect(sending).rejects.toThrow('stopping')
    await expect(send(open(), { url: receiver.url(), signal: controller.signal })).rejects.toThrow('stopping')
  })

  test('uses no proxy', async () => {
    const proxy = await answering((_, response) => response.end('proxy'))
    const receiver = await answering((_, response) => response.end('receiver'))
    const program = `
      import { createOutgoing } from ${JSON.stringify(`${import.meta.dirname}/outgoing.ts`)}
      const outgoing = createOutgoing({ isHttpAllowed: true, allowCidrs: ['127.0.0.1'] })
      const options = { method: 'GET', headers: {}, body: '', deadlineMs: 5000, answerMaxBytes: 100 }
      const answer = await outgoing.send({ ...options, url: ${JSON.stringify(receiver.url())} })
      outgoing.close()
      console.log(answer.body)`
    const address = `http://127.0.0.1:${proxy.port}`
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, http_proxy: address }

    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env,
    })

    expect(stdout).toBe('receiver\n')
    expect(proxy.connections()).toBe(0)
  })
})

describe('an answer', () => {
  test('of 100 MB is read only up to its limit', async () => {
    let written = 0
    const receiver = await answering((_, response) => {
      writeForever(response, 100_000_000, (bytes) => {
        written += bytes
      })
    })

    const answer = await send(open(), { url: receiver.url(), answerMaxBytes: 20_000 })

    expect(answer).toMatchObject({ status: 200, isCut: true })
    expect(answer.body).toBe('x'.repeat(20_000))
    expect(written).toBeLessThan(50_000_000)
  })

  test('of exactly the limit is whole', async () => {
    const receiver = await answering((_, response) => response.end('x'.repeat(100)))

    expect(await send(open(), { url: receiver.url(), answerMaxBytes: 100 })).toMatchObject({ isCut: false })
  })

  test('that takes too long counts by its status', async () => {
    const receiver = await answering((_, response) => response.writeHead(202).write('begin'))

    const answer = await send(open(), { url: receiver.url(), deadlineMs: 200 })

    expect(answer).toMatchObject({ status: 202, body: 'begin', isCut: true })
  })

  test('that breaks off counts by its status', async () => {
    const receiver = await raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')

    expect(await send(open(), { url: receiver.url() })).toMatchObject({
      status: 200,
      body: 'half',
      isCut: true,
    })
  })

  test('can be stored as text whatever its bytes are', async () => {
    const bytes = Buffer.from([0x61, 0x00, 0xff, 0xc3, 0xa9, 0xe2, 0x82])
    const receiver = await answering((_, response) => response.end(bytes))

    expect(await send(open(), { url: receiver.url() })).toMatchObject({
      body: 'a\ufffdé\ufffd',
      isCut: false,
    })
    expect(await send(open(), { url: receiver.url(), answerMaxBytes: 6 })).toMatchObject({ body: 'a\ufffdé' })
  })

  test('that never comes ends with the deadline', async () => {
    const receiver = await answering(() => {})

    const sending = send(open(), { url: receiver.url(), deadlineMs: 200 })

    await expect(sending).rejects.toMatchObject({ outcome: 'timed_out', message: 'No answer within 200 ms' })
  })

  test('whose headers trickle in ends with the deadline', async () => {
    const receiver = await raw('HTTP/1.1 200 OK\r\nx-slow: ', { isKeptOpen: true })

    const sending = send(open(), { url: receiver.url(), deadlineMs: 200 })

    await expect(sending).rejects.toMatchObject({ outcome: 'timed_out' })
  })

  test.each([
    ['nothing', ''],
    ['half a status line', 'HTTP/1.1 20'],
    ['half of its headers', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('that is %s is broken', async (_, text) => {
    const receiver = await raw(text)

    await expect(send(open(), { url: receiver.url() })).rejects.toMatchObject({ outcome: 'answer_broken' })
  })
})

describe('a server', () => {
  test('that does not listen is unreachable', async () => {
    const receiver = await answering(() => {})
    await receiver.close()

    const sending = send(open(), { url: receiver.url() })

    await expect(sending).rejects.toMatchObject({
      outcome: 'unreachable',
      reason: 'connection_refused',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('whose name does not exist is unreachable', async () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    const lookup = () => Promise.reject(error)

    const sending = send(open({ lookup }), { url: 'http://nowhere.example/' })

    await expect(sending).rejects.toMatchObject({
      outcome: 'unreachable',
      reason: 'name_not_found',
      message: expect.stringContaining('ENOTFOUND'),
    })
  })

  test('whose name is never found uses one look-up for all requests', async () => {
    let lookups = 0
    const lookup: LookUp = () => {
      lookups += 1
      return new Promise(() => {})
    }
    const outgoing = open({ lookup })

    const sending = [1, 2, 3].map(() => send(outgoing, { url: 'http://slow.example/', deadlineMs: 200 }))

    const results = await Promise.allSettled(sending)
    expect(results).toMatchObject([1, 2, 3].map(() => ({ reason: { outcome: 'timed_out' } })))
    expect(lookups).toBe(1)
  })

  test('with an untrusted certificate gets no request', async () => {
    const seen: string[] = []
    const server = createTlsServer(selfSigned('shop.example'), (request, response) => {
      seen.push(request.url ?? '')
      response.end()
    })
    const receiver = await listen(server)
    const outgoing = open({ lookup: resolving(['127.0.0.1']) })

    const sending = send(outgoing, { url: receiver.url('shop.example', 'https') })

    await expect(sending).rejects.toMatchObject({
      outcome: 'unreachable',
      reason: 'certificate_untrusted',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    })
    expect(seen).toEqual([])
  })

  test('sees the client certificate of its own request, and none of others', async () => {
    const certificate = selfSigned('shop.example')
    const client = selfSigned('merchant')
    const known = getCACertificates('default')
    setDefaultCACertificates([...known, certificate.cert])
    undo.push(() => setDefaultCACertificates(known))
    const asking = { ...certificate, requestCert: true, rejectUnauthorized: false }
    const receiver = await listen(
      createTlsServer(asking, (request, response) => {
        response.end(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN))
      }),
    )
    const outgoing = open({ lookup: resolving(['127.0.0.1']) })
    const url = receiver.url('shop.example', 'https')
    const clientCertificate = { certificate: client.cert, privateKey: client.key }

    const proven = await send(outgoing, { url, clientCertificate })
    const plain = await send(outgoing, { url })
    const again = await send(outgoing, { url, clientCertificate })

    expect([proven, plain, again].map(({ body }) => body)).toEqual(['merchant', 'undefined', 'merchant'])
  })

  test('is reached over TLS only by its own name, with TLS 1.2 or newer', async () => {
    const certificate = selfSigned('shop.example')
    const known = getCACertificates('default')
    setDefaultCACertificates([...known, certificate.cert])
    undo.push(() => setDefaultCACertificates(known))
    const receiver = await listen(createTlsServer(certificate, (_, response) => response.end('taken')))
    const old = {
      ...certificate,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    } as const
    const oldReceiver = await listen(createTlsServer(old, (_, response) => response.end('taken')))
    const outgoing = open({ lookup: resolving(['127.0.0.1']) })

    const answer = await send(outgoing, { url: receiver.url('shop.example', 'https') })

    expect(answer.body).toBe('taken')
    await expect(send(outgoing, { url: receiver.url('other.example', 'https') })).rejects.toMatchObject({
      outcome: 'unreachable',
      reason: 'certificate_name_mismatch',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    })
    await expect(send(outgoing, { url: oldReceiver.url('shop.example', 'https') })).rejects.toMatchObject({
      outcome: 'unreachable',
      reason: 'tls_failed',
    })
  })

  test.each([
    ['ENOTFOUND', 'name_not_found'],
    ['EAI_AGAIN', 'name_lookup_failed'],
    ['ECONNRESET', 'connection_reset'],
    ['EHOSTUNREACH', 'host_unreachable'],
    ['CERT_HAS_EXPIRED', 'certificate_expired'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_untrusted'],
    ['CERT_REVOKED', 'certificate_untrusted'],
    // The other side refuses ours.
    ['ERR_SSL_TLSV1_ALERT_CERTIFICATE_REVOKED', 'tls_failed'],
    ['EWHATEVER', null],
  ])('that fails with %s is unreachable because of %s', (code, reason) => {
    const cause = Object.assign(new Error('at 10.0.0.1'), { code })

    expect(new OutgoingError('unreachable', 'No connection could be made', cause).reason).toBe(reason)
    expect(new OutgoingError('answer_broken', 'The answer broke off', cause).reason).toBeNull()
  })
})

function open(options: Partial<Parameters<typeof createOutgoing>[0]> = {}): Outgoing {
  const outgoing = createOutgoing({ isHttpAllowed: true, allowCidrs: LOOPBACK, ...options })
  undo.push(outgoing.close)
  return outgoing
}

function send(outgoing: Outgoing, request: Partial<OutgoingRequest> & { readonly url: string }) {
  const usual = {
    method: 'POST',
    headers: {},
    body: '{}',
    deadlineMs: 5_000,
    answerMaxBytes: 64_000,
  } as const
  return outgoing.send({ ...usual, ...request })
}

/** Answers the first look-up with the first list, and so on. The last list is repeated. */
function resolving(...lists: readonly string[][]): LookUp {
  let asked = 0
  return async () => {
    const list = lists[Math.min(asked, lists.length - 1)] ?? []
    asked += 1
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

function answering(listener: RequestListener) {
  return listen(createServer(listener))
}

/** Sends the bytes when a request comes, and closes the connection. */
function raw(text: string, { isKeptOpen = false } = {}) {
  const server = createNetServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => (isKeptOpen ? socket.write(text) : socket.end(text)))
  })
  return listen(server)
}

async function listen(server: ReturnType<typeof createNetServer> | Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  undo.push(close)
  return {
    port,
    url: (name = '127.0.0.1', scheme = 'http') => `${scheme}://${name}:${port}/hook`,
    connections: () => connections,
    close,
  }
}

function writeForever(response: ServerResponse, total: number, onWrite: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536, 'x')
  let left = total
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length
      onWrite(chunk.length)
      if (!response.write(chunk)) return void response.once('drain', write)
    }
    response.end()
  }
  write()
}
