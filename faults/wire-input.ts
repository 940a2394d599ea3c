import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '../lab/product.ts'
import { complaints, type Form } from './program.ts'

const SLOW_CLIENTS = { full: 500, short: 50 }
/** The service gives a request 30 seconds to arrive. A machine that is busy may take longer. */
const PATIENCE_MS = 60_000
const ANSWER_MS_MAX = { full: 5_000, short: 60_000 }

/** Input that is not valid HTTP, and slow clients. */
export async function sendWireInput(place: Place, form: Form): Promise<{ sent: number; broken: string[] }> {
  const broken: string[] = []
  for (const bytes of brokenExchanges(place)) {
    const answer = await exchange(place, bytes)
    if (!isRefusal(answer))
      broken.push(`${JSON.stringify(bytes.slice(0, 80))} was answered ${answer.slice(0, 200)}`)
  }
  const slow = await beSlow(place, form)
  return {
    sent: brokenExchanges(place).length + SLOW_CLIENTS[form],
    broken: [...complaints('was not HTTP, and was not refused', broken), ...slow],
  }
}

function brokenExchanges({ token }: Place): string[] {
  const head = `POST /buyers HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json`
  return [
    'NONSENSE\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /buyers\r\n\r\n',
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    `GET /buyers HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    'GET /buyers HTTP/1.1\r\nhost: a\r\nbad name: x\r\n\r\n',
    'GET /buyers HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n',
    `${head}\r\ncontent-length: -1\r\n\r\n{}`,
    `${head}\r\ncontent-length: 1e3\r\n\r\n{}`,
    `${head}\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    // Two lengths in one request are the way to smuggle a second request inside it.
    `${head}\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${head}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${head}\r\ntransfer-encoding: gzip\r\n\r\n{}`,
  ]
}

/** A 4xx, or a closed connection without an answer. */
function isRefusal(answer: string): boolean {
  return answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer)
}

function exchange({ url }: Place, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(bytes, 'latin1'))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.setTimeout(PATIENCE_MS, () => {
      answer ||= `with nothing for ${PATIENCE_MS} ms`
      socket.destroy()
    })
    socket.on('close', () => resolve(answer))
  })
}

/** Requests that arrive a byte at a time and never end. Others must not have to wait for them. */
async function beSlow(place: Place, form: Form): Promise<string[]> {
  const slow = Array.from({ length: SLOW_CLIENTS[form] }, (_, index) => slowClient(place, index % 2 === 0))
  const begin = performance.now()
  const answer = await fetch(`${place.url}/buyers`, { headers: { authorization: `Bearer ${place.token}` } })
  await answer.text()
  const ms = performance.now() - begin
  const isLate = ms > ANSWER_MS_MAX[form]
  const broken = isLate ? [`beside slow clients an answer took ${Math.round(ms)} ms`] : []
  // The service needs half a minute to refuse all of them.
  if (form === 'full') {
    while (slow.some(({ isOpen }) => isOpen()) && performance.now() - begin < PATIENCE_MS) await sleep(100)
    const open = slow.filter(({ isOpen }) => isOpen()).length
    if (open > 0) broken.push(`${open} requests that never end are still waited for`)
    const odd = slow.map(({ answer }) => answer()).filter((text) => !isRefusal(text))
    broken.push(...complaints('a request that never ended was answered', odd))
  }
  for (const { close } of slow) close()
  return answer.status === 200 ? broken : [...broken, `beside slow clients there was a ${answer.status}`]
}

function slowClient({ url, token }: Place, isInBody: boolean) {
  let answer = ''
  let isOpen = true
  const head = 'POST /buyers HTTP/1.1\r\nhost: a\r\ncontent-type: application/json'
  const start = isInBody ? `${head}\r\nauthorization: Bearer ${token}\r\ncontent-length: 1000\r\n\r\n{` : head
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(start))
  const drip = setInterval(() => socket.writable && socket.write(' '), 1_000)
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(drip)
    isOpen = false
  })
  return { isOpen: () => isOpen, answer: () => answer, close: () => socket.destroy() }
}
