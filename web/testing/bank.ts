import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { registryOf } from '#processing/service-accounts/registry.ts'
import type { TestService } from '#testing/harness.ts'
import { openTestBank, type TestBank } from '#testing/test-bank.ts'

export type BankWithPages = {
  readonly bank: TestBank
  /** Lets the bank refuse, or not refuse, to be shown in a frame. */
  readonly refuseFrames: (isRefusing: boolean) => void
  readonly close: () => void
}

/** A bank of the service whose customers decide on a page of its own host. They pay euros in Belgium. */
export async function openBankWithPages(service: TestService): Promise<BankWithPages> {
  const bank = openTestBank()
  let isRefusing = false
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (isRefusing) response.setHeader('x-frame-options', 'DENY')
    response.end(pageFor(bank, url.slice(1)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  bank.approval = (reference) => ({
    kind: 'redirect',
    url: `http://bank.localhost:${port}/${reference}`,
    isForFrames: true,
  })
  const { connectors } = service.providers
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, bank.connector]) })
  const made = await service.send('POST /payment-services', {
    display_name: 'Bank',
    payment_service_definition_id: bank.connector.manifest.id,
    fields: [],
    accepted_currencies: ['EUR'],
    accepted_countries: ['BE'],
  })
  expect(made.statusCode, made.body).toBe(201)
  return {
    bank,
    refuseFrames: (next) => {
      isRefusing = next
    },
    close: () => server.close(),
  }
}

/** What is asked for beside the page, such as its icon, is of no payment. */
function pageFor(bank: TestBank, reference: string): string {
  const order = bank.authorized.find(({ attemptId }) => reference === `bank-${attemptId}`)
  const link = (decision: 'approve' | 'refuse') => {
    const back = new URL(order?.redirectUrl ?? 'http://bank.localhost')
    for (const [name, value] of Object.entries(bank.decide(reference, decision)))
      back.searchParams.set(name, value)
    return `<p><a href="${back.href.replaceAll('&', '&amp;')}">${decision}</a></p>`
  }
  return `<!doctype html><html lang="en"><title>Bank</title><link rel="icon" href="data:,">
<h1>Your bank</h1>${link('approve')}${link('refuse')}</html>`
}
