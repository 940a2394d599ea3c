import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createOutgoing, type LookUp, nameLookup } from './outgoing.ts'

const FOUR = 1
const SIX = 28
const NO_SUCH_NAME = 3
const BROKEN = 2

/** How long the name servers have. */
const LIMIT_MS = 3_000

const undo: (() => unknown)[] = []

/** From here on, that time passes only by `vi.advanceTimersByTime`. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  undo.push(() => vi.useRealTimers())
}

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('twenty names whose servers do not answer delay no other, and hold no thread', async () => {
  const receiver = createServer((_, response) => response.end('taken')).listen(0, '127.0.0.1')
  undo.push(() => receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const server = await startNameServer((name, type) => (name.startsWith('slow') ? 'silence' : fourOnly(type)))
  const system = systemOf(() => 'silence')
  const { send } = open(nameLookup({ system: system.lookup, servers: [server.address] }), port)

  holdTime()
  let ended = 0
  const slow = Array.from({ length: 20 }, (_none, at) =>
    send(`slow${at}.example`).finally(() => {
      ended += 1
    }),
  )
  const ends = Promise.allSettled(slow)
  await expect.poll(() => new Set(server.asked).size).toBe(20)
  const answer = await send('good.example')

  expect(answer.body).toBe('taken')
  expect(ended).toBe(0)
  vi.advanceTimersByTime(LIMIT_MS)
  expect(await ends).toMatchObject(
    slow.map(() => ({ reason: { outcome: 'unreachable', reason: 'name_lookup_failed' } })),
  )
  expect(system.asked).toEqual([])
})

test('an address inside that a name server tells is refused', async () => {
  const server = await startNameServer((_name, type) => (type === FOUR ? ['10.0.0.1'] : ['::1']))
  const { send } = open(nameLookup({ servers: [server.address] }), 80)

  await expect(send('shop.example')).rejects.toMatchObject({ outcome: 'address_refused' })
})

test('finds all addresses of a name, of both families', async () => {
  const server = await startNameServer((_name, type) =>
    type === FOUR ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8::1'],
  )

  expect(await find('shop.example', { servers: [server.address] })).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})

test('takes the addresses of one family if there is no answer about the other', async () => {
  const server = await startNameServer((_name, type) => (type === FOUR ? ['192.0.2.1'] : 'silence'))
  const four = vi.spyOn(dns.promises.Resolver.prototype, 'resolve4')
  undo.push(() => four.mockRestore())
  holdTime()

  const finding = find('shop.example', { servers: [server.address] })
  await expect.poll(() => four.mock.settledResults).toMatchObject([{ type: 'fulfilled' }])
  vi.advanceTimersByTime(LIMIT_MS)

  expect(await finding).toEqual([{ address: '192.0.2.1', family: 4 }])
})

test('a name server that fails is not asked again by the system', async () => {
  const server = await startNameServer(() => BROKEN)
  const system = systemOf(() => [])

  const finding = find('shop.example', { system: system.lookup, servers: [server.address] })

  await expect(finding).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  expect(system.asked).toEqual([])
})

test('the system finds names of its hosts file and of its own network', async () => {
  const server = await startNameServer(() => NO_SUCH_NAME)
  const system = systemOf(() => ['10.0.0.7'])
  const names = ['localhost', 'receiver', 'receiver.payments.svc']

  for (const name of names) {
    expect(await find(name, { system: system.lookup, servers: [server.address] })).toEqual([
      { address: '10.0.0.7', family: 4 },
    ])
  }
  expect(system.asked).toEqual(names)
  expect(new Set(server.asked)).toEqual(new Set(['receiver.payments.svc']))
})

test('the system is asked for one name at a time, and not for those that waited too long', async () => {
  const server = await startNameServer(() => NO_SUCH_NAME)
  const system = systemOf((name) => (name.startsWith('slow') ? 'silence' : ['127.0.0.1']))
  const lookup = nameLookup({ system: system.lookup, servers: [server.address] })

  const findings = Array.from({ length: 20 }, (_none, at) => lookup(`slow${at}.example`))
  const ends = Promise.allSettled(findings)
  await expect.poll(() => new Set(server.asked).size).toBe(20)
  await expect.poll(() => system.asked).toHaveLength(1)
  const local = await lookup('localhost')
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + LIMIT_MS + 1)
  undo.push(() => later.mockRestore())
  system.answer()

  expect(local).toEqual([{ address: '127.0.0.1', family: 4 }])
  expect((await ends).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(system.asked.filter((name) => name.startsWith('slow'))).toHaveLength(1)
})

function open(lookup: LookUp, port: number) {
  const outgoing = createOutgoing({ isHttpAllowed: true, allowCidrs: ['127.0.0.1/32'], lookup })
  undo.push(outgoing.close)
  const request = { method: 'POST', headers: {}, body: '', deadlineMs: 5_000, answerMaxBytes: 100 } as const
  return { send: (name: string) => outgoing.send({ ...request, url: `http://${name}:${port}/` }) }
}

type Options = NonNullable<Parameters<typeof nameLookup>[0]>

function find(name: string, options: Options): ReturnType<LookUp> {
  return nameLookup(options)(name)
}

function fourOnly(type: number): readonly string[] {
  return type === FOUR ? ['127.0.0.1'] : []
}

/** In place of the system, which answers from a thread. `answer` ends its silence. */
function systemOf(addressesOf: (name: string) => readonly string[] | 'silence') {
  const asked: string[] = []
  const silent: (() => void)[] = []
  const lookup: LookUp = async (name) => {
    asked.push(name)
    const found = addressesOf(name)
    if (found !== 'silence') return found.map((address) => ({ address, family: 4 }))
    return new Promise((resolve) => silent.push(() => resolve([])))
  }
  const answer = () => {
    for (const end of silent.splice(0)) end()
  }
  return { lookup, asked, answer }
}

type Told = readonly string[] | number | 'silence'

/** Speaks as much DNS as is needed: one question, and its addresses or a code. */
async function startNameServer(tell: (name: string, type: number) => Told) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    const told = tell(name, type)
    if (told === 'silence') return
    const [code, addresses] = typeof told === 'number' ? [told, []] : [0, told]
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | code, 2)
    for (const [at, count] of [1, addresses.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * at)
    const records = addresses.map((one) => recordOf(type, one))
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  undo.push(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(type: number, address: string): Buffer {
  const bytes = type === SIX ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number))
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
  return Buffer.concat([head, bytes])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: 8 - groups(left).length - groups(right).length }, () => '0')
  const all = [...groups(left), ...zeros, ...groups(right)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
