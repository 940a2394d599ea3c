import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { switchyard } from '#testing/command-line.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { checkPages, checkPagesWeekly } from './check.ts'

const WEEK_MS = 7 * 86_400_000

type Change = (address: string, headers: OutgoingHttpHeaders, body: Buffer) => Buffer

let service: TestService
let proxy: Server
let url: string
let change: Change

beforeAll(async () => {
  service = await startTestService()
  // Stands between the service and its buyers, and may change what passes.
  proxy = createServer(async (request, response) => {
    const passed = await service.app.inject({ method: 'GET', url: request.url ?? '/' })
    const headers = { ...passed.headers } as OutgoingHttpHeaders
    delete headers['content-length']
    const body = change(request.url ?? '', headers, passed.rawPayload)
    response.writeHead(passed.statusCode, headers).end(body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
})
afterAll(async () => {
  proxy.close()
  await service.close()
})
beforeEach(() => {
  change = (_address, _headers, body) => body
})

async function told(): Promise<{ name: string; target: Record<string, unknown> }[]> {
  const response = await service.send('GET /events?name=page-check.failed', undefined, { account: '*' })
  return response.json().items
}

describe('a check of the payment pages', () => {
  test('finds nothing if buyers get what was built', async () => {
    expect(await checkPages(service.context, url)).toEqual([])
    expect(await told()).toEqual([])
  })

  test.each<[string, RegExp, string, Change]>([
    [
      'a script that differs by one byte',
      /^\/fields\/assets\/input-.+[.]js$/,
      'its content is sha384-',
      (address, _headers, body) =>
        /input-.*[.]js$/.test(address) ? Buffer.concat([body, Buffer.from(' ')]) : body,
    ],
    [
      'a page with one more script',
      /^\/controller[.]html/,
      'its content is sha384-',
      (address, _headers, body) =>
        address.startsWith('/controller')
          ? Buffer.from(`${body}<script src="//evil.example"></script>`)
          : body,
    ],
    [
      'a weaker policy',
      /^\/input[.]html/,
      'its header content-security-policy is "script-src *" instead of "default-src \'none\'',
      (address, headers, body) => {
        if (address.startsWith('/input')) headers['content-security-policy'] = 'script-src *'
        return body
      },
    ],
    [
      'a header that is gone',
      /^\/controller[.]html/,
      'its header referrer-policy is missing instead of "no-referrer"',
      (address, headers, body) => {
        if (address.startsWith('/controller')) delete headers['referrer-policy']
        return body
      },
    ],
    [
      'a header that was added',
      /^\/input[.]html/,
      'it has a header set-cookie, which this page does not have',
      (address, headers, body) => {
        if (address.startsWith('/input')) headers['set-cookie'] = 'watch=1'
        return body
      },
    ],
    [
      'a pay page with one more script',
      /^\/pay\/example$/,
      'its content is sha384-',
      (address, _headers, body) =>
        address === '/pay/example'
          ? Buffer.from(String(body).replace('</head>', '<script src="//evil.example"></script></head>'))
          : body,
    ],
    [
      'a script among the data of the pay page',
      /^\/pay\/example$/,
      'its content is sha384-',
      (address, _headers, body) =>
        address === '/pay/example'
          ? Buffer.from(
              String(body).replace('id="data">', 'id="data">{}</script><script>alert(1)</script><script>'),
            )
          : body,
    ],
    [
      'a pay page that others may frame',
      /^\/pay\/example$/,
      'its header content-security-policy is',
      (address, headers, body) => {
        const policy = String(headers['content-security-policy'])
        if (address === '/pay/example')
          headers['content-security-policy'] = policy.replace("frame-ancestors 'none'", 'frame-ancestors *')
        return body
      },
    ],
    [
      'another inventory',
      /^\/pay\/scripts[.]json$/,
      'it does not list the scripts of this build',
      (address, _headers, body) => (address === '/pay/scripts.json' ? Buffer.from('{}') : body),
    ],
  ])('finds %s, and raises an event', async (_name, address, problem, changing) => {
    change = changing
    const before = (await told()).length

    const findings = await checkPages(service.context, url)

    expect(findings).toEqual([
      { address: expect.stringMatching(address), problem: expect.stringContaining(problem) },
    ])
    const [event, ...others] = await told()
    expect(others).toHaveLength(before)
    expect(event?.target).toMatchObject({ type: 'page-check', url, findings })
    const audit = await service.send('GET /audit-logs', undefined, { account: '*' })
    expect(audit.json().items[0]).toMatchObject({
      action: 'created',
      resource: { type: 'page-check', id: event?.target['id'] },
    })
  })

  test('finds pages that cannot be reached', async () => {
    const findings = await checkPages(service.context, 'http://127.0.0.1:1')

    expect(findings.length).toBeGreaterThan(4)
    expect(new Set(findings.map(({ problem }) => problem))).toEqual(
      new Set(['it cannot be fetched: bad port']),
    )
  })

  test('is made once a week, by one of several processes', async () => {
    const rows = async () =>
      (await service.database.db.selectFrom('page_checks').selectAll().execute()).filter(
        (row) => row.url === `${url}/`,
      )
    service.moveClock(WEEK_MS + 1_000)

    await Promise.all([1, 2, 3].map(() => checkPagesWeekly(service.context, `${url}/`)))
    expect(await rows()).toHaveLength(1)
    await checkPagesWeekly(service.context, `${url}/`)
    expect(await rows()).toHaveLength(1)
    service.moveClock(WEEK_MS + 1_000)
    await checkPagesWeekly(service.context, `${url}/`)
    expect(await rows()).toHaveLength(2)
  })

  test('is made again if it was interrupted', async () => {
    service.moveClock(WEEK_MS + 1_000)
    await service.database.db
      .insertInto('page_checks')
      .values({
        id: crypto.randomUUID(),
        url: 'http://interrupted',
        findings: null,
        created_at: service.context.clock(),
      })
      .execute()

    await checkPagesWeekly(service.context, url)
    const after = await service.database.db.selectFrom('page_checks').selectAll().execute()
    service.moveClock(11 * 60_000)
    await checkPagesWeekly(service.context, url)

    const rows = await service.database.db.selectFrom('page_checks').selectAll().execute()
    expect(rows).toHaveLength(after.length + 1)
  })
})

describe('switchyard pages verify', () => {
  test('says that the pages are as they were built', async () => {
    const outcome = await switchyard(['pages', 'verify', '--only-look', '--url', url])

    expect(outcome).toEqual({
      code: 0,
      stdout: `The payment pages at ${url} are those of this build.\n`,
      stderr: '',
    })
  })

  test('fails with what differs', async () => {
    change = (address, _headers, body) => (address === '/fields.js' ? Buffer.from('') : body)

    const outcome = await switchyard(['pages', 'verify', '--only-look', '--url', url])

    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain('  /fields.js: its content is sha384-')
  })

  test('wants an address', async () => {
    const outcome = await switchyard(['pages', 'verify', '--only-look', '--url', 'pay.example.com'])

    expect(outcome.code).toBe(2)
  })
})
