import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { useBesideService } from '#testing/beside-service.ts'
import { switchyard } from '#testing/command-line.ts'

const { dataDir, run, send } = useBesideService()

const PAYMENT = {
  amount: 1299,
  currency: 'USD',
  payment_method: {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
    security_code: '123',
  },
}

test('an account that is made with the simulator takes payments and gift cards at once', async () => {
  const made = await run('accounts', 'create', 'with-simulator', '--display-name', 'Shop', '--simulator')

  expect(made.code, made.stderr).toBe(0)
  expect(made.stderr).toContain('The merchant account with-simulator is made.')
  expect(await send('POST /transactions', PAYMENT, 'with-simulator')).toMatchObject({
    status: 'authorization_succeeded',
    merchant_account_id: 'with-simulator',
  })
  const items = [{ number: '4123455541234561234', pin: '01000' }]
  expect((await send('POST /gift-cards/balances', { items }, 'with-simulator')).items).toMatchObject([
    { balance: 1000 },
  ])
  const { items: entries } = await send('GET /audit-logs', undefined, 'with-simulator')
  expect(
    entries.map((entry: { action: string; resource: { type: string } }) => [
      entry.action,
      entry.resource.type,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['created', 'merchant-account'],
      ['created', 'payment-service'],
      ['created', 'gift-card-service'],
    ]),
  )
  expect(JSON.stringify(entries)).toContain('Switchyard command line')
})

test('running it again adds what is missing, and changes nothing else', async () => {
  const first = await run('accounts', 'create', 'twice')
  const second = await run('accounts', 'create', 'twice', '--simulator')
  const third = await run('accounts', 'create', 'twice', '--simulator')

  expect([first.code, second.code, third.code]).toEqual([0, 0, 0])
  expect(first.stderr).toContain('It has no payment service yet')
  expect(second.stderr).toContain('was there already')
  expect(second.stderr).toContain('The simulator is connected')
  expect(third.stderr).toContain('It has a payment service already')
  expect((await send('GET /payment-services', undefined, 'twice')).items).toHaveLength(1)
  expect((await send('GET /gift-card-services', undefined, 'twice')).items).toHaveLength(1)
})

test('another name for an id that is taken is refused', async () => {
  const { code, stderr } = await run('accounts', 'create', 'default', '--display-name', 'Mine')

  expect(code).toBe(1)
  expect(stderr).toContain('There is a merchant account default already, named "')
})

const PRODUCTION = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgresql://nowhere.invalid/switchyard',
  SECRET_KEY: randomBytes(32).toString('base64'),
  VAULT_KEY: randomBytes(32).toString('base64'),
}

test.each([
  [['fashion store'], {}, 'ID must be 1 to 50 letters, digits and dashes.'],
  [['x'.repeat(51)], {}, 'ID must be 1 to 50 letters, digits and dashes.'],
  [['shop', '--display-name', ' '], {}, '--display-name must have 1 to 255 characters.'],
  [['shop', '--simulator'], PRODUCTION, '--simulator is for sandboxes'],
  [[], {}, '"switchyard accounts create" needs ID.'],
])('%j is refused', async (args, env: Record<string, string>, sentence) => {
  const { code, stderr } = await switchyard(['accounts', 'create', ...args], { DATA_DIR: dataDir, ...env })

  expect(code, stderr).toBe(2)
  expect(stderr).toContain(sentence)
})

test('the list is a table, or JSON as the API shows it', async () => {
  const asTable = await run('accounts', 'list')
  const asJson = await run('accounts', 'list', '--json')

  const [headings = '', ...rows] = asTable.stdout.trimEnd().split('\n')
  expect(asTable.code, asTable.stderr).toBe(0)
  expect(headings.split(/ {2,}/)).toEqual(['ID', 'NAME', 'CREATED'])
  expect(rows.some((row) => /^default {2,}\S/.test(row))).toBe(true)
  const { items } = await send('GET /merchant-accounts')
  expect(JSON.parse(asJson.stdout)).toEqual(items)
})
