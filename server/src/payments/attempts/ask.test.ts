import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openReplayer } from '#testing/test-replayer.ts'
import { openTill, type Till } from '#testing/till.ts'

const replayer = openReplayer()

let service: TestService
let till: Till
let serviceId: string
beforeAll(async () => {
  service = await startTestService({ connectors: [replayer.connector] })
  till = openTill(service)
  const made = await service.send('POST /payment-services', {
    display_name: 'Replayer',
    payment_service_definition_id: 'test-replayer',
    fields: [],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  serviceId = made.json().id
})
afterAll(() => service.close())

const BROWSER = {
  javascript_enabled: true,
  java_enabled: false,
  language: 'pt-BR',
  color_depth: 24,
  screen_height: 1080,
  screen_width: 1920,
  time_zone_offset: 180,
  user_agent: 'Mozilla/5.0',
  user_device: 'desktop',
}

test.each([
  ['the language of the buyer’s browser', { browser_info: BROWSER }, 'pt-BR'],
  ['nothing if the browser is not known', {}, null],
  ['nothing if its language has no known form', { browser_info: { ...BROWSER, language: '?' } }, null],
])('a provider gets as the locale %s', async (_what, more, locale) => {
  await till.pay({ payment_service_id: serviceId, ...more })

  expect(replayer.sent.at(-1)?.order).toMatchObject({ buyer: { locale } })
})
