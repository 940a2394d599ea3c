import { expect, test } from 'vitest'
import type { Link, Message } from './connector.ts'
import type { Stage } from './suite-stage.ts'

export function describeNotifications(stage: Stage): void {
  const tell = async () => {
    const told = await stage.bench.notify?.()
    if (!told) throw new Error('the bench sends no notifications')
    return told
  }
  const read = async (message: Message, fields: Link['fields'] = {}) => {
    const link = { ...stage.bench.link, fields: { ...stage.bench.link.fields, ...fields } }
    return stage.connector.readNotification?.(message, link)
  }
  const rejected = { outcome: 'rejected', message: expect.any(String) }

  test('reads a message of the provider, and names its subject', async () => {
    const { about, message, reference, attemptId, reconciliationId } = await tell()
    const subject = Object.entries({ reference, attemptId, reconciliationId }).filter(([, id]) => id != null)

    const reading = await read(message)

    const notifications = [expect.objectContaining({ about, ...Object.fromEntries(subject) })]
    expect(reading).toMatchObject({ outcome: 'read', notifications })
    expect(subject.length, 'a message without a subject').toBeGreaterThan(0)
  })

  test('rejects a message without a signature', async () => {
    const { message, unsigned = { headers: {}, body: message.body } } = await tell()

    expect(await read(unsigned)).toEqual(rejected)
  })

  test('rejects a message that was changed', async () => {
    const { message, changed } = await tell()
    const body = Buffer.concat([message.body, Buffer.from(' ')])

    expect(await read(changed ?? { ...message, body })).toEqual(rejected)
  })

  test('rejects a message that was signed with another secret', async () => {
    const secretFields = stage.connector.manifest.fields.filter(({ isSecret }) => isSecret)
    const others = Object.fromEntries(secretFields.map(({ key }) => [key, 'another-secret']))

    expect(await read((await tell()).message, others)).toEqual(rejected)
  })

  test.each(['', 'null', '[]', '{}', '"text"', '{"id":7}', '<html>'])('rejects %o', async (body) => {
    const { message } = await tell()

    expect(await read({ ...message, body: Buffer.from(body) })).toEqual(rejected)
  })
}
