import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Message } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import {
  FEE_PARTS,
  type ReportEntry,
  type ReportFile,
  type ReportLine,
  type ReportLink,
  type Reports,
  UnreadableReport,
} from './reports.ts'
import type { ReportBench, Stage } from './suite-stage.ts'
import { TROUBLES } from './suite-troubles.ts'

export function describeReports(stage: Stage, reports: Reports): void {
  const { list } = reports
  if (list) describe('list', () => describeListing(stage, list))
  describe('read', () => describeReading(stage, reports))
  describe('parse', () => describeParsing(stage, reports))
}

type List = Required<Reports>['list']

function describeListing(stage: Stage, list: List): void {
  test('lists the published files, oldest first, from a time on', async () => {
    const bench = benchOf(stage)
    await bench.publish()
    const files = await listed(list, new Date(0), bench.link)
    const file = lastOf(files)

    const times = files.map(({ publishedAt }) => publishedAt.getTime())
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    const last = file.publishedAt
    const later = new Date(last.getTime() + 1)
    expect((await listed(list, last, bench.link)).at(-1)).toEqual(file)
    expect((await listed(list, later, bench.link)).map(({ id }) => id)).not.toContain(file.id)
  })

  test.each(Object.entries(TROUBLES))('cannot list the files after %s', async (_name, trouble) => {
    const { link } = benchOf(stage)

    const answer = await list(new Date(0), { ...link, fetch: trouble(link.fetch) })

    expect(answer).toEqual({ outcome: 'unreachable', message: expect.any(String) })
  })
}

function describeReading(stage: Stage, reports: Reports): void {
  test('reads the same bytes each time', async () => {
    const { file, bench } = await published(stage, reports)

    const [once, twice] = await Promise.all([1, 2].map(() => bytesOf(reports.read(file.id, bench.link))))

    expect(once?.byteLength).toBeGreaterThan(0)
    expect(hashOf(twice)).toBe(hashOf(once))
  })

  test('throws when a file is not delivered, or not to its end', async () => {
    const { file, bench } = await published(stage, reports)
    const { stream } = bench.link
    const troubles: ReportLink['stream'][] = [
      async () => Promise.reject(new TypeError('fetch failed')),
      async (url, init) => ({ ...(await stream(url, init)), status: 500 }),
      async (url, init) => ({ ...(await stream(url, init)), status: 404 }),
      async (url, init) => {
        const { status, headers, body } = await stream(url, init)
        return { status, headers, body: breaking(body) }
      },
    ]

    for (const trouble of troubles) {
      const reading = bytesOf(reports.read(file.id, { ...bench.link, stream: trouble }))
      await expect(reading).rejects.toThrow()
    }
  })

  test('keeps secrets out of addresses and errors', async () => {
    const { file, bench } = await published(stage, reports)
    const shown: unknown[] = []
    const talkative = async (url: string, init?: RequestInit): Promise<never> => {
      shown.push(url)
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    }
    const link = { ...bench.link, fetch: talkative, stream: talkative }

    shown.push(await reports.list?.(new Date(0), link))
    shown.push(await bytesOf(reports.read(file.id, link)).catch((error: unknown) => error))

    const text = inspect(shown, { depth: null })
    expect(findLeaks(text, stage.secrets())).toEqual([])
  })
}

function describeParsing(stage: Stage, reports: Reports): void {
  test('says what the file says: a header, lines, and a trailer with their sums', async () => {
    const { bytes } = await read(stage, reports)

    const entries = await entriesOf(reports, bytes)

    const lines = entries.filter((entry) => entry.type === 'line')
    expect(lines.length).toBeGreaterThan(0)
    expect(entries[0]?.type).toBe('header')
    expect(entries.at(-1)?.type).toBe('trailer')
    expect(entries).toHaveLength(lines.length + 2)
    lines.forEach(checkLine)
    const stated = FEE_PARTS.filter((part) => lines.some((line) => line[part] !== null))
    expect(reports.fees ?? []).toEqual(expect.arrayContaining(stated))
    const sum = (of: (line: ReportLine) => number) => lines.reduce((total, line) => total + of(line), 0)
    expect(entries.at(-1)).toEqual({
      type: 'trailer',
      count: lines.length,
      gross: sum(({ amount }) => amount),
      fees: sum(({ commission }) => commission),
      net: sum(({ amount, commission }) => amount - commission),
    })
  })

  test('says the same however the bytes arrive', async () => {
    const { bytes } = await read(stage, reports)
    const entries = await entriesOf(reports, bytes)

    for (const size of [1, 2, 3, 64]) expect(await entriesOf(reports, bytes, size)).toEqual(entries)
  })

  test('refuses a file that is empty, cut off anywhere, no text, or longer than its end', async () => {
    const { bytes } = await read(stage, reports)
    const steps = Array.from({ length: 50 }, (_, step) => Math.floor((bytes.byteLength * step) / 50))
    const noText = Buffer.from(bytes)
    noText[Math.floor(bytes.byteLength / 2)] = 0xff
    const wrong = [...steps.map((end) => bytes.subarray(0, end)), noText, Buffer.concat([bytes, bytes])]

    for (const content of wrong) {
      const error = await entriesOf(reports, content).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnreadableReport)
      expect(error).toMatchObject({
        line: expect.any(Number),
        message: expect.stringMatching(/^line \d+: \S/),
      })
    }
  })

  test('takes the next bytes only when its entries are taken', async () => {
    const { bytes } = await read(stage, reports)
    let given = 0
    async function* counted() {
      for await (const chunk of inChunks(bytes, 1)) {
        given++
        yield chunk
      }
    }

    const entries = reports.parse(counted())[Symbol.asyncIterator]()
    await entries.next()
    await entries.return?.()

    expect(given).toBeLessThan(bytes.byteLength)
  })
}

function checkLine(line: ReportLine): void {
  const { interchange, markup, schemeFee, commission, original, exchangeRate } = line
  expect(line.reference).not.toBe('')
  expect(line.currency).toMatch(/^[A-Z]{3}$/)
  expect([line.amount, commission].every(Number.isSafeInteger)).toBe(true)
  expect(Number.isNaN(line.postedAt.getTime())).toBe(false)
  expect(original === null).toBe(exchangeRate === null)
  if (interchange !== null && markup !== null && schemeFee !== null) {
    expect(interchange + markup + schemeFee).toBe(commission)
  }
}

function benchOf(stage: Stage): ReportBench {
  if (!stage.bench.reports) throw new Error('the bench publishes no reports')
  return stage.bench.reports
}

/** The last file, from the list or from the message that tells of it. */
async function published(stage: Stage, reports: Reports) {
  const bench = benchOf(stage)
  const message = await bench.publish()
  const files = reports.list
    ? await listed(reports.list, new Date(0), bench.link)
    : await told(stage, message)
  return { bench, file: lastOf(files) }
}

async function told(stage: Stage, message: Message | undefined): Promise<readonly ReportFile[]> {
  const reading = message && (await stage.connector.readNotification?.(message, stage.bench.link))
  const notifications = reading?.outcome === 'read' ? reading.notifications : []
  return notifications.flatMap((one) => (one.about === 'report' ? one.file : []))
}

function lastOf(files: readonly ReportFile[]): ReportFile {
  const file = files.at(-1)
  if (!file) throw new Error('the provider published no file')
  return file
}

async function read(stage: Stage, reports: Reports) {
  const { file, bench } = await published(stage, reports)
  return { bytes: await bytesOf(reports.read(file.id, bench.link)) }
}

async function listed(list: List, since: Date, link: ReportLink): Promise<readonly ReportFile[]> {
  const answer = await list(since, link)
  if (answer.outcome !== 'listed') throw new Error(answer.message)
  return answer.files
}

async function entriesOf(reports: Reports, bytes: Uint8Array, size = 4_096): Promise<ReportEntry[]> {
  return collect(reports.parse(inChunks(bytes, size)))
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await collect(stream))
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size)
}

async function* breaking(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk.subarray(0, 10)
    throw new TypeError('terminated')
  }
}

function hashOf(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')
}
