import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { instanceNameOf } from '#platform/process/instance.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { findInstance, isFree, whoListens } from './who-listens.ts'

const host = '127.0.0.1'
let service: TestService
let port: number
beforeAll(async () => {
  service = await startTestService()
  await service.app.listen({ host, port: 0 })
  port = (service.app.server.address() as { port: number }).port
})
afterAll(() => service.close())

test('an installation recognizes itself', async () => {
  expect(await whoListens({ host, port }, instanceNameOf(service.secrets))).toBe('this installation')
  expect(await whoListens({ host, port }, '0123456789abcdef')).toBe('another Switchyard')
  expect(await whoListens({ host, port }, null)).toBe('another Switchyard')
})

test('an installation finds itself behind strangers, and behind ports that are free again', async () => {
  const stranger = createServer((_request, response) => response.end('who?'))
  await new Promise<void>((resolve) => stranger.listen(0, host, resolve))
  const taken = (stranger.address() as { port: number }).port
  const instance = instanceNameOf(service.secrets)

  const behind = await findInstance(host, [taken, port], instance)
  const another = await findInstance(host, [taken, port], '0123456789abcdef')
  await new Promise((resolve) => stranger.close(resolve))
  const beyond = await findInstance(host, [taken, port], instance)

  expect([behind, another, beyond]).toEqual([port, undefined, port])
})

test.each([['{"status":"ok"}'], ['null'], ['who?']])(
  'a program that answers %s is another one',
  async (body) => {
    const stranger = createServer((_request, response) => response.end(body))
    await new Promise<void>((resolve) => stranger.listen(0, host, resolve))
    onTestFinished(() => void stranger.close())
    const place = { host, port: (stranger.address() as { port: number }).port }

    expect(await whoListens(place, '0123456789abcdef')).toBe('another program')
  },
)

test('nothing listens at a free port', async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, host, resolve))
  const place = { host, port: (probe.address() as { port: number }).port }
  await new Promise((resolve) => probe.close(resolve))

  expect(await isFree(place)).toBe(true)
  expect(await whoListens(place, null)).toBe('none')
})
