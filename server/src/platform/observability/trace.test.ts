import { describe, expect, test } from 'vitest'
import {
  createTracer,
  currentTraceparent,
  type EndedSpan,
  enter,
  inSpan,
  outsideTraces,
  readTraceparent,
} from './trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const VALID = `00-${TRACE}-${PARENT}-01`

describe('the traceparent of a caller', () => {
  test.each([
    ['is taken', VALID, true],
    ['that asks not to be kept is taken, too', `00-${TRACE}-${PARENT}-00`, false],
    ['may have flags that we do not know', `00-${TRACE}-${PARENT}-03`, true],
    ['of a later version may be longer', `cc-${TRACE}-${PARENT}-01-what-comes`, true],
  ])('%s', (_does, given, isSampled) => {
    expect(readTraceparent(given)).toEqual({ traceId: TRACE, parentId: PARENT, isSampled })
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a list', [VALID]],
    ['two in one', `${VALID}, ${VALID}`],
    ['capital letters', VALID.toUpperCase()],
    ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['no parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that does not exist', `ff-${TRACE}-${PARENT}-01`],
    ['more than its version has', `${VALID}-more`],
    ['a trace that is too short', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a line break', `${VALID}\r\nx-injected: 1`],
    ['a long text', `cc-${TRACE}-${PARENT}-01-${'a'.repeat(100_000)}`],
    ['spaces', ` ${VALID} `],
  ])('is not taken if it is %s', (_what, given) => {
    expect(readTraceparent(given)).toBeUndefined()
  })
})

describe('a tracer', () => {
  const spans: EndedSpan[] = []
  const tracer = createTracer((span) => spans.push(span))

  test('goes on with the trace of the caller, and begins one of its own otherwise', () => {
    const own = tracer.begin('nonsense', 'GET /')

    expect(tracer.begin(VALID, 'GET /').traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
    expect(own.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(own.traceparent).not.toContain(TRACE)
  })

  test('keeps no span of a trace that the caller does not want kept, and passes that on', async () => {
    spans.length = 0
    const root = tracer.begin(`00-${TRACE}-${PARENT}-00`, 'GET /')

    const passedOn = await enter(root, () => inSpan({ name: 'ask' }, async (span) => span?.traceparent))
    root.end()

    expect(passedOn).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
    expect(spans).toEqual([])
  })

  test('keeps a share of the traces that begin with it, and all of those that others keep', () => {
    spans.length = 0
    const none = createTracer((span) => spans.push(span), 0)

    none.begin(undefined, 'own').end()
    none.begin(VALID, 'of a caller').end()

    expect(spans.map(({ name }) => name)).toEqual(['of a caller'])
  })

  test('marks what fails, and leaves out what belongs to no trace', async () => {
    spans.length = 0
    const root = tracer.begin(undefined, 'GET /')

    const failing = enter(root, () =>
      inSpan({ name: 'fails' }, async () => {
        expect(outsideTraces(currentTraceparent)).toBeNull()
        throw new Error('no')
      }),
    )

    await expect(failing).rejects.toThrow('no')
    expect(spans).toMatchObject([{ name: 'fails', isFailed: true, kind: 'internal' }])
    expect(currentTraceparent()).toBeNull()
  })
})
