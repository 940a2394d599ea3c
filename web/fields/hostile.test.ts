import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOT_FRAMED } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { PAGE, showForm, submitIn, toldIn, typeCard } from '../testing/card-form.ts'
import { type Counter, fieldIn, openCounter, visitShop } from '../testing/shop.ts'

/** Pages, texts and networks that mean ill. */

/** Runs in the page. */
declare function getComputedStyle(element: unknown): Readonly<Record<string, string>>

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

/** Puts a frame into the page, and waits until the browser has loaded or refused it. */
async function addFrame(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `new Promise((loaded) => {
      const frame = document.createElement('iframe')
      frame.onload = loaded
      frame.src = ${JSON.stringify(address)}
      document.body.append(frame)
    })`,
  )
}

const frameOf = (page: Page, part: string) => page.frames().find((frame) => frame.url().includes(part))

/** What a frame of ours has made, if it runs. A browser may keep the address of a page that it refuses. */
async function madeIn(page: Page, part: string): Promise<unknown> {
  return frameOf(page, part)?.evaluate('(window.switchyardField ?? window.switchyardController)?.form')
}

describe.runIf(hasBrowser)('a frame of a card form', () => {
  test.each(['controller.html', 'input.html'])(
    '%s is not shown in a page of another origin',
    async (name) => {
      await visitShop(browser, { html: PAGE, errors: [NOT_FRAMED] }, async (page) => {
        await addFrame(page, `${counter.origin}/${name}?parentOrigin=https://shop.example.com`)

        expect(await madeIn(page, name)).toBeUndefined()
      })
    },
  )

  test('is not shown in a page of its shop that another origin frames', async () => {
    await visitShop(browser, { html: PAGE, errors: [NOT_FRAMED] }, async (page) => {
      const framed = new URL(page.url().replace('shop.', 'framed.')).origin
      await addFrame(page, framed)
      await frameOf(page, 'framed.')?.evaluate(
        `const frame = document.createElement('iframe')
        frame.src = '${counter.origin}/input.html?type=number&parentOrigin=${framed}'
        document.body.append(frame)`,
      )
      await expect.poll(() => page.frames().length).toBe(3)

      expect(await madeIn(page, 'input.html')).toBeUndefined()
    })
  })

  test('does not hear other windows', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: PAGE }, async (page) => {
      await showForm(page, { origin: counter.origin, session, options: { label: 'Card of the buyer' } })
      await typeCard(page)
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
      // The frame of another origin in the same page, such as one with an advertisement.
      await addFrame(page, page.url().replace('shop.', 'other.'))
      const other = frameOf(page, 'other.')
      await other?.evaluate(
        `for (let index = 0; index < parent.length; index += 1) {
          parent[index].postMessage({ channel: 'secure-fields', type: 'submit' }, '*')
          parent[index].postMessage({ channel: 'secure-fields', type: 'update', data: { label: 'Stolen' } }, '*')
        }
        parent.postMessage({ channel: 'secure-fields', type: 'success' }, '*')`,
      )
      // Messages arrive in order: when these have arrived, those of the other window have, too.
      await page.evaluate(
        `for (const frame of document.querySelectorAll('iframe[src*="type=number"]'))
          frame.contentWindow.postMessage({ channel: 'secure-fields', type: 'update', data: { placeholder: 'last' } }, '*')`,
      )
      await expect.poll(() => fieldIn(page, '#number').getAttribute('placeholder')).toBe('last')

      expect(await fieldIn(page, '#number').getAttribute('aria-label')).toBe('Card of the buyer')
      expect(sent).toEqual([])
      expect(await submitIn(page)).toBeUndefined()
    })
  })

  test('works where the browser blocks storage and cookies', async () => {
    const session = await counter.newSession()

    await visitShop(browser, { html: PAGE }, async (page) => {
      await page.context().addInitScript(`
        const refuse = { get() { throw new DOMException('blocked', 'SecurityError') } }
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
          Object.defineProperty(window, name, refuse)
        Object.defineProperty(Document.prototype, 'cookie', refuse)`)
      await page.reload()
      await showForm(page, { origin: counter.origin, session })
      await typeCard(page)

      expect(await submitIn(page)).toBeUndefined()
      expect(await page.context().cookies()).toEqual([])
    })
  })

  test.each(['controller', 'input'])('does not run a script %s that differs by one byte', async (name) => {
    await visitShop(browser, { html: PAGE, errors: [/integrity/i] }, async (page) => {
      await page.route(`**/fields/assets/${name}-*.js`, async (route) => {
        const { body } = await counter.pass(route.request())
        const headers = { 'access-control-allow-origin': '*' }
        await route.fulfill({ contentType: 'text/javascript', headers, body: `${body} ` })
      })
      const origin = new URL(page.url()).origin
      await addFrame(page, `${counter.origin}/${name}.html?parentOrigin=${origin}`)
      expect(await madeIn(page, `${name}.html`)).toBeUndefined()
    })
  })
})

describe.runIf(hasBrowser)('a text of the shop', () => {
  test('is only ever text, or the value of an allowed property', async () => {
    const session = await counter.newSession()
    const options = {
      label: '<img src=x onerror=alert(1)>\u202eeltit',
      placeholder: '"><script>alert(1)</script>\u2066\u0000',
      styles: {
        color: 'rgb(1, 2, 3)',
        backgroundColor: 'red; background-image: url(http://evil.localhost/a)',
        cursor: 'url(http://evil.localhost/b), auto',
        fontFamily: 'x } body { display: none',
        fontSize: 'u\\72l(http://evil.localhost/c)',
        backgroundImage: 'url(http://evil.localhost/d)',
        position: 'fixed',
        content: '"x"',
        ':focus': { letterSpacing: '3px', transform: 'scale(9)' },
        '::placeholder': { color: 'rgb(4, 5, 6)' },
      },
    }

    await visitShop(browser, { html: PAGE }, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await showForm(page, { origin: counter.origin, session, options })
      const field = fieldIn(page, '#number')
      await expect.poll(() => field.getAttribute('placeholder')).toBe('"><script>alert(1)</script>')
      await field.focus()

      expect(await field.getAttribute('aria-label')).toBe('<img src=x onerror=alert(1)>eltit')
      const styleOf = (name: string) => field.evaluate((input, style) => getComputedStyle(input)[style], name)
      expect(await styleOf('color')).toBe('rgb(1, 2, 3)')
      expect(await styleOf('letterSpacing')).toBe('3px')
      expect(await styleOf('backgroundColor')).toBe('rgba(0, 0, 0, 0)')
      expect(await styleOf('backgroundImage')).toBe('none')
      expect(await styleOf('position')).toBe('static')
      expect(await styleOf('transform')).toBe('none')
      expect(await styleOf('fontSize')).toBe('16px')
      expect(await styleOf('cursor')).toBe('text')
      expect(asked.filter((url) => url.includes('evil'))).toEqual([])
    })
  })

  test('in the address of a frame is never part of the page', async () => {
    await visitShop(browser, { html: PAGE }, async (page) => {
      const origin = new URL(page.url()).origin
      const tricks = encodeURIComponent('"><script>alert(1)</script>')
      const query = `parentOrigin=${origin}&type=${tricks}&font=${tricks}&paymentMethodScheme=${tricks}&form=${tricks}`
      await addFrame(page, `${counter.origin}/input.html?${query}`)

      expect(await frameOf(page, 'input.html')?.locator('script').count()).toBe(1)
    })
  })
})

describe.runIf(hasBrowser)('a number', () => {
  test.each([
    ['pasted with signs that turn the order of digits around', '\u202e4111\u202c 1111-1111\u200f1111'],
    ['typed in Arabic digits', '٤١١١١١١١١١١١١١١١'],
    ['typed in Persian digits', '۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱'],
    ['typed in full-width digits', '４１１１１１１１１１１１１１１１'],
  ])('%s is the number', async (_name, text) => {
    const session = await counter.newSession()
    await visitShop(browser, { html: PAGE.replace('<html', '<html dir="rtl"') }, async (page) => {
      await showForm(page, { origin: counter.origin, session, fields: ['number'] })
      const number = fieldIn(page, '#number')
      await number.fill(text)

      expect(await number.inputValue()).toBe('4111 1111 1111 1111')
      expect(await number.evaluate((input) => getComputedStyle(input)['direction'])).toBe('ltr')
      await expect
        .poll(async () => (await toldIn(page)).findLast(({ name }) => name === 'input')?.detail)
        .toMatchObject({ valid: true, schema: 'visa' })
    })
  })
})
