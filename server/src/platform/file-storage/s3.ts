import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../process/clock.ts'
import { explained, removeUnfinished, UNFINISHED, writeWhole } from './disk.ts'
import { checkRoom, withRoom } from './room.ts'
import { type FileStorage, StorageError, type StoredFile } from './storage.ts'

type Credentials = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export type S3Settings = Credentials & {
  /** The address of the bucket, with the beginning of all keys if there is one. */
  readonly url: string
}

type S3 = S3Settings & {
  /** Where a file is collected before it is sent: a storage wants to know its size and hash first. */
  readonly spoolFolder: string
  /** Real time, as the storage's own clock. */
  readonly clock: Clock
}

/** What one request may send. Larger files would have to be sent in parts. */
const SIZE_MAX = 5 * 1024 ** 3
/** Without a byte sent or received for this long, the storage counts as gone. */
const SILENT_MS = 30_000
const ANSWER_MAX = 10_000
const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** Files in a bucket of Amazon S3, or of anything that speaks the same protocol. */
export function s3Storage(settings: S3): FileStorage {
  const addressOf = (key: string) => addressIn(settings, key)
  const check = () => explained(() => checkRoom(settings.spoolFolder))
  return {
    place: async () => `s3 ${settings.url}`,
    spoolFolder: settings.spoolFolder,
    checkRoom: check,
    put: (key, chunks) => putObject(settings, key, withRoom(chunks, check)),
    url: (key, { until, fileName }) => {
      const now = settings.clock()
      const seconds = Math.max(1, Math.floor((until.getTime() - now.getTime()) / 1000))
      const query = {
        'response-content-disposition': `attachment; filename="${fileName}"`,
        'response-content-type': 'text/csv; charset=utf-8',
        'response-cache-control': 'no-store',
      }
      return presignedUrl({ url: addressOf(key), seconds, query }, settings, now)
    },
    remove: async (key) => {
      await send(settings, { method: 'DELETE', url: addressOf(key), bodySha256: EMPTY_SHA256 })
    },
    tidy: () => removeUnfinished(settings.spoolFolder),
    discard: (beginning) => removeUnfinished(settings.spoolFolder, beginning),
  }
}

function addressIn({ url }: S3, key: string): URL {
  // The signer takes a plus for a space.
  return new URL(`${url}/${key}`.replaceAll('+', '%2B'))
}

/** An object appears once it was sent whole, so there is never half a file. */
async function putObject(settings: S3, key: string, chunks: AsyncIterable<Buffer>): Promise<StoredFile> {
  const spool = join(settings.spoolFolder, `${key}.${randomUUID()}${UNFINISHED}`)
  try {
    await explained(() => mkdir(settings.spoolFolder, { recursive: true, mode: 0o700 }))
    const written = await explained(() => writeWhole(spool, chunks))
    if (written.size > SIZE_MAX) {
      throw new StorageError(
        'The file has more than 5 GiB, which the storage does not take. Narrow the filters.',
      )
    }
    const headers = { 'content-length': String(written.size), 'content-type': 'text/csv; charset=utf-8' }
    const request = { method: 'PUT', url: addressIn(settings, key), headers, bodySha256: written.sha256 }
    await send(settings, request, spool)
    return written
  } finally {
    await rm(spool, { force: true }).catch(() => {})
  }
}

type Request = {
  readonly method: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly bodySha256: string
}

async function send(settings: S3, request: Request, file?: string): Promise<void> {
  const { status, code } = await exchange(settings, request, file).catch((error: unknown) => {
    if (error instanceof StorageError) throw error
    throw new StorageError('The storage for report files cannot be reached.', { cause: error })
  })
  if (status >= 200 && status < 300) return
  if (request.method === 'DELETE' && status === 404) return
  // The storage's own words are for the log.
  throw new StorageError(reasonFor(status), { cause: new Error(`${status} ${code}`.trim()) })
}

function reasonFor(status: number): string {
  if (status === 401 || status === 403)
    return 'The storage for report files refused the access key. The operator must check REPORTS_S3_ACCESS_KEY_ID, its secret, its rights, and REPORTS_S3_REGION.'
  if (status === 404)
    return 'The bucket for report files does not exist. The operator must check REPORTS_S3_URL.'
  if (status >= 300 && status < 400)
    return 'The bucket for report files is elsewhere. The operator must check REPORTS_S3_URL and REPORTS_S3_REGION.'
  if (status >= 500 || status === 429) return 'The storage for report files failed, or was too busy.'
  return 'The storage for report files refused the file. The log of the service says why.'
}

type Answer = { readonly status: number; readonly code: string }

async function exchange(settings: S3, request: Request, file: string | undefined): Promise<Answer> {
  const { method, url } = request
  const headers = await signedHeaders(request, settings, settings.clock())
  const sent = (url.protocol === 'https:' ? https : http).request(url, { method, headers })
  sent.setTimeout(SILENT_MS, () => sent.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })))
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  if (file === undefined) sent.end()
  // A storage that refuses may answer before it has read everything, and then end the connection.
  else pipeline(createReadStream(file), sent).catch(() => {})
  const response = await answered
  return { status: response.statusCode ?? 0, code: codeIn(await textOf(response)) }
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) if (text.length < ANSWER_MAX) text += String(chunk)
  return text
}

/** Such as NoSuchBucket. The rest of the answer may repeat parts of the request. */
function codeIn(text: string): string {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? ''
}

/** The headers of a request, signed with version 4 of Amazon's signature. */
export async function signedHeaders(
  { method, url, headers, bodySha256 }: Request,
  credentials: Credentials,
  now: Date,
): Promise<Record<string, string>> {
  const given = { ...headers, 'x-amz-content-sha256': bodySha256 }
  const signed = await signerOf(credentials, now, { method, url: url.href, headers: given }).sign()
  return Object.fromEntries(signed.headers)
}

type Wanted = {
  readonly url: URL
  readonly seconds: number
  readonly query: Readonly<Record<string, string>>
}

/** An address with which anyone can get an object, for some seconds from now. */
export async function presignedUrl(
  { url, seconds, query }: Wanted,
  credentials: Credentials,
  now: Date,
): Promise<string> {
  const wanted = new URL(url)
  const all = { ...query, 'X-Amz-Expires': String(seconds) }
  for (const [name, value] of Object.entries(all)) wanted.searchParams.set(name, value)
  const signer = signerOf(credentials, now, { url: wanted.href, signQuery: true })
  // Spelled as it is signed: not every storage takes a plus for a space.
  const { encodedPath, encodedSearch } = signer
  return `${url.origin}${encodedPath}?${encodedSearch}&X-Amz-Signature=${await signer.signature()}`
}

type ToSign = Pick<ConstructorParameters<typeof AwsV4Signer>[0], 'method' | 'url' | 'headers' | 'signQuery'>

function signerOf(
  { accessKeyId, secretAccessKey, region }: Credentials,
  now: Date,
  request: ToSign,
): AwsV4Signer {
  return new AwsV4Signer({
    ...request,
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    datetime: now.toISOString().replaceAll(/[-:]|[.]\d{3}/g, ''),
    allHeaders: true,
  })
}
