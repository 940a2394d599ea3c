import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

const SCHEMES_OF_THE_CONTRACT = [
  'accel',
  'amex',
  'bancontact',
  'carte-bancaire',
  'cirrus',
  'culiance',
  'dankort',
  'diners-club',
  'discover',
  'eftpos-australia',
  'elo',
  'hipercard',
  'jcb',
  'maestro',
  'mastercard',
  'mir',
  'nyce',
  'other',
  'pulse',
  'qcard',
  'rupay',
  'star',
  'uatp',
  'unionpay',
  'visa',
]
const ICON_BYTES_MAX = 3_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('lists exactly the schemes of the contract, each with a name', async () => {
  const response = await service.send('GET /card-scheme-definitions')

  expect(response.statusCode, response.body).toBe(200)
  const items: { id: string; type: string; display_name: string }[] = response.json().items
  expect(items.map(({ id }) => id)).toEqual(SCHEMES_OF_THE_CONTRACT)
  expect(items.find(({ id }) => id === 'eftpos-australia')).toMatchObject({
    type: 'card-scheme-definition',
    display_name: 'eftpos Australia',
  })
})

test.each(SCHEMES_OF_THE_CONTRACT)('serves the icon of %s itself, without a token', async (scheme) => {
  const list = await service.send('GET /card-scheme-definitions')
  const { icon_url } = list.json().items.find(({ id }: { id: string }) => id === scheme)

  const response = await service.send(`GET ${new URL(icon_url).pathname}`, undefined, { token: null })

  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('image/svg+xml')
  expect(response.rawPayload.length).toBeLessThan(ICON_BYTES_MAX)
  expect(complaintsAboutIcon(response.body)).toEqual([])
})

test('has no icon for an unknown scheme, and none outside its folder', async () => {
  for (const name of ['unknown.svg', 'visa', 'visa.png', '..%2F..%2Fmigrations', '__proto__']) {
    const response = await service.send(`GET /assets/card-schemes/${name}`, undefined, { token: null })

    expect(response.statusCode, name).toBe(404)
  }
})

test('finds what an icon must not contain', () => {
  const icon = (inner: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 32" role="img"><title>A</title>${inner}</svg>`

  expect(complaintsAboutIcon(icon('<path d="M0 0"/>'))).toEqual([])
  expect(complaintsAboutIcon(icon('<g><path d="M0 0"/>'))).toEqual(['</svg> closes <g>'])
  expect(complaintsAboutIcon(icon('<path d="M0 0/>'))).not.toEqual([])
  expect(complaintsAboutIcon(icon('<script>1</script>'))).toEqual(['<script> may not be used'])
  expect(complaintsAboutIcon(icon('<text>A</text>'))).toEqual(['<text> may not be used'])
  expect(complaintsAboutIcon(icon('<path onload="1"/>'))).toEqual(['onload may not be used'])
  expect(complaintsAboutIcon(icon('<path href="https://example.com"/>'))).toEqual(['href may not be used'])
  expect(complaintsAboutIcon('<svg xmlns="http://www.w3.org/2000/svg"/>')).not.toEqual([])
})

const ELEMENTS = new Set(['svg', 'title', 'path', 'rect', 'circle', 'g'])
const MARKUP = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*(\/?)>/g

/** Icons are simple enough for a strict reader of a few lines to prove them well-formed and harmless. */
function complaintsAboutIcon(svg: string): string[] {
  const complaints: string[] = []
  const open: string[] = []
  for (const [, closing, name = '', attributes = '', empty] of svg.matchAll(MARKUP)) {
    if (closing) {
      const opened = open.pop()
      if (opened !== name) complaints.push(`</${name}> closes <${opened}>`)
      continue
    }
    if (!ELEMENTS.has(name)) complaints.push(`<${name}> may not be used`)
    for (const [, attribute = ''] of attributes.matchAll(/([\w:-]+)=/g)) {
      if (/^(on|style$|(xlink:)?href$)/.test(attribute)) complaints.push(`${attribute} may not be used`)
    }
    if (!empty) open.push(name)
  }
  if (open.length > 0 && complaints.length === 0) complaints.push(`<${open.at(-1)}> is never closed`)
  if (/[<>&]/.test(svg.replaceAll(MARKUP, ''))) complaints.push('there is text that is not markup')
  if (!/^<svg [^>]*viewBox="0 0 48 32"[^>]* role="img"><title>[^<]+<\/title>/.test(svg)) {
    complaints.push('it lacks its size, role or title')
  }
  return complaints
}
