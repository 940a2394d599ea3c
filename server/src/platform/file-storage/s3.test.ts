import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import { systemClock } from '../process/clock.ts'
import { presignedUrl, s3Storage, signedHeaders } from './s3.ts'

const SECRET = 'the secret of the bucket'
const objects = new Map<string, Buffer>()
let server: Server
let url: string
/** What the server does instead, if anything. */
let instead: ((request: IncomingMessage, response: ServerResponse) => void) | null

beforeEach(async () => {
  objects.clear()
  instead = null
  server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/reports`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
})

/** A bucket that checks each signature by itself, from what arrives. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (instead) return instead(request, response)
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  const address = new URL(request.url ?? '', `http://${request.headers.host}`)
  const problem = address.searchParams.has('X-Amz-Signature')
    ? problemOfAddress(address, request)
    : problemOfHeaders(address, request, body)
  if (problem)
    return void response.writeHead(403).end(`<Error><Code>${problem}</Code><Key>secret</Key></Error>`)
  if (request.method === 'PUT') objects.set(address.pathname, body)
  if (request.method === 'DELETE') objects.delete(address.pathname)
  const found = objects.get(address.pathname)
  if (request.method !== 'GET') return void response.writeHead(request.method === 'PUT' ? 200 : 204).end()
  if (!found) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  const disposition = address.searchParams.get('response-content-disposition') ?? ''
  response.writeHead(200, { 'content-disposition': disposition }).end(found)
}

function problemOfHeaders(
  address: URL,
  { method = '', headers }: IncomingMessage,
  body: Buffer,
): string | null {
  const given = /Credential=(.+?),\s*SignedHeaders=(.+?),\s*Signature=(.+)$/.exec(headers.authorization ?? '')
  const [, credential = '', names = '', signature] = given ?? []
  const bodyHash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== bodyHash) return 'XAmzContentSHA256Mismatch'
  if (!names.split(';').includes('host')) return 'AccessDenied'
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const request = `${method}\n${address.pathname}\n\n${lines.join('')}\n${names}\n${bodyHash}`
  return signature === sign(request, String(headers['x-amz-date']), credential)
    ? null
    : 'SignatureDoesNotMatch'
}

function problemOfAddress(address: URL, { method = '', headers }: IncomingMessage): string | null {
  const given = address.searchParams
  const date = given.get('X-Amz-Date') ?? ''
  const began = Date.parse(date.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
  if (Date.now() > began + Number(given.get('X-Amz-Expires')) * 1000) return 'AccessDenied'
  const query = address.search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
  const request = `${method}\n${address.pathname}\n${query.toSorted().join('&')}\nhost:${headers.host}\n\nhost\nUNSIGNED-PAYLOAD`
  const expected = sign(request, date, given.get('X-Amz-Credential') ?? '')
  return given.get('X-Amz-Signature') === expected ? null : 'SignatureDoesNotMatch'
}

function sign(request: string, date: string, credential: string): string {
  const [, ...scope] = credential.split('/')
  let key = Buffer.from(`AWS4${SECRET}`)
  for (const part of scope) key = createHmac('sha256', key).update(part).digest()
  const hash = createHash('sha256').update(request).digest('hex')
  return createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${date}\n${scope.join('/')}\n${hash}`)
    .digest('hex')
}

async function* chunks(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

function storageWith(more: object = {}) {
  const spoolFolder = tempFolder()
  const settings = {
    url,
    region: 'eu-central-1',
    accessKeyId: 'key-id',
    secretAccessKey: SECRET,
    spoolFolder,
  }
  return { storage: s3Storage({ ...settings, clock: systemClock, ...more }), spoolFolder }
}

test('sends a file whole, signed, and leaves nothing on this machine', async () => {
  const { storage, spoolFolder } = storageWith()

  const stored = await storage.put('a.csv', chunks('one\r\n', 'two\r\n'))

  expect(stored.size).toBe(10)
  expect(objects.get('/bucket/reports/a.csv')?.toString()).toBe('one\r\ntwo\r\n')
  expect(readdirSync(spoolFolder)).toEqual([])
})

test('gives an address at which the bucket itself gives the file, until a time', async () => {
  const { storage } = storageWith()
  await storage.put('a.csv', chunks('one\r\n'))
  const fileName = 'Payments (all), 2026.csv'

  const address = await storage.url('a.csv', { until: new Date(Date.now() + 60_000), fileName })
  const good = await fetch(address)
  const changed = await fetch(address.replace('a.csv', 'b.csv'))
  const past = s3Storage({
    url,
    region: 'eu-central-1',
    accessKeyId: 'key-id',
    secretAccessKey: SECRET,
    spoolFolder: tempFolder(),
    clock: () => new Date(Date.now() - 3_600_000),
  })
  const expired = await fetch(await past.url('a.csv', { until: new Date(Date.now() - 60_000), fileName }))

  expect(await good.text()).toBe('one\r\n')
  expect(good.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`)
  expect([changed.status, expired.status]).toEqual([403, 403])
})

test('removes a file, also one that is not there', async () => {
  const { storage } = storageWith()
  await storage.put('a.csv', chunks('x'))

  await storage.remove('a.csv')
  await storage.remove('a.csv')

  expect(objects.size).toBe(0)
})

test('a wrong secret is refused in plain words; the storage’s code is for the log', async () => {
  const { storage, spoolFolder } = storageWith({ secretAccessKey: 'wrong' })

  const failure = await storage.put('a.csv', chunks('x')).catch((error: unknown) => error)

  expect(failure).toMatchObject({
    message: expect.stringMatching(/^The storage for report files refused the access key[.](?!.*Signature)/),
    cause: { message: '403 SignatureDoesNotMatch' },
  })

  expect(objects.size).toBe(0)
  expect(readdirSync(spoolFolder)).toEqual([])
})

test('a storage that is away, breaks off, or fails is a sentence', async () => {
  const { storage } = storageWith()
  const away = storageWith({ url: 'http://127.0.0.1:9/bucket' }).storage

  await expect(away.put('a.csv', chunks('x'))).rejects.toThrow(/cannot be reached[.]$/)
  instead = (request) => void request.socket.destroy()
  await expect(storage.put('a.csv', chunks('x'.repeat(1_000_000)))).rejects.toThrow(/cannot be reached/)
  instead = (_request, response) => void response.writeHead(503).end('busy')
  await expect(storage.put('a.csv', chunks('x'))).rejects.toThrow(/failed, or was too busy[.]$/)
  instead = (_request, response) => void response.writeHead(404).end('<Code>NoSuchBucket</Code>')
  await expect(storage.put('a.csv', chunks('x'))).rejects.toThrow(/bucket for report files does not exist/)
  instead = (_request, response) => void response.writeHead(301).end('<Code>PermanentRedirect</Code>')
  await expect(storage.put('a.csv', chunks('x'))).rejects.toThrow(/REPORTS_S3_REGION/)

  expect(objects.size).toBe(0)
})

/** The examples with which Amazon documents version 4 of the signature. */
const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const NOW = new Date('2013-05-24T00:00:00Z')
const BUCKET = 'https://examplebucket.s3.amazonaws.com'

test('signs headers as the published example does', async () => {
  const url = new URL(`${BUCKET}/test.txt`)

  const headers = await signedHeaders(
    { method: 'GET', url, headers: { range: 'bytes=0-9' }, bodySha256: createHash('sha256').digest('hex') },
    CREDENTIALS,
    NOW,
  )

  expect(headers['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('signs a body and a key with special signs as the published example does', async () => {
  const url = new URL(`${BUCKET}/test$file.text`)
  const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
  const bodySha256 = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'

  const signed = await signedHeaders({ method: 'PUT', url, headers, bodySha256 }, CREDENTIALS, NOW)

  expect(signed['authorization']).toMatch(
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  )
})

test('signs an address as the published example does', async () => {
  const url = await presignedUrl(
    { url: new URL(`${BUCKET}/test.txt`), seconds: 86_400, query: {} },
    CREDENTIALS,
    NOW,
  )

  expect(url).toBe(
    `${BUCKET}/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256` +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})
