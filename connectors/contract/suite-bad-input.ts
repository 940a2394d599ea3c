import { describe, expect, test, vi } from 'vitest'
import { answerProblems } from './check-answer.ts'
import type { Answer, Connector, Link, Reading, SyncAnswer } from './connector.ts'
import type { ReportEntry, Reports } from './reports.ts'
import { checkAnswer } from './suite-answers.ts'
import type { ReportBench, Stage } from './suite-stage.ts'

/** What providers send that no page of theirs says, the same for every connector. */
export function describeBadInput(stage: Stage): void {
  describe('answers', () => describeAnswers(stage))
  if (stage.connector.readNotification) describe('messages', () => describeMessages(stage))
  const { reports } = stage.connector
  if (reports) describe('reports', () => describeZones(stage, reports))
}

const REFUSALS = [
  [401, ''],
  [401, '{}'],
  [403, '<html>no</html>'],
] as const

function describeAnswers(stage: Stage): void {
  const { id, mode } = stage.connector.manifest
  // A provider's methods share code, so each of them tries a quarter.
  const isForThis = (_change: Change, index: number) => mode === 'card' || index % 4 === id.length % 4

  test('name credentials that the provider refuses', async () => {
    const link = stage.lockedOut()
    const hasCredentials = (await stage.connector.verify?.(link))?.outcome === 'rejected'
    if (!hasCredentials) return
    const { ask, attemptId } = stage.authorization()

    const answer = await ask(link)

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_service_credentials' })
    expect(await stage.bench.effectsOf(attemptId)).toBe(0)
  })

  test.each(REFUSALS)('with the status %d and %o are no decision about the payment', async (status, body) => {
    for (const operation of stage.operations) {
      const { ask } = await stage.prepare(operation)
      const answer = await ask(stage.linkWith(() => async () => new Response(body, { status })))

      checkAnswer(answer)
      expect(['failed', 'unknown'], operation).toContain(answer.outcome)
      expectWords(answer)
    }
  })

  test('in which a word is new, or something is missing, never say that what was done is not', async () => {
    for (const operation of stage.operations) {
      const sample: string[] = []
      const { ask, attemptId } = await stage.prepare(operation)
      await ask(stage.linkWhere('money', keeping(sample)))
      const isDone = (await stage.bench.effectsOf(attemptId)) > 0
      const all = changesOf(sample)
      expect(all.length > 0, operation).toBe(sample.some((text) => text !== ''))
      for (const change of all.filter(isForThis)) {
        const again = await stage.prepare(operation)
        const answer = await again.ask(stage.linkWhere('money', changing(change)))

        checkAnswer(answer)
        if (isDone)
          expect(['declined', 'failed'], `${operation}, ${change.name}`).not.toContain(answer.outcome)
        expectWords(answer)
      }
    }
  })

  test('in which a word is new do not approve what was declined', async ({ skip }) => {
    const { declined } = stage.bench
    if (!stage.connector.authorize || !declined) return skip('this provider declines nothing at once')
    const sample: string[] = []
    await stage.authorization(declined).ask(stage.linkWhere('money', keeping(sample)))
    for (const change of changesOf(sample)) {
      const answer = await stage.authorization(declined).ask(stage.linkWhere('money', changing(change)))

      checkAnswer(answer)
      expect(answer.outcome, change.name).not.toBe('approved')
    }
  })
}

/** The words that a person reads when the outcome is unknown. */
function expectWords(answer: Answer | SyncAnswer): void {
  if (answer.outcome === 'unknown') expect(answer.reason).toMatch(/\w+ \w+ \w+/)
}

function describeMessages(stage: Stage): void {
  const tell = async () => {
    const told = await stage.bench.notify?.()
    if (!told) throw new Error('the bench sends no notifications')
    return told
  }
  const read = (message: Parameters<NonNullable<Connector['readNotification']>>[0]) =>
    stage.connector.readNotification?.(message, stage.bench.link) as Promise<Reading>

  test('of a kind that is new are taken, and named', async ({ skip }) => {
    const { message, sign } = await tell()
    if (!sign) return skip('messages of this provider say nothing')
    const named: string[] = []
    for (const change of changesOf([message.body.toString()])) {
      const reading = await read(sign(change.apply(message.body.toString())))
      if (reading.outcome === 'read') named.push(...(reading.unread ?? []))
    }

    expect(named.join()).toContain(NEW_WORD)
  })

  test('in which a word is new, or something is missing, turn no success into a failure', async ({
    skip,
  }) => {
    const { message, sign } = await tell()
    if (!sign) return skip('messages of this provider say nothing')
    for (const change of changesOf([message.body.toString()])) {
      const reading = await read(sign(change.apply(message.body.toString())))

      expect(answerProblems('readNotification', reading), change.name).toEqual([])
      if (reading.outcome === 'rejected') expect(reading.message).toMatch(/\w+ \w+ \w+/)
      else expect(reading.notifications.filter(isFailure), change.name).toEqual([])
    }
  })

  test('say the same with times of another zone', async ({ skip }) => {
    const { message, sign } = await tell()
    if (!sign) return skip('messages of this provider say nothing')

    expect(await read(sign(inAnotherZone(message.body.toString())))).toEqual(await read(message))
  })
}

function isFailure(told: Extract<Reading, { outcome: 'read' }>['notifications'][number]): boolean {
  return 'answer' in told && ['declined', 'failed'].includes(told.answer.outcome)
}

function describeZones(stage: Stage, reports: Reports): void {
  const publish = async () => {
    const bench = stage.bench.reports
    if (!bench) throw new Error('the bench publishes no reports')
    return Buffer.concat(await collect(reports.read(await fileOf(stage, reports, bench), bench.link)))
  }
  const parse = (bytes: Buffer) => collect<ReportEntry>(reports.parse(collected(bytes)))

  test('say the same wherever this machine is', async () => {
    const bytes = await publish()
    const entries = await parse(bytes)
    for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
      vi.stubEnv('TZ', zone)
      expect(new Date(0).getTimezoneOffset()).not.toBe(0)
      expect(await parse(bytes)).toEqual(entries)
    }
    vi.unstubAllEnvs()
  })

  test('say the same with times of another zone', async () => {
    const bytes = await publish()

    expect(await parse(Buffer.from(inAnotherZone(bytes.toString())))).toEqual(await parse(bytes))
  })
}

async function fileOf(stage: Stage, { list }: Reports, bench: ReportBench): Promise<string> {
  const message = await bench.publish()
  const listed = list && (await list(new Date(0), bench.link))
  const told = message && (await stage.connector.readNotification?.(message, stage.bench.link))
  const files =
    listed?.outcome === 'listed'
      ? listed.files
      : told?.outcome === 'read'
        ? told.notifications.flatMap((one) => (one.about === 'report' ? one.file : []))
        : []
  return files.at(-1)?.id ?? ''
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* collected(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

const NEW_WORD = 'a_word_that_is_new'
/** A word of a list of values, and no id, name or address. */
const WORD = /^(?!.*\d{3})[A-Za-z][\w.-]{1,60}$/

type Change = { readonly name: string; readonly apply: (text: string) => string }

/** Of each place in these texts: a new word instead of a word, and nothing instead of anything. */
function changesOf(texts: readonly string[]): readonly Change[] {
  const places = new Map(
    texts.flatMap((text) => placesIn(parsed(text)).map((place) => [place.at.join('.'), place])),
  )
  return [...places.values()].flatMap(({ at, value }) => {
    const setTo = (other: unknown, what: string): Change => ({
      name: `${at.join('.')} ${what}`,
      apply: (text) => JSON.stringify(replaced(parsed(text), at, other)) ?? text,
    })
    const isWord = typeof value === 'string' && WORD.test(value)
    return [setTo(null, 'is missing'), ...(isWord ? [setTo(NEW_WORD, 'is new')] : [])]
  })
}

type Place = { readonly at: readonly string[]; readonly value: unknown }

/** Of lists, the first item. */
function placesIn(value: unknown, at: readonly string[] = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return at.length > 0 ? [{ at, value }] : []
  const entries = Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined)
  return entries.flatMap(([key, part]) => placesIn(part, [...at, key]))
}

function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const part = replaced((value as Record<string, unknown>)[key], rest, other)
  return Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Alter = (fetch: Link['fetch']) => Link['fetch']

function keeping(texts: string[]): Alter {
  return (fetch) => async (url, init) => {
    const response = await fetch(url, init)
    texts.push(await response.clone().text())
    return response
  }
}

function changing({ apply }: Change): Alter {
  return (fetch) => async (url, init) => {
    const response = await fetch(url, init)
    const { status, headers } = response
    const text = await response.text()
    return new Response(text === '' ? null : apply(text), { status, headers })
  }
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g
const ZONE_MS = 5.5 * 3_600_000

/** The same moments, as a clock in India shows them. */
function inAnotherZone(text: string): string {
  return text.replace(MOMENT, (moment, fraction = '') => {
    const shown = new Date(Date.parse(moment) + ZONE_MS).toISOString().slice(0, 19)
    return `${shown}${fraction}+05:30`
  })
}
