import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Approval } from '#connectors/contract/connector.ts'
import { expireApprovals } from '#payments/acts/expire.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTestBank } from '#testing/test-bank.ts'
import { openTill, type Till } from '#testing/till.ts'

const BACK = 'https://shop.example.com/back'
const MINUTE = 60_000
const bank = openTestBank()

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const { connectors } = service.providers
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, bank.connector]) })
  await service.send('POST /payment-services', {
    display_name: 'Bank',
    payment_service_definition_id: 'test-bancontact',
    fields: [],
    accepted_currencies: ['EUR'],
    accepted_countries: ['BE'],
  })
})
beforeEach(() => bank.reset())
afterAll(() => service.close())

const METHOD = { method: 'bancontact', country: 'BE', currency: 'EUR', redirect_url: BACK }
const ask = async (approval: Approval) => {
  bank.approval = () => approval
  const payment = await till.pay({ currency: 'EUR', country: 'BE', payment_method: METHOD })
  expect(payment.status).toBe('buyer_approval_pending')
  const order = bank.authorized.at(-1)
  return {
    id: payment.id as string,
    attemptId: order?.attemptId ?? '',
    url: payment.payment_method.approval_url as string,
    path: new URL(payment.payment_method.approval_url).pathname,
    returnUrl: order?.redirectUrl ?? '',
  }
}
const open = (url: string) => service.app.inject({ method: 'GET', url })
const hashOf = (text: string | undefined) =>
  `'sha256-${createHash('sha256')
    .update(text ?? '')
    .digest('base64')}'`

const FORM: Approval = {
  kind: 'form',
  url: 'https://acs.bank.example.com/start?lang=en',
  fields: { MD: 'session-7', PaReq: '<"message">&', submit: 'yes' },
}
const QR: Approval = { kind: 'qr', text: 'bank://pay/4711', url: 'bankapp://pay/4711' }
const VOUCHER: Approval = {
  kind: 'voucher',
  number: '0034 1234 5678',
  url: 'https://bank.example.com/voucher/1',
}

const WAIT: Approval = { kind: 'wait', url: 'bankapp://approve/4711' }

describe('the page of a form', () => {
  test('sends the buyer on with the provider’s fields, by itself or by a button', async () => {
    const { path, url, returnUrl } = await ask(FORM)

    const { statusCode, body } = await open(path)

    expect(statusCode).toBe(200)
    expect(`${url}/return`).toBe(returnUrl)
    expect(body).toContain('<form method="post" action="https://acs.bank.example.com/start?lang=en">')
    expect(body).toContain('<input type="hidden" name="MD" value="session-7">')
    expect(body).toContain('value="&lt;&quot;message&quot;&gt;&amp;"')
    expect(body).toContain('<button value="approve">Continue</button>')
    expect(body).toContain('€10.00')
  })

  test('runs its own script alone, and posts to the web alone', async () => {
    const { path } = await ask(FORM)

    const { headers, body } = await open(path)

    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1]
    const script = /<script>(.*?)<\/script>/s.exec(body)?.[1]
    expect(script).toContain('submit')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action https:`,
    )
    expect(headers['cache-control']).toBe('no-store')
  })

  test('is no page if the form leads to a script', async () => {
    const { id, path } = await ask({ kind: 'form', url: 'javascript:alert(1)', fields: {} })

    const { statusCode, body } = await open(path)

    expect(statusCode).toBe(500)
    expect(body).not.toContain('alert')
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
  })
})

describe('the page of a QR code', () => {
  test('shows it, and looks again whether it was paid, also without scripts', async () => {
    const { path, returnUrl } = await ask(QR)

    const { headers, body } = await open(path)

    expect(body).toMatch(/<svg viewBox="0 0 (\d+) \1" role="img" aria-label="QR code"/)
    expect(body.match(/M\d+ \d+h1v1h-1z/g)?.length).toBeGreaterThan(100)
    expect(body).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>')
    expect(body).toContain('<a href="bankapp://pay/4711" class="main">')
    expect(body).toContain(`<a href="${returnUrl}">I have paid</a>`)
    // A phone cannot scan its own screen.
    expect(body).toContain('data-text="bank://pay/4711"')
    const script = /<script>(.*?)<\/script>/s.exec(body)?.[1]
    const policy = headers['content-security-policy']
    expect(policy).toContain(`script-src ${hashOf(script)}; `)
    expect(policy).toContain("form-action 'none'; connect-src 'self'")
  })

  test.each([null, 'javascript:alert(1)', 'data:text/html,x'])('has no link to %s', async (url) => {
    const { path } = await ask({ kind: 'qr', text: 'bank://pay/1', url })

    const { body } = await open(path)

    expect(body).toContain('<svg')
    expect(body.match(/<a href="([^"]*)"/g)).toHaveLength(1)
  })
})

describe('the page of a voucher', () => {
  test('shows the number, and until when it can be paid', async () => {
    bank.expiresAt = new Date('2040-03-01T12:00:00Z')
    const { id, path } = await ask(VOUCHER)

    const { body } = await open(path)

    expect(body).toContain('<output id="number" dir="ltr">0034 1234 5678</output>')
    expect(body).toMatch(/<dt>Pay by<\/dt><dd><bdi>Mar 1, 2040, 12:00\sPM UTC<\/bdi><\/dd>/)
    expect(body).toContain('<a href="https://bank.example.com/voucher/1">')
    expect((await till.get(id)).approval_expires_at).toMatch(/^2040-03-01T1[12]:/)
  })
})

describe('the page of an approval in an app', () => {
  test('says where the buyer approves, and looks again whether it was done', async () => {
    const { path, returnUrl } = await ask(WAIT)

    const { body } = await open(path)

    expect(body).toContain('<p id="waiting">Your bank or wallet has sent a message to your phone.')
    expect(body).toContain('<a href="bankapp://approve/4711" class="main">Open the app on this device</a>')
    expect(body).toContain(`<a href="${returnUrl}">I have paid</a>`)
    expect(body).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>')
  })
})

describe('every approval', () => {
  test.each([FORM, QR, VOUCHER, WAIT])(
    'of the kind $kind is sealed, and gone once it is decided',
    async (approval) => {
      const { id, attemptId, path, returnUrl } = await ask(approval)
      const kept = async () => {
        const { rows } = await sql<{ approval: Buffer | null }>`
        select approval from attempts where id = ${attemptId}`.execute(service.database.db)
        return rows[0]?.approval?.toString('latin1') ?? null
      }
      expect(await kept()).not.toBeNull()
      // With its quotes: two letters alone may stand in random bytes.
      expect(await kept()).not.toContain(JSON.stringify(approval.kind))

      const { result } = bank.decide(`bank-${attemptId}`, 'approve')
      await open(`${new URL(returnUrl).pathname}?result=${result}`)

      expect((await till.get(id)).status).toBe('authorization_succeeded')
      expect(await kept()).toBeNull()
      const again = await open(path)
      expect([again.statusCode, again.headers.location]).toEqual([303, expect.stringContaining(BACK)])
    },
  )

  test.each(['approve', 'refuse'])('is no place to decide: %s', async (decision) => {
    const { id, path } = await ask(QR)

    const answer = await service.app.inject({
      method: 'POST',
      url: path,
      payload: `decision=${decision}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    expect(answer.statusCode).toBe(404)
    expect((await till.get(id)).status).toBe('buyer_approval_pending')
  })

  test('leads on to the provider’s own address if it has one', async () => {
    const { id, path } = await ask(QR)
    bank.approval = () => ({ kind: 'redirect', url: 'https://bank.example.com/approve' })
    await service.send(`POST /transactions/${id}/sync`)

    const answer = await open(path)

    expect([answer.statusCode, answer.headers.location]).toEqual([303, 'https://bank.example.com/approve'])
  })

  test('ends when the provider says so, and not before', async () => {
    bank.expiresAt = new Date(Date.now() + 30 * MINUTE)
    const { id, attemptId, path } = await ask(VOUCHER)
    service.moveClock(29 * MINUTE)
    await expireApprovals(service.context, service.engine)
    expect((await open(path)).body).toContain('0034 1234 5678')

    service.moveClock(2 * MINUTE)

    expect((await open(path)).body).toContain('The time to pay is over')
    await expireApprovals(service.context, service.engine)
    await service.resolveDue()
    expect(bank.outcomeOf(attemptId)).toBe('canceled')
    expect((await till.get(id)).error_code).toBe('incomplete_buyer_approval')
  })
})

test.each([
  ['the payment says', 90],
  ['the documents of the provider say, if it says nothing with the payment', null],
])('the buyer has as long as %s', async (_what, minutes) => {
  const { connectors } = service.providers
  const terms = { shape: 'page', needs: [], seconds: 3_600 } as const
  const timed = { ...bank.connector, manifest: { ...bank.connector.manifest, terms } }
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, timed]) })
  const now = service.context.clock().getTime()
  bank.expiresAt = minutes === null ? undefined : new Date(now + minutes * MINUTE)
  const { id } = await ask(WAIT)
  Object.assign(service.providers, { connectors })

  const waitsMs = Date.parse((await till.get(id)).approval_expires_at) - now
  expect(Math.abs(waitsMs - (minutes ?? 60) * MINUTE)).toBeLessThan(MINUTE)
})
