import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLogger } from '#platform/observability/log.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openPostOffice, type Post } from '#testing/smtp-server.ts'
import { inTransaction } from '../database/db.ts'
import { type Mailer, openMailer } from './mailer.ts'
import { countOf, mailJob, post } from './outbox.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MAIL = { to: 'mara@example.com', subject: 'Hello', text: 'Dear Mara', html: '<p>Dear Mara</p>' }

let service: TestService
let office: Post
let mailer: Mailer
beforeAll(async () => {
  service = await startTestService()
  office = await openPostOffice()
  mailer = openMailer({ url: office.url, from: 'Fjord & Pine <payments@shop.example>' })
})
afterEach(async () => {
  await service.database.db.deleteFrom('mails').execute()
  office.letters.splice(0)
})
afterAll(async () => {
  await office.close()
  await service.close()
})

const write = (mail = MAIL, topic = 'tests/1') =>
  inTransaction(service.context, (tx) => post(tx, service.secrets, topic, mail))
const run = (by: Mailer | null = mailer) =>
  mailJob.run({ ...service, mailer: by, logger: createLogger('silent') }, new AbortController().signal)
const rows = () => service.database.db.selectFrom('mails').selectAll().execute()

test('a mail is sent once, with its parts, and its text is gone', async () => {
  await write()
  const [waiting] = await rows()
  expect(waiting?.content?.includes('mara@example.com')).toBe(false)

  await run()
  await run()

  expect(office.letters).toHaveLength(1)
  const [{ to, text } = { to: '', text: '' }] = office.letters
  expect(to).toBe('mara@example.com')
  expect(text).toMatch(/^From: "?Fjord & Pine"? <payments@shop[.]example>/m)
  expect(text).toContain(`Message-ID: <${waiting?.id}@shop.example>`)
  expect(text).toContain('Dear Mara')
  expect(text).toContain('<p>Dear Mara</p>')
  expect(await rows()).toMatchObject([{ content: null, due_at: null }])
})

test('a transaction that fails sends nothing', async () => {
  const failing = inTransaction(service.context, async (tx) => {
    await post(tx, service.secrets, 'tests/1', MAIL)
    throw new Error('no')
  })

  await expect(failing).rejects.toThrow('no')
  await run()
  expect(office.letters).toEqual([])
})

test('a server that is busy or away is asked again, later and later, for a day', async () => {
  await write()
  office.refuseNext(451)
  await run()
  await run()
  expect(office.letters).toHaveLength(0)

  service.moveClock(MINUTE)
  await run({ send: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) })
  service.moveClock(MINUTE)
  await run()
  expect(office.letters).toHaveLength(0)
  service.moveClock(4 * MINUTE)
  await run()

  expect(office.letters).toHaveLength(1)
})

test('a mail that is refused for good, or for a day, is given up', async () => {
  await write()
  office.refuseNext(550)
  await run()
  service.moveClock(DAY)
  await run()
  expect(office.letters).toHaveLength(0)

  await write()
  for (let count = 0; count < 8; count += 1) {
    office.refuseNext(451)
    await run()
    service.moveClock(6 * 60 * MINUTE)
  }
  await run()
  expect(office.letters).toHaveLength(0)
})

test('a wrong password is the operator’s mistake: the mail waits until it is mended', async () => {
  await write()
  await run(openMailer({ url: office.url.replace('let-me-in', 'wrong'), from: 'a@shop.example' }))
  service.moveClock(MINUTE)
  await run()

  expect(office.letters).toHaveLength(1)
})

test('mails are counted by what they are about, and forgotten after a day', async () => {
  await write()
  await write(MAIL, 'tests/2')
  await run()
  expect(await countOf(service.context, 'tests/1')).toBe(1)

  service.moveClock(DAY)
  expect(await countOf(service.context, 'tests/1')).toBe(0)
  await run()
  expect(await rows()).toEqual([])
})

test('a name cannot add a header', async () => {
  await write({ ...MAIL, subject: 'Hello\r\nBcc: other@example.com' })
  await run()

  expect(office.letters).toHaveLength(1)
  expect(office.letters[0]?.text).not.toMatch(/^Bcc:/m)
})
