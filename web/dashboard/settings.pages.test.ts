import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { hasBrowser } from '#testing/browser.ts'
import { acceptWithPasskey, tokenIn } from '#testing/enrol.ts'
import { signIn } from '#testing/sign-in.ts'
import { type Desk, looksRight, openDesk } from '../testing/dashboard.ts'

const HOSTILE = '<img src=x onerror=alert(1)> "Ada" & Söhne'

let desk: Desk

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

async function read(route: string) {
  return (await desk.service.send(route)).json()
}

async function userNamed(name: string): Promise<{ id: string; status: string; roles: { slug: string }[] }> {
  const { items } = await read('GET /users')
  return items.find((one: { name: string }) => one.name === name)
}

describe.skipIf(!hasBrowser)('the settings of the dashboard', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('POST /merchant-accounts', { id: 'harbour', display_name: 'Harbour Goods' })
  })
  afterAll(() => desk.close())

  test('invite a user, whose link is shown once and works', async () => {
    const link = await desk.visit('/settings/users', async (page) => {
      await press(page, 'Invite a user')
      await dialog(page).getByLabel('Name', { exact: true }).fill(HOSTILE)
      await dialog(page).getByLabel('E-mail address').fill('ada@example.com')
      await dialog(page).getByText('Sees payments, buyers and figures.').waitFor()
      await dialog(page).getByLabel('Customer support').check()
      await inDialog(page, 'Create link')
      // Nobody gets all accounts by leaving the question out.
      await dialog(page).getByText('Fill this in.').waitFor()
      await dialog(page).getByLabel('All merchant accounts').check()
      await dialog(page).getByLabel('Harbour Goods').check()
      expect(await dialog(page).getByLabel('All merchant accounts').isChecked()).toBe(false)
      await inDialog(page, 'Create link')
      await page.getByRole('heading', { name: `Send this link to ${HOSTILE}` }).waitFor()
      const shown = await page.locator('.secret-text').textContent()
      await inDialog(page, 'Done')
      await page.getByRole('link', { name: HOSTILE }).waitFor()
      return shown ?? ''
    })

    const { response } = await acceptWithPasskey(desk.service, tokenIn(link))

    expect(response.statusCode).toBe(201)
    expect(await userNamed(HOSTILE)).toMatchObject({
      status: 'active',
      roles: [{ slug: 'customer-support' }],
      merchant_accounts: [{ id: 'harbour' }],
    })
  })

  test('change, disable and delete a user', async () => {
    const { userId } = await signIn(desk.service, { name: 'Omar Haddad', roles: ['analyst'] })
    await desk.visit(`/settings/users/${userId}`, async (page) => {
      await press(page, 'Edit')
      await dialog(page).getByLabel('Name', { exact: true }).fill('Omar H. Haddad')
      await dialog(page).getByLabel('System support').check()
      await inDialog(page, 'Save')
      await heading(page, 'Omar H. Haddad')
      const changed = await userNamed('Omar H. Haddad')
      expect(new Set(changed.roles.map(({ slug }) => slug))).toEqual(new Set(['analyst', 'system-support']))

      await press(page, 'Disable')
      await inDialog(page, 'Disable')
      await page.getByText('Omar H. Haddad is disabled').waitFor()
      expect((await userNamed('Omar H. Haddad')).status).toBe('disabled')

      await press(page, 'Delete')
      await inDialog(page, 'Delete')
      await heading(page, 'Users')
      expect(await userNamed('Omar H. Haddad')).toBeUndefined()
    })
  })

  test('make a role of its own, change it, and delete it', async () => {
    await desk.visit('/settings/roles', async (page) => {
      await page.getByRole('link', { name: 'New role' }).click()
      await page.getByLabel('Name').fill('Refund desk')
      await page.getByLabel('Read transactions').check()
      await page.getByLabel('Change transactions').check()
      await press(page, 'Create the role')
      await heading(page, 'Refund desk')
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByLabel('Change transactions').uncheck()
      await press(page, 'Save')
      await heading(page, 'Refund desk')
      const { items } = await read('GET /roles?limit=100')
      const made = items.find(({ slug }: { slug: string }) => slug === 'custom-refund-desk')
      expect(made.permissions.allow).toEqual(['transactions.read'])

      await press(page, 'Delete')
      await inDialog(page, 'Delete')
      await heading(page, 'Roles')
    })
    expect(
      (await read('GET /roles?limit=100')).items.map(({ slug }: { slug: string }) => slug),
    ).not.toContain('custom-refund-desk')
  })

  test('say that a built-in role cannot be changed, and show no form', async () => {
    const { items } = await read('GET /roles?limit=100')
    const { id, name } = items.find(({ slug }: { slug: string }) => slug === 'administrator')
    await desk.visit(`/settings/roles/${id}/edit`, async (page) => {
      await heading(page, name)
      await page.getByRole('heading', { name: 'Built-in roles cannot be changed' }).waitFor()
      expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
      await page.getByRole('link', { name: 'View permissions' }).click()
      await page.getByRole('table').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/dashboard/settings/roles/${id}`)
      await page.goBack()
      await page.getByRole('link', { name: 'New role' }).click()
      await heading(page, 'New role')
    })
    const user = await signIn(desk.service, { roles: ['system-support'] })
    await desk.visit(
      `/settings/roles/${id}/edit`,
      async (page) => {
        await page.getByRole('heading', { name: 'Your roles do not allow this' }).waitFor()
        expect(await page.getByRole('link', { name: 'New role' }).count()).toBe(0)
      },
      { user },
    )
  })

  test('make a merchant account, and tell a scheme about it', async () => {
    await desk.visit(
      '/settings/accounts',
      async (page) => {
        await press(page, 'New account')
        await dialog(page).getByLabel('Id', { exact: true }).fill('Not An Id!')
        await dialog(page).getByLabel('Name', { exact: true }).fill('Fjord & Pine')
        await inDialog(page, 'Create')
        await dialog(page).getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
        await dialog(page).getByLabel('Id', { exact: true }).fill('fjord')
        await inDialog(page, 'Create')
        await heading(page, 'Fjord & Pine')

        await press(page, 'Add a scheme')
        const answers = {
          'Acquirer BIN': '516327',
          'Acquirer merchant id': '123456789012345',
          'Name shown to buyers': 'Fjord & Pine',
          Country: '840',
          Category: '5045',
          'Shop URL': 'https://fjord.example.com',
        }
        await dialog(page).getByLabel('Scheme').selectOption('Visa')
        for (const [label, answer] of Object.entries(answers))
          await dialog(page).getByLabel(label).fill(answer)
        await inDialog(page, 'Save')
        await page.getByText('Visa', { exact: true }).waitFor()
      },
      { errors: [/400/] },
    )
    const { items } = await read('GET /merchant-accounts/fjord/three-ds-configurations')
    expect(items).toMatchObject([{ scheme: 'visa', merchant_country_code: '840' }])
  })

  test('dress the pages of buyers, and refuse a colour that few can read', async () => {
    await desk.visit(
      '/settings/branding',
      async (page) => {
        await page.getByLabel('Button and link colour', { exact: true }).fill('#ffff00')
        await press(page, 'Save')
        await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
        const picker = page.getByLabel('Pick: Button and link colour', { exact: true })
        expect((await picker.boundingBox())?.width).toBeLessThan(60)
        await picker.fill('#4338ca')
        await page.getByLabel('Corners').selectOption('Very rounded')
        await press(page, 'Save')
        await page.getByText('Buyers see the new look from now on.').waitFor()
      },
      { errors: [/400/] },
    )
    expect(await read('GET /merchant-accounts/default/theme')).toMatchObject({
      accent_color: '#4338ca',
      radius: 'large',
    })
  })

  test('find in the audit log what a user has changed', async () => {
    await desk.visit('/settings/audit?action=deleted&resource_type=user', async (page) => {
      await page.getByRole('button', { name: 'Details of Omar H. Haddad' }).click()
      await page.getByRole('heading', { name: 'Deleted: Omar H. Haddad' }).waitFor()
      await dialog(page).getByText('Mara Lind').waitFor()
      await inDialog(page, 'Close')
      await press(page, 'Check the chain')
      await inDialog(page, 'Check')
      await page.getByText('The chain is intact').waitFor()
    })
  })

  test('show amounts and kinds in the audit log as people read them, and leave payments out', async () => {
    const { context } = desk.service
    await inTransaction({ ...context, merchantAccountId: 'default' }, async (tx) => {
      await auditLogs.record(tx, 'created', { type: 'refund', id: 'one', name: 'EUR 499' })
      await auditLogs.record(tx, 'created', { type: 'api-key-pair', id: 'two', name: 'Key of the shop' })
    })
    await desk.visit('/settings/audit?timestamp=7d', async (page) => {
      await page.getByRole('row', { name: /Refund €4[.]99/ }).waitFor()
      await page.getByRole('row', { name: /API key Key of the shop/ }).waitFor()
      await page.goto(`${desk.origin}/dashboard/settings/audit?category=configuration`)
      await page.getByRole('row', { name: /API key Key of the shop/ }).waitFor()
      expect(await page.getByRole('row', { name: /€4[.]99/ }).count()).toBe(0)
    })
  })

  test('hide what a user may not do, and things that are not theirs', async () => {
    const user = await signIn(desk.service, { roles: ['user-manager'], merchantAccountIds: ['harbour'] })
    await desk.visit(
      `/settings/users/${desk.user.userId}`,
      async (page) => {
        await page.getByRole('heading', { name: 'Not found' }).waitFor()
        expect(await page.getByRole('navigation').getByRole('link', { name: 'Users' }).count()).toBe(1)
        expect(await page.getByRole('navigation').getByRole('link', { name: 'Transactions' }).count()).toBe(0)
        await page.goto(`${desk.origin}/dashboard/settings/accounts`)
        await heading(page, 'Merchant accounts')
        expect(await page.getByRole('button', { name: 'New account' }).count()).toBe(0)
        await page.goto(`${desk.origin}/dashboard/settings/accounts/default`)
        await page.getByRole('heading', { name: 'Not found' }).waitFor()
      },
      { user, errors: [/404/] },
    )
  })

  test('are right for everybody', { timeout: 120_000 }, async () => {
    const [builtIn] = (await read('GET /roles?limit=100')).items
    const routes: readonly (readonly [string, string])[] = [
      ['/settings/users', 'Users'],
      [`/settings/users/${desk.user.userId}`, 'Mara Lind'],
      ['/settings/roles', 'Roles'],
      ['/settings/roles/new', 'New role'],
      [`/settings/roles/${builtIn.id}/edit`, builtIn.name],
      ['/settings/accounts', 'Merchant accounts'],
      ['/settings/accounts/fjord', 'Fjord & Pine'],
      ['/settings/branding', 'Branding'],
      ['/settings/audit', 'Audit log'],
      ['/settings/pages', 'Payment pages'],
      ['/me', 'Your settings'],
    ]
    for (const [path, title] of routes)
      await looksRight(desk, path, async (page) => {
        await heading(page, title)
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
      })
  })
})
