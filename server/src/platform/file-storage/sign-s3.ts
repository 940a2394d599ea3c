import { createHash, createHmac } from 'node:crypto'

export type Credentials = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** For requests whose signature is in the URL: their body is not known yet. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'
export const EMPTY_SHA256 = createHash('sha256').digest('hex')

type Unsigned = {
  readonly method: string
  readonly url: URL
  /** With names in small letters. */
  readonly headers?: Readonly<Record<string, string>>
  readonly bodySha256: string
}

/** The headers of a request to a storage that speaks S3, signed with version 4 of its signature. */
export function signedHeaders(
  { method, url, headers = {}, bodySha256 }: Unsigned,
  credentials: Credentials,
  now: Date,
): Record<string, string> {
  const at = stampOf(now)
  const all = { ...headers, host: url.host, 'x-amz-content-sha256': bodySha256, 'x-amz-date': at }
  const names = namesOf(all)
  const request = { method, url, headers: all, bodySha256, query: [...url.searchParams] }
  const signature = signatureOf(request, credentials, at)
  const credential = `${credentials.accessKeyId}/${scopeOf(credentials, at)}`
  const authorization = `${ALGORITHM} Credential=${credential},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { ...all, authorization }
}

type Wanted = {
  readonly url: URL
  readonly seconds: number
  readonly query: Readonly<Record<string, string>>
}

/** An address with which anyone can get an object, for some seconds from now. */
export function presignedUrl({ url, seconds, query }: Wanted, credentials: Credentials, now: Date): string {
  const at = stampOf(now)
  const all: [string, string][] = [
    ...url.searchParams,
    ...Object.entries(query),
    ['X-Amz-Algorithm', ALGORITHM],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scopeOf(credentials, at)}`],
    ['X-Amz-Date', at],
    ['X-Amz-Expires', String(seconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ]
  const headers = { host: url.host }
  const request = { method: 'GET', url, headers, bodySha256: UNSIGNED, query: all }
  const signature = signatureOf(request, credentials, at)
  return `${url.origin}${pathOf(url)}?${queryOf(all)}&X-Amz-Signature=${signature}`
}

type Request = Required<Unsigned> & { readonly query: readonly (readonly [string, string])[] }

function signatureOf(
  { method, url, headers, bodySha256, query }: Request,
  credentials: Credentials,
  at: string,
): string {
  const names = namesOf(headers)
  const request = [
    method,
    pathOf(url),
    queryOf(query),
    ...names.map((name) => `${name}:${headers[name]?.trim() ?? ''}`),
    '',
    names.join(';'),
    bodySha256,
  ].join('\n')
  const toSign = [ALGORITHM, at, scopeOf(credentials, at), sha256(request)].join('\n')
  return hmac(keyOf(credentials, at), toSign).toString('hex')
}

function namesOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).toSorted((a, b) => (a < b ? -1 : 1))
}

/** One key for each day, region and service. */
function keyOf({ secretAccessKey, region }: Credentials, at: string): Buffer {
  return ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(Buffer.from(`AWS4${secretAccessKey}`), at.slice(0, 8)), region),
  )
}

function scopeOf({ region }: Credentials, at: string): string {
  return `${at.slice(0, 8)}/${region}/s3/aws4_request`
}

/** 20260131T235959Z */
function stampOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|[.]\d{3}/g, '')
}

/** Each part of the path encoded once, as the storage does when it checks. */
function pathOf({ pathname }: URL): string {
  return pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
}

function queryOf(query: readonly (readonly [string, string])[]): string {
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.toSorted().join('&')
}

/** Stricter than JavaScript: all but letters, digits and four signs is encoded. */
function encode(text: string): string {
  const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, hex)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
