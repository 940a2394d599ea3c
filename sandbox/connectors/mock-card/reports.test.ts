import { expect, test } from 'vitest'
import type { ReportLink } from '#connectors/contract/reports.ts'
import { reports } from './reports.ts'

function linkTo(answer: Response, fields: Record<string, string> = {}): ReportLink {
  return {
    environment: 'sandbox' as const,
    fields: { merchant_id: 'shop', ...fields },
    fetch: async () => answer,
    stream: async () => ({ status: answer.status, headers: answer.headers, body: (async function* () {})() }),
  }
}

test('names the reporting field that the processor does not accept', async () => {
  const answer = Response.json({ error: 'bad_request', field: 'fault' }, { status: 400 })

  expect(await reports.list(new Date(0), linkTo(answer))).toEqual({
    outcome: 'unreachable',
    message: 'the processor does not accept the reporting field report_fault',
  })
})

test('says that the merchant is unknown', async () => {
  const answer = Response.json({ error: 'unknown_merchant' }, { status: 401 })

  expect(await reports.list(new Date(0), linkTo(answer))).toMatchObject({
    outcome: 'unreachable',
    message: 'the processor knows no such merchant_id',
  })
})

test.each([[{ files: [{ id: 1 }], has_more: false }], [{ files: [] }], [{ files: 'all', has_more: true }]])(
  'does not trust an answer that is only nearly right: %j',
  async (body) => {
    expect(await reports.list(new Date(0), linkTo(Response.json(body)))).toMatchObject({
      outcome: 'unreachable',
    })
  },
)
