import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { useOwnFolder } from '#testing/own-folder.ts'
import { type Running, tokenOf } from '#testing/service-process.ts'

const own = useOwnFolder()

test('a request whose process is killed while it waits is not sent again, and its repetition says so', async () => {
  const received: IncomingMessage[] = []
  const receiver = createServer((request) => void received.push(request))
  receiver.listen(0, '127.0.0.1')
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await own.setUp()
  const first = await own.startProcess()
  const card = await own.call(first, '/payment-methods', {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
  })
  const { id } = (await card.json()) as { id: string }

  const cut = forward(first, { url, id }).catch((error: Error) => error)
  await expect.poll(() => received.length).toBe(1)
  await first.end('SIGKILL')
  const second = await own.startProcess()

  expect(await cut).toBeInstanceOf(Error)
  // Until the lease of the dead process is over, the key is taken.
  await expect.poll(async () => (await forward(second, { url, id })).status, { timeout: 100_000 }).toBe(200)
  const again = await forward(second, { url, id })
  expect(again.headers.get('x-vault-forward-outcome')).toBe('unknown')
  expect(await again.text()).toBe('')
  expect(received).toHaveLength(1)
})

async function forward(service: Running, { url, id }: { readonly url: string; readonly id: string }) {
  return fetch(`${service.url}/vault-forward`, {
    method: 'POST',
    body: '{"number":"{{ CARD_NUMBER_1 }}"}',
    headers: {
      authorization: `Bearer ${await tokenOf(own.dataDir)}`,
      'content-type': 'application/json',
      'idempotency-key': 'booking-1',
      'x-vault-forward-url': url,
      'x-vault-forward-http-method': 'POST',
      'x-vault-forward-payment-methods': id,
    },
  })
}
