import { existsSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startTestService } from './harness.ts'
import { order } from './till.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Whoever adds a file to the way of a payment says here why it is worth it. */
const MOST_FILES = 90
/** What is written beside payments may run while one is counted: on a busy machine beside most, but hardly beside each. */
const ROUNDS = 40
/** Who reads these files can tell whether a payment can be charged twice. */
const MOST_TO_READ = 10

test('a payment with a key runs few files', async () => {
  const service = await startTestService()
  const pay = async (key: string) => {
    const response = await order(service, {}, { headers: { 'idempotency-key': key } })
    expect(response.json()).toMatchObject({ status: 'authorization_succeeded' })
  }
  // What is done once, such as reading rules or preparing statements, does not count.
  for (const key of ['first', 'second', 'third']) await pay(key)
  const profiler = new Session()
  profiler.connect()
  try {
    await profiler.post('Profiler.enable')
    await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    let own: string[] = []
    for (let round = 1; round <= ROUNDS && (round === 1 || own.length > MOST_FILES); round += 1) {
      await profiler.post('Profiler.takePreciseCoverage')
      await pay(`counted ${round}`)
      const { result } = await profiler.post('Profiler.takePreciseCoverage')
      const ran = result
        .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
        .map(({ url }) => url.replace(/^file:\/\//, '').replace(ROOT, ''))
      own = [...new Set(ran)].filter(isOurs)
    }
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(MOST_FILES)
    // If this finds nothing, then the names of files are read in a wrong way.
    expect(own).toContain('server/src/payments/charge.ts')
  } finally {
    await profiler.post('Profiler.stopPreciseCoverage')
    profiler.disconnect()
    await service.close()
  }
})

/** The service itself, without tests and without the provider that answers here. */
function isOurs(file: string): boolean {
  return (
    /^(server\/src|vault|connectors\/contract)\/.*[.]ts$/.test(file) &&
    !/\/testing\/|[.]test[.]ts$/.test(file)
  )
}

test('the files to read first are there, in the order in which they are read', () => {
  const text = readFileSync(`${ROOT}docs/architecture.md`, 'utf8')
  const section = text.split('## Can it charge twice?')[1]?.split('\n## ')[0] ?? ''
  const files = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => `server/src/${file}`)
  expect(files.length).toBeGreaterThan(0)
  expect(files.length).toBeLessThanOrEqual(MOST_TO_READ)
  expect(files.filter((file) => !existsSync(ROOT + file))).toEqual([])
})
