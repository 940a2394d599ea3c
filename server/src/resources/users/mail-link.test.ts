import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMailer } from '#platform/mail/mailer.ts'
import { mailJob } from '#platform/mail/outbox.ts'
import { createLogger } from '#platform/observability/log.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openPostOffice, type Post } from '#testing/smtp-server.ts'

let service: TestService
let office: Post
beforeAll(async () => {
  office = await openPostOffice()
  service = await startTestService({ mailer: openMailer({ url: office.url, from: 'pay@shop.example' }) })
})
afterAll(async () => {
  await service.close()
  await office.close()
})

test('an invited user gets the link that the caller gets, and a new one when asked again', async () => {
  const invited = { email_address: 'mara@example.com', name: 'Mara <Lind>', role_ids: ['analyst'] }
  const made = await service.send('POST /users', invited)
  const again = await service.send(`POST /users/${made.json().id}/invitations`)
  const rows = await service.database.db.selectFrom('mails').selectAll().execute()
  const mailer = openMailer({ url: office.url, from: 'pay@shop.example' })
  await mailJob.run({ ...service, mailer, logger: createLogger('silent') }, new AbortController().signal)

  expect(made.statusCode, made.body).toBe(201)
  const links = [made, again].map((answer) => answer.json().invitation_url as string)
  // Lines are folded, and an equals sign is written as a number.
  const texts = office.letters.map(({ text }) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
  expect(office.letters.map(({ to }) => to)).toEqual(['mara@example.com', 'mara@example.com'])
  for (const link of links) expect(texts.filter((text) => text.includes(link))).toHaveLength(1)
  expect(texts[0]).toContain('Mara &lt;Lind&gt;')
  for (const { content } of rows) expect(content?.includes('invitation#')).toBe(false)
})

test('a user who cannot be made gets no mail', async () => {
  const count = office.letters.length
  const twin = { email_address: 'mara@example.com', name: 'Twin', role_ids: ['analyst'] }
  expect((await service.send('POST /users', twin)).statusCode).toBe(409)
  const mailer = openMailer({ url: office.url, from: 'pay@shop.example' })
  await mailJob.run({ ...service, mailer, logger: createLogger('silent') }, new AbortController().signal)
  expect(office.letters).toHaveLength(count)
})
