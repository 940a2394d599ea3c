import { afterAll, beforeAll, expect, test } from 'vitest'
import { contrastOf, TEXT_CONTRAST } from '#domain/contrast.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { lookOf, SHEET } from './look.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const THEME = '/merchant-accounts/default/theme'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())

const detailsOf = (response: { json: () => { details: { pointer: string; message: string }[] } }) =>
  response.json().details

test('an account has the usual look until it is changed', async () => {
  const theme = await service.send('GET /merchant-accounts/other-shop/theme')

  expect(theme.statusCode).toBe(200)
  expect(theme.json()).toEqual({
    type: 'merchant-account.theme',
    merchant_account_id: 'other-shop',
    accent_color: null,
    accent_color_dark: null,
    radius: null,
    font: null,
    logo_url: null,
    updated_at: null,
  })
})

test('changes what it names, keeps the rest, and clears with null', async () => {
  await service.send(`PUT ${THEME}`, { accent_color: 'navy', radius: 'large', font: 'serif' })

  const changed = await service.send(`PUT ${THEME}`, { radius: null, accent_color_dark: '#8ab4f8' })

  expect(changed.statusCode, changed.body).toBe(200)
  expect(changed.json()).toMatchObject({
    accent_color: '#000080',
    accent_color_dark: '#8ab4f8',
    radius: null,
    font: 'serif',
  })
  expect((await service.send(`GET ${THEME}`)).json()).toEqual(changed.json())
})

test('records each change in the audit log', async () => {
  await service.send(`PUT ${THEME}`, { font: 'mono' })

  const [latest] = (await service.send('GET /audit-logs?limit=1')).json().items
  expect(latest).toMatchObject({
    action: 'updated',
    resource: { type: 'merchant-account.theme', id: 'default' },
  })
})

test('refuses a colour that some buyers cannot read, and names the nearest that they can', async () => {
  const before = (await service.send(`GET ${THEME}`)).json()

  const refused = await service.send(`PUT ${THEME}`, {
    accent_color: '#ffcc00',
    accent_color_dark: '#000080',
  })

  expect(refused.statusCode).toBe(400)
  const [light, dark] = detailsOf(refused)
  expect(light).toMatchObject({ pointer: '/accent_color' })
  expect(dark).toMatchObject({ pointer: '/accent_color_dark' })
  for (const [detail, behind] of [
    [light, SHEET.light],
    [dark, SHEET.dark],
  ] as const) {
    const shade = /is (#[0-9a-f]{6})$/.exec(detail?.message ?? '')?.[1] ?? ''
    expect(contrastOf(shade, behind)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
  }
  expect((await service.send(`GET ${THEME}`)).json()).toEqual(before)
})

test.each([
  ['no colour', { accent_color: 'url(https://evil.example)' }, '/accent_color'],
  ['a colour to see through', { accent_color: '#00000080' }, '/accent_color'],
  ['an unknown font', { font: 'Comic Sans' }, '/font'],
  ['an unknown radius', { radius: '9px' }, '/radius'],
  ['a logo elsewhere', { logo: { media_type: 'image/png', data: 'https://a.example/b' } }, '/logo/data'],
  ['a picture with a script', { logo: { media_type: 'image/svg+xml', data: PNG } }, '/logo/media_type'],
  ['a page as a picture', { logo: { media_type: 'image/png', data: 'PGh0bWw+' } }, '/logo/data'],
  ['another type than it says', { logo: { media_type: 'image/jpeg', data: PNG } }, '/logo/data'],
  [
    'a picture that is too large',
    { logo: { media_type: 'image/png', data: Buffer.alloc(102_401, 1).toString('base64') } },
    '/logo/data',
  ],
])('refuses %s', async (_name, body, pointer) => {
  const refused = await service.send(`PUT ${THEME}`, body)

  expect(refused.statusCode).toBe(400)
  expect(detailsOf(refused)[0]).toMatchObject({ pointer })
})

test('serves the logo at an address that changes with it', async () => {
  const logo = { media_type: 'image/png', data: PNG }
  const { logo_url } = (await service.send(`PUT ${THEME}`, { logo })).json()
  const path = new URL(logo_url).pathname

  const picture = await service.send(`GET ${path}`, undefined, { token: null })

  expect(picture.statusCode).toBe(200)
  expect(picture.headers['content-type']).toBe('image/png')
  expect(picture.headers['x-content-type-options']).toBe('nosniff')
  expect(picture.rawPayload.toString('base64')).toBe(PNG)
  const elsewhere = path.replace('/default/', '/other-shop/')
  expect((await service.send(`GET ${elsewhere}`, undefined, { token: null })).statusCode).toBe(404)

  await service.send(`PUT ${THEME}`, { logo: null })
  expect((await service.send(`GET ${path}`, undefined, { token: null })).statusCode).toBe(404)
})

test('hides the theme of an account that the key may not use', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['default'] }))

  expect(
    (await service.send('GET /merchant-accounts/other-shop/theme', undefined, { token })).statusCode,
  ).toBe(404)
  expect((await service.send('PUT /merchant-accounts/other-shop/theme', {}, { token })).statusCode).toBe(404)
})

test.each(['#ffff00', '#000000', '#ffffff', '#808080', null])(
  'a page can be read whatever colour a link asks for: %s',
  (color) => {
    const look = lookOf(undefined, color)

    expect(contrastOf(look.accent, SHEET.light)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
    expect(contrastOf(look.accent_dark, SHEET.dark)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
    expect(contrastOf(look.accent, look.on_accent)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
    expect(contrastOf(look.accent_dark, look.on_accent_dark)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
  },
)
