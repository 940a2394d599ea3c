import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { type Counter, fieldIn, openCounter, visitShop } from '../testing/shop.ts'

/** The public browser client, as its package has it, against our frames. */

const NUMBER = '4111111111111111'
const HTML = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<form>
<div class="field" id="a"><input id="cc-number"></div>
<div class="field" id="b"><input id="cc-expiry"></div>
<div class="field" id="c"><input id="cc-code"></div>
<div class="field" id="d"><input id="cc-postal"></div>
</form>
<script src="/client.js"></script></html>`

type Told = { readonly name: string; readonly data: Record<string, unknown> }
type Client = {
  readonly SecureFields: new (
    options: object,
  ) => {
    readonly addCardNumberField: (place: string, options?: object) => Listening
    readonly addExpiryDateField: (place: string, options?: object) => Listening
    readonly addSecurityCodeField: (place: string, options?: object) => Listening
    readonly addField: (place: string, options: object) => Listening
    readonly submit: () => void
  } & Listening
}
type Listening = { readonly addEventListener: (name: string, listen: (data: Told['data']) => void) => void }
declare const window: Client & {
  SECURE_FIELDS_FRAME_URL: string
  told: Told[]
  form: InstanceType<Client['SecureFields']>
}

let browser: Browser
let counter: Counter

beforeAll(async () => {
  if (!hasBrowser) return
  counter = await openCounter()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await counter?.service.close()
})

async function showForm(page: Page, session: string): Promise<void> {
  await page.evaluate(
    ({ origin, session }) => {
      window.SECURE_FIELDS_FRAME_URL = origin
      window.told = []
      const form = new window.SecureFields({ gr4vyId: 'any', environment: 'sandbox', sessionId: session })
      window.form = form
      const note = (name: string) => (data: Told['data']) => void window.told.push({ name, data })
      for (const name of ['ready', 'form-change', 'card-vault-success', 'card-vault-failure']) {
        form.addEventListener(name, note(name))
      }
      const number = form.addCardNumberField('#cc-number', {
        placeholder: 'Number',
        styles: { color: 'rgb(1, 2, 3)' },
      })
      form.addExpiryDateField('#cc-expiry')
      form.addSecurityCodeField('#cc-code')
      form.addField('#cc-postal', { type: 'postalCode' })
      for (const name of ['focus', 'blur', 'input']) number.addEventListener(name, note(`number:${name}`))
    },
    { origin: counter.origin, session },
  )
  await expect.poll(() => namesOf(page)).toContain('ready')
}

const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g

const toldBy = (page: Page) => page.evaluate(() => window.told)
const namesOf = async (page: Page) => (await toldBy(page)).map(({ name }) => name)

async function type(page: Page, number = NUMBER): Promise<void> {
  await fieldIn(page, '#a').pressSequentially(number)
  await fieldIn(page, '#b').pressSequentially('1240')
  await fieldIn(page, '#c').pressSequentially('737')
  await fieldIn(page, '#d').pressSequentially('95113')
}

describe.runIf(hasBrowser)('the public browser client', () => {
  test('enters a card without any window hearing its number', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: HTML }, async (page, heard) => {
      await showForm(page, session)
      await type(page)
      await expect.poll(async () => (await toldBy(page)).at(-1)?.data['complete']).toBe(true)
      await page.evaluate(() => window.form.submit())
      await expect.poll(() => namesOf(page)).toContain('card-vault-success')

      const inputs = (await toldBy(page)).filter(({ name }) => name === 'number:input')
      expect(inputs.at(-1)?.data).toMatchObject({
        id: 'number',
        valid: true,
        empty: false,
        schema: 'visa',
        codeLabel: 'CVV',
        bin: '41111111',
      })
      expect(await namesOf(page)).toEqual(expect.arrayContaining(['number:focus', 'number:blur']))
      expect(heard.length).toBeGreaterThan(20)
      // Three digits of a security code may be in any id.
      const everything = heard.join('\n').replaceAll(ID, 'an id')
      for (let start = 0; start + 9 <= NUMBER.length; start += 1) {
        expect(everything).not.toContain(NUMBER.slice(start, start + 9))
      }
      expect(everything).not.toMatch(/737|12 ?\/ ?40|95113/)
    })

    expect(await counter.enteredCard(session)).toMatchObject({ scheme: 'visa', label: '1111' })
  })

  test('hears what is wrong, as the API says it', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: HTML, errors: [/400/] }, async (page) => {
      await showForm(page, session)
      await type(page, '4111111111111112')
      await page.evaluate(() => window.form.submit())
      await expect.poll(() => namesOf(page)).toContain('card-vault-failure')

      const failure = (await toldBy(page)).find(({ name }) => name === 'card-vault-failure')
      expect(failure?.data).toMatchObject({
        code: 'bad_request',
        status: 400,
        details: [expect.objectContaining({ pointer: '/payment_method/number', type: 'value_error.luhn' })],
      })
      const field = page.locator('.secure-fields__input--number')
      expect(await field.getAttribute('data-secure-fields-invalid')).toBe('')
    })
    expect(await counter.enteredCard(session)).toBeNull()
  })
})
