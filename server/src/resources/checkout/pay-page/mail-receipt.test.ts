import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { LOCALES } from '#domain/locale.ts'
import { openMailer } from '#platform/mail/mailer.ts'
import { mailJob } from '#platform/mail/outbox.ts'
import { createLogger } from '#platform/observability/log.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { newSecret, openHostedPage, payOnPage } from '#testing/hosted-page.ts'
import { openPostOffice, type Post } from '#testing/smtp-server.ts'
import { receiptOf } from './mail-receipt.ts'

let service: TestService
let office: Post
beforeAll(async () => {
  office = await openPostOffice()
  const mailer = openMailer({ url: office.url, from: 'payments@shop.example' })
  service = await startTestService({ mailer })
  await service.send('PUT /merchant-accounts/default', { display_name: 'Fjord & <Pine>' })
})
afterEach(() => void office.letters.splice(0))
afterAll(async () => {
  await service.close()
  await office.close()
})

async function paid() {
  const { path } = await openHostedPage(service, {}, { locale: 'de', external_identifier: 'order-7' })
  const attempt = newSecret()
  const answer = await payOnPage(service, path, { attempt })
  expect(answer.json().status, answer.body).toBe('paid')
  return { path, attempt, id: answer.json().own.id as string }
}
const ask = (path: string, payload: object) =>
  service.app.inject({ method: 'POST', url: `${path}/receipt`, payload })
const deliver = () =>
  mailJob.run(
    {
      ...service,
      mailer: openMailer({ url: office.url, from: 'payments@shop.example' }),
      logger: createLogger('silent'),
    },
    new AbortController().signal,
  )

test('the buyer gets what the page shows, in its language', async () => {
  const { path, attempt, id } = await paid()

  const answer = await ask(path, { attempt, email_address: 'mara@example.com' })
  await deliver()

  expect(answer.statusCode, answer.body).toBe(204)
  expect(office.letters.map(({ to }) => to)).toEqual(['mara@example.com'])
  const { text = '' } = office.letters[0] ?? {}
  for (const part of ['Beleg von', '25,98', 'order-7', id]) expect(text, part).toContain(part)
  expect(text).toContain('&lt;Pine&gt;')
  expect(text).not.toContain('4111111111111111')
})

test('nobody else gets it, and nobody is flooded', async () => {
  const { path, attempt } = await paid()
  const to = { email_address: 'mara@example.com' }

  expect((await ask(path, to)).statusCode).toBe(404)
  expect((await ask(path, { ...to, attempt: newSecret() })).statusCode).toBe(404)
  for (const count of [1, 2, 3])
    expect((await ask(path, { ...to, attempt })).statusCode, `${count}`).toBe(204)
  expect((await ask(path, { ...to, attempt })).statusCode).toBe(429)
  const open = await openHostedPage(service)
  expect((await ask(open.path, to)).statusCode).toBe(404)
})

test.each([
  '',
  'mara',
  'a b@example.com',
  'mara@example.com\r\nBcc: x@example.com',
  `${'x'.repeat(300)}@example.com`,
])('an address such as %j is refused by its name', async (email_address) => {
  const { path, attempt } = await paid()
  const answer = await ask(path, { attempt, email_address })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().details).toMatchObject([{ pointer: '/email_address' }])
})

test('a page says whether receipts can be sent', async () => {
  const { path } = await openHostedPage(service)
  expect((await service.app.inject(path)).body).toContain('"sends_receipts":true')
})

test.each(LOCALES)('in %s', (locale) => {
  const merchant = {
    name: 'A & B',
    url: null,
    logo_url: null,
    banner_url: null,
    terms_url: null,
    message: null,
  }
  const order = { amount: 2598, currency: 'JPY', minor_units: 0, merchant, methods: [] } as never
  const own = {
    id: 'one',
    method: 'card',
    scheme: 'visa',
    label: '1111',
    gift_card_amount: 598,
    created_at: '2026-11-19T12:00:00.000Z',
    external_identifier: '7',
  } as never

  const { subject, html, text } = receiptOf({ to: 'a@b.example', locale, order, own })

  expect(subject).toContain('A & B')
  expect(html).toContain('A &amp; B')
  expect(text).toContain('1111')
  expect(text).not.toMatch(/undefined|null|[{}]/)
})
