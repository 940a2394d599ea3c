import { type KyselyPlugin, sql } from 'kysely'
import { createMessage, encrypt, readKey } from 'openpgp'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { decrypt, UnusableFile } from './decrypt.ts'
import { type Importing, importFile, tryFile } from './import-file.ts'
import { destroyKey, importKey, openKeys } from './keys.ts'
import type { LayoutName } from './layouts.ts'
import * as imports from './store.ts'

const NUMBER = '4111111111111111'
const OTHER_NUMBER = '5555555555554444'
const HEADER =
  'audit_reference_id,merchant_account_id,buyer.external_identifier,payment_method.number,payment_method.expiration_date,payment_method.external_identifier'
const TEST_RSA_BITS = 2_048

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** Names differ between all tests. */
let count = 0
const named = (name: string) => `${name}-${++count}`

async function* inChunks(content: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

function importing(content: string | Uint8Array, others: Partial<Importing> = {}): Importing {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return {
    context: service.context,
    vault: service.vault,
    open: () => inChunks(bytes),
    name: 'cards.csv',
    onProgress: () => {},
    ...others,
  }
}

async function resultsOf(done: imports.StoredImport): Promise<imports.Result[]> {
  const all: imports.Result[] = []
  for await (const some of imports.results(service.context, done)) all.push(...some)
  return all
}

/** What became of the rows below the header. */
async function run(rows: readonly string[], header = HEADER) {
  const done = await importFile(importing([header, ...rows].join('\n')))
  return resultsOf(done)
}

const method = async (id: string | null | undefined) =>
  (await service.send(`GET /payment-methods/${id}`)).json()

async function complaint(content: string | Uint8Array): Promise<string> {
  const error = await importFile(importing(content)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnusableFile)
  return (error as Error).message
}

/** Nothing that was stored outside of the vault, and nothing that was said, has a number in it. */
async function countOf(text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from vault_import_rows as row where row::text like ${`%${text}%`})::integer
      + (select count(*) from vault_imports as row where row::text like ${`%${text}%`})::integer
      + (select count(*) from audit_logs as row where row::text like ${`%${text}%`})::integer as count
  `.execute(service.context.db)
  return rows[0]?.count ?? 0
}

describe('a file of cards', () => {
  test('becomes buyers and payment methods, which can be charged', async () => {
    const [buyer, ours] = [named('buyer'), named('ours')]
    const header = `${HEADER},buyer.display_name,buyer.billing_details.address.country,payment_method.scheme_transaction_id,payment_method.last_used_at`
    const [result] = await run(
      [`r1,,${buyer},${NUMBER},12/40,${ours},"Doe, Jane",US,MCC123,2026-01-02T03:04:05Z`],
      header,
    )

    const stored = await method(result?.stored_id)
    expect(stored).toMatchObject({
      method: 'card',
      status: 'succeeded',
      label: '1111',
      scheme: 'visa',
      expiration_date: '12/40',
      external_identifier: ours,
      scheme_transaction_id: 'MCC123',
      scheme_transaction_id_scheme: 'visa',
      last_used_at: '2026-01-02T03:04:05.000Z',
      usage_count: 0,
      details: { bin: '41111111' },
      buyer: {
        id: result?.buyer_id,
        external_identifier: buyer,
        display_name: 'Doe, Jane',
        billing_details: { address: { country: 'US' } },
      },
    })
    const typed = await service.send('POST /payment-methods', {
      method: 'card',
      number: NUMBER,
      expiration_date: '12/40',
    })
    expect(stored.fingerprint).toBe(typed.json().fingerprint)
    const paid = await service.send('POST /transactions', {
      amount: 100,
      currency: 'USD',
      country: 'US',
      payment_method: { method: 'id', id: stored.id },
    })
    expect(paid.json()).toMatchObject({ status: 'authorization_succeeded', buyer: { id: result?.buyer_id } })
    const found = await service.send(`GET /buyers?search=${buyer}`)
    expect(found.json().items).toMatchObject([{ id: result?.buyer_id }])
  })

  test('uses a buyer that there is, and leaves it as it is', async () => {
    const name = named('buyer')
    const buyer = (
      await service.send('POST /buyers', { external_identifier: name, display_name: 'Before' })
    ).json()
    const [first, second] = await run(
      [`r1,,${name},${NUMBER},12/40,,After`, `r2,,${name},${OTHER_NUMBER},12/40,,After`],
      `${HEADER},buyer.display_name`,
    )
    expect([first?.buyer_id, second?.buyer_id]).toEqual([buyer.id, buyer.id])
    expect((await service.send(`GET /buyers/${buyer.id}`)).json().display_name).toBe('Before')
  })

  test('with a card that the buyer has names the one that is there', async () => {
    const name = named('buyer')
    const rows = [
      `r1,,${name},${NUMBER},12/40,`,
      `r2,,${name},${NUMBER},12/40,`,
      `r3,,${name},${NUMBER},12/41,`,
    ]
    const [first, same, renewed] = await run(rows)
    expect([first?.status, same?.status, renewed?.status]).toEqual(['imported', 'duplicate', 'imported'])
    expect(same?.stored_id).toBe(first?.stored_id)
    // Another file, in another order.
    const again = await run([rows[2] ?? '', rows[0] ?? ''])
    expect(again.map(({ status }) => status)).toEqual(['duplicate', 'duplicate'])
    expect(again.map(({ stored_id }) => stored_id)).toEqual([renewed?.stored_id, first?.stored_id])
  })

  test('that has expired cards stores them, and says so', async () => {
    const [result] = await run([`r1,,${named('buyer')},${NUMBER},01/20,`])
    expect(result).toMatchObject({ status: 'imported', message: 'the card has expired' })
  })

  test('stores no row with an error, and every other one', async () => {
    const [buyer, ours] = [named('buyer'), named('ours')]
    await run([`r1,,${buyer},${NUMBER},12/40,${ours}`])
    const broken: readonly (readonly [row: string, message: string])[] = [
      [
        `r2,,${buyer},4111111111111112,12/40,`,
        'payment_method.number: check the number for a typing mistake',
      ],
      [`r3,,${buyer},4111 1111 1111 1111,12/40,`, 'payment_method.number: must be 13 to 19 digits'],
      [`r4,,${buyer},${NUMBER},13/40,`, 'payment_method.expiration_date: must be MM/YY'],
      [`r5,,${buyer},${NUMBER},,`, 'payment_method.expiration_date: field required'],
      [`r6,nowhere,${buyer},${NUMBER},12/40,`, 'merchant_account_id: there is no such merchant account'],
      [`r7,,,${NUMBER},12/40,`, 'buyer.external_identifier: field required'],
      [`,,${buyer},${NUMBER},12/40,`, 'audit_reference_id: field required'],
      [`r8,,${'x'.repeat(201)},${NUMBER},12/40,`, 'buyer.external_identifier: must have at most 200'],
      [`r9,,${buyer},${NUMBER},12/39,${ours}`, 'payment_method.external_identifier: another payment method'],
      [`r10,,${buyer},${NUMBER}`, 'the row has 4 columns, and the header 6'],
      [`r11${','.repeat(10_000)}`, 'the row has 10001 columns, and the header 6'],
      [`r12,,"${buyer},${NUMBER},12/40,`, 'a quote is not closed'],
      [
        `r13,,${buyer},${NUMBER},12/40,${NUMBER}`,
        'payment_method.external_identifier: take the number out of here',
      ],
      [`4111-1111-1111-1111,,${buyer},${NUMBER},12/40,`, 'audit_reference_id: take the number out of here'],
      [`r14,,${buyer},${OTHER_NUMBER},12/40,`, ''],
      [`r14,,${buyer},${NUMBER},12/45,`, 'audit_reference_id: another row of this file has the same'],
    ]
    const results = await run(broken.map(([row]) => row))
    for (const [at, [, message]] of broken.entries()) {
      const isGood = message === ''
      expect(results[at]).toMatchObject({ row_number: at + 2, status: isGood ? 'imported' : 'failed' })
      if (!isGood) expect(results[at]?.message).toContain(message)
    }
    for (const number of [NUMBER, OTHER_NUMBER, '4111111111111112', '4111-1111', '4111 1111'])
      expect(await countOf(number)).toBe(0)
  })

  test('of the same content is imported once', async () => {
    const content = `${HEADER}\nr1,,${named('buyer')},${NUMBER},12/40,\n`
    const first = await importFile(importing(content))
    const second = await importFile(importing(content, { name: 'copy.csv' }))
    expect(second).toEqual(first)
  })

  test('is tried without a trace', async () => {
    const name = named('buyer')
    const content = [
      HEADER,
      `r1,,${name},${NUMBER},12/40,`,
      `r2,,${name},${NUMBER},12/40,`,
      `r3,,${name},4111111111111112,12/40,`,
    ]
    const problems: string[] = []
    const tally = await tryFile(importing(content.join('\n')), (line, message) =>
      problems.push(`${line}: ${message}`),
    )
    expect(tally).toEqual({ rows: 3, imported: 1, duplicates: 1, failed: 1 })
    expect(problems).toEqual([
      '4: payment_method.number: check the number for a typing mistake: its check digit is wrong',
    ])
    expect((await service.send(`GET /buyers?external_identifier=${name}`)).json().items).toEqual([])
  })

  test('that stopped goes on where it was', async () => {
    const name = named('buyer')
    const rows = Array.from({ length: 1_700 }, (_, at) => `r${at},,${name}-${at},${NUMBER},12/40,`)
    const content = [HEADER, ...rows].join('\n')
    let isSecond = false
    const breaking = importing(content, {
      open: async function* () {
        const bytes = Buffer.from(content)
        yield* inChunks(isSecond ? bytes.subarray(0, bytes.length / 2) : bytes)
        if (isSecond) throw new Error('the machine is gone')
        isSecond = true
      },
    })
    await expect(importFile(breaking)).rejects.toThrow('the machine is gone')
    const steps: number[] = []
    const done = await importFile(importing(content, { onProgress: (rowsDone) => steps.push(rowsDone) }))
    expect(steps[0]).toBe(500)
    expect(done).toMatchObject({ status: 'finished', imported: 1_700, duplicates: 0, failed: 0 })
    const results = await resultsOf(done)
    expect(new Set(results.map(({ stored_id }) => stored_id)).size).toBe(1_700)
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::integer from payment_methods join buyers on buyers.id = buyer_id
      where buyers.external_identifier like ${`${name}-%`}
    `.execute(service.context.db)
    expect(counted[0]?.count).toBe(1_700)
  })

  test('is imported by one process at a time', async () => {
    const name = named('buyer')
    const rows = Array.from({ length: 1_200 }, (_, at) => `r${at},,${name}-${at},${NUMBER},12/40,`)
    const content = [HEADER, ...rows].join('\n')
    const both = await Promise.allSettled([importFile(importing(content)), importFile(importing(content))])
    for (const one of both) {
      if (one.status === 'rejected')
        expect(String(one.reason)).toMatch(/Another process is importing this file/)
    }
    const done = await importFile(importing(content))
    expect(done).toMatchObject({ imported: 1_200, duplicates: 0, failed: 0 })
  })
})

test('an import waits while others use the database, and for nobody else', async () => {
  const rows = () => Array.from({ length: 1_200 }, () => `${named('r')},,${named('buyer')},${NUMBER},12/40,`)
  const pausesOf = async () => {
    const pauses: number[] = []
    const pause = async (ms: number) => pauses.push(ms)
    await importFile(importing([HEADER, ...rows()].join('\n'), { pause }))
    return pauses
  }
  const alone = await pausesOf()
  const other = new pg.Client({ ...service.database.pool.options, application_name: 'somebody else' })
  await other.connect()
  let isOver = false
  const working = (async () => {
    while (!isOver) await other.query('select 1')
  })()

  const beside = await pausesOf()
  isOver = true
  await working
  await other.end()

  expect(alone).toEqual([0, 0, 0])
  expect(beside).toHaveLength(3)
  expect(Math.max(...beside)).toBeGreaterThan(0)
})

test('the tokens of a payment service are kept, and charged there', async () => {
  const { rows: services } = await sql<{ id: string }>`
    select id from payment_services where merchant_account_id = 'default' and payment_service_definition_id = 'mock-card'
  `.execute(service.context.db)
  const tokensOf = { id: services[0]?.id ?? '', merchantAccountId: 'default' }
  const [known, name] = [named('token'), named('buyer')]
  const content = [
    HEADER,
    `r1,,${name},${NUMBER},12/40,${known}`,
    `r2,,${name},${NUMBER},12/41,`,
    `r3,other,${name},${NUMBER},12/40,x`,
  ]
  const done = await importFile(importing(content.join('\n'), { tokensOf }))

  const [one, without, elsewhere] = await resultsOf(done)
  const tokensFor = async (id: string | null | undefined) =>
    (await service.send(`GET /payment-methods/${id}/payment-service-tokens`)).json().items
  expect(await tokensFor(one?.stored_id)).toMatchObject([
    { status: 'succeeded', payment_service_id: tokensOf.id, token: known },
  ])
  expect(await tokensFor(without?.stored_id)).toEqual([])
  expect(elsewhere?.message).toBe('merchant_account_id: the payment service belongs to another one')
  const { rows: found } = await sql<{ found: number }>`
    select count(*)::integer as found from payment_service_tokens as token where token::text like ${`%${known}%`}
  `.execute(service.context.db)
  expect(found).toEqual([{ found: 0 }])
  const paid = await service.send('POST /transactions', {
    amount: 100,
    currency: 'USD',
    country: 'US',
    payment_method: { method: 'id', id: one?.stored_id },
  })
  expect(paid.json().status).toBe('authorization_succeeded')
})

test('wallet cards are cards that the buyer knows by other digits', async () => {
  const header = `${HEADER},payment_method.method,payment_method.card_suffix,payment_method.card_type,payment_method.cardholder_name`
  const [result] = await run([`r1,,${named('buyer')},${NUMBER},12/40,,applepay,9876,debit,Jane Doe`], header)
  expect(await method(result?.stored_id)).toMatchObject({
    method: 'card',
    label: '9876',
    details: { card_type: 'debit' },
    buyer: { display_name: 'Jane Doe' },
  })
})

test('bank accounts are checked as in a request', async () => {
  const header =
    'audit_reference_id,buyer.external_identifier,payment_method.scheme,payment_method.account_number,payment_method.routing_number,payment_method.account_type,payment_method.account_holder.first_name,payment_method.account_holder.last_name'
  const name = named('buyer')
  const [ach, again, wrong] = await run(
    [
      `r1,${name},ach,1234567890,021000021,checking,Jane,Doe`,
      `r2,${name},ach,1234567890,021000021,checking,J.,Doe`,
      `r3,${name},sepa,DE89370400440532013001,,,Jane,Doe`,
    ],
    header,
  )
  expect(await method(ach?.stored_id)).toMatchObject({ method: 'bank', mode: 'bank', currency: 'USD' })
  expect(again).toMatchObject({ status: 'duplicate', stored_id: ach?.stored_id })
  expect(wrong?.message).toContain('payment_method.account_number: check the IBAN')
})

describe('a file of another provider', () => {
  const name = named('customer')
  const STRIPE =
    'ID,EMAIL,NAME,CARD.ID,CARD.NUMBER,CARD.EXP_MONTH,CARD.EXP_YEAR,CARD.ADDRESS_COUNTRY,DEFAULT_SOURCE'
  const BRAINTREE =
    'id,first_name,last_name,phone,credit_card.token,credit_card.number,credit_card.expiration_date,fax'
  const ADYEN =
    'MerchantAccount,ShopperEmail,ShopperReference,OwnerName,ExpiryMonth,ExpiryYear,CardNumber,BillingCity'
  const SPREEDLY = 'token,full_name,number,month,year,address1'

  test.each<[LayoutName, string, object]>([
    [
      'stripe',
      `${STRIPE}\n${name}-1,jane@example.com,Jane Doe,card_${name}1,${NUMBER},9,2040,US,card_1`,
      { external_identifier: `card_${name}1`, expiration_date: '09/40', buyer: { display_name: 'Jane Doe' } },
    ],
    [
      'stripe',
      JSON.stringify({
        customers: [
          { id: `${name}-none`, cards: [] },
          {
            id: `${name}-2`,
            email: 'a"}]@example.com',
            cards: [
              {
                id: `card_${name}2`,
                number: NUMBER,
                exp_month: 1,
                exp_year: 2041,
                name: 'Jane',
                address_zip: null,
              },
            ],
          },
        ],
      }),
      {
        external_identifier: `card_${name}2`,
        expiration_date: '01/41',
        buyer: { display_name: 'Jane', billing_details: { email_address: 'a"}]@example.com' } },
      },
    ],
    [
      'braintree',
      `${BRAINTREE}\n${name}-3,Jane,Doe,312-555-1234,tok${name}3,${NUMBER},09/2040,x`,
      {
        external_identifier: `tok${name}3`,
        expiration_date: '09/40',
        buyer: { billing_details: { first_name: 'Jane', phone_number: null } },
      },
    ],
    [
      'adyen',
      `${ADYEN}\nTest,j@example.com,${name}-4,Jane Doe,8,2040,${NUMBER},Berlin`,
      {
        expiration_date: '08/40',
        buyer: { display_name: 'Jane Doe', billing_details: { address: { city: 'Berlin' } } },
      },
    ],
    [
      'spreedly',
      `${SPREEDLY}\n${name}-5,Jane Doe,${NUMBER},3,2040,1 Road`,
      {
        external_identifier: `${name}-5`,
        expiration_date: '03/40',
        buyer: { external_identifier: `${name}-5` },
      },
    ],
  ])('%s: %s', async (layout, content, expected) => {
    const chunked = importing(content, { layout, open: () => inChunks(Buffer.from(content), 7) })
    const done = await importFile(chunked)
    expect(done).toMatchObject({ imported: 1, failed: 0, layout })
    const [result] = await resultsOf(done)
    expect(await method(result?.stored_id)).toMatchObject(expected)
  })

  test.each<[LayoutName, string, RegExp]>([
    ['stripe', `${BRAINTREE}\n1,2`, /A file of stripe has the columns .*; this one lacks card.id/],
    ['stripe', '{"customers": [{"id": "x", "cards": [', /no whole JSON/],
    ['stripe', '{"customers": [{"id": "x" "cards": []}]}', /no JSON in UTF-8/],
    ['stripe', `{"customers": [{"id": "${'x'.repeat(1_100_000)}"}]}`, /more than 1000000 characters/],
    ['stripe', '{"customers": []}', /no rows/],
  ])('%s: %s is refused', async (layout, content, expected) => {
    await expect(importFile(importing(content, { layout }))).rejects.toThrow(expected)
  })
})

describe('a file that is none', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['is empty', '', /no rows/],
    ['has only a header', HEADER, /no rows/],
    ['has no header', `r1,,buyer,${NUMBER},12/40,`, /columns that a file of .* does not/],
    ['misspells a column', `${HEADER.replace('number', 'numbr')}\nr1`, /Did you mean payment_method.number/],
    [
      'has a column twice',
      `${HEADER},buyer.external_identifier`,
      /has the column "buyer.external_identifier" twice/,
    ],
    ['has security codes', `${HEADER},payment_method.cvv`, /security codes, which nobody may keep/],
    ['is UTF-16', Buffer.from(`\uFEFF${HEADER}\n`, 'utf16le'), /not UTF-8/],
    ['is Latin-1', Buffer.from(`${HEADER}\nr1,,Jürgen,${NUMBER},12/40,`, 'latin1'), /Line 2 is not UTF-8/],
    ['has an endless line', `${HEADER}\n${'x'.repeat(200_000)}`, /Line 2 has more than 100000 characters/],
  ])('%s', async (_name, content, expected) => {
    const message = await complaint(content)
    expect(message).toMatch(expected)
    expect(message).not.toContain(NUMBER)
  })

  test('a byte order mark is none of the header', async () => {
    const [result] = await run([`r1,,${named('buyer')},${NUMBER},12/40,`], `\uFEFF${HEADER}`)
    expect(result?.status).toBe('imported')
  })
})

describe('an encrypted file', () => {
  async function encrypted(content: string, publicKey: string, format: 'binary' | 'armored' = 'binary') {
    const message = await createMessage({ text: content })
    const made = await encrypt({
      message,
      encryptionKeys: await readKey({ armoredKey: publicKey }),
      format: format as 'binary',
    })
    return typeof made === 'string' ? Buffer.from(made) : made
  }

  const opening = async (bytes: Uint8Array, isArmored = false) => {
    const keys = await openKeys(service.context, service.vault)
    return importing('', { open: () => decrypt(inChunks(bytes), { isArmored, keys }) })
  }

  test('is opened by the key of the installation, also by a former one', async () => {
    const content = () => `${HEADER}\nr1,,${named('buyer')},${NUMBER},12/40,\n`
    const { public_key, fingerprint } = await importKey(service.context, service.vault, {
      rsaBits: TEST_RSA_BITS,
    })
    expect((await importKey(service.context, service.vault)).fingerprint).toBe(fingerprint)
    expect(await importFile(await opening(await encrypted(content(), public_key)))).toMatchObject({
      imported: 1,
    })

    await importKey(service.context, service.vault, { isNew: true, rsaBits: TEST_RSA_BITS })
    const armored = await encrypted(content(), public_key, 'armored')
    expect(await importFile(await opening(armored, true))).toMatchObject({ imported: 1 })

    const { rows } = await sql<{ found: number }>`
      select count(*)::integer as found from vault_import_keys as key where key::text like '%PRIVATE%'
    `.execute(service.context.db)
    expect(rows).toEqual([{ found: 0 }])

    const last = await encrypted(content(), public_key)
    expect(await destroyKey(service.context, service.vault, fingerprint)).toBe(true)
    await expect(importFile(await opening(last))).rejects.toThrow(
      /encrypted for the key [0-9A-F]{16}, which is not ours/,
    )
  })

  test('that was changed or cut off is refused before anything is stored', async () => {
    const { public_key } = await importKey(service.context, service.vault, { rsaBits: TEST_RSA_BITS })
    const name = named('buyer')
    const rows = Array.from({ length: 3_000 }, (_, at) => `r${at},,${name},${NUMBER},12/40,`)
    const whole = await encrypted([HEADER, ...rows].join('\n'), public_key)
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(changed.length - 100) ^ 1, changed.length - 100)
    for (const bytes of [changed, whole.subarray(0, whole.length - 1_000)])
      await expect(importFile(await opening(bytes))).rejects.toThrow(/damaged or cut off/)
    expect((await service.send(`GET /buyers?external_identifier=${name}`)).json().items).toEqual([])
  })
})

test('results are removed after 30 days', async () => {
  const done = await importFile(importing(`${HEADER}\nr1,,${named('buyer')},${NUMBER},12/40,\n`))
  const in29Days = new Date(service.context.clock().getTime() + 29 * 86_400_000)
  const in31Days = new Date(service.context.clock().getTime() + 31 * 86_400_000)
  await imports.removeOldResults(service.context, in29Days, 10_000)
  expect(await resultsOf(done)).toHaveLength(1)
  while ((await imports.removeOldResults(service.context, in31Days, 10_000)) > 0);
  expect(await resultsOf(done)).toHaveLength(0)
})

test('killed at every statement, it goes on and stores nothing twice', async () => {
  const ROWS = 520
  let steps = 0
  for (let step = 1; ; step += 1) {
    const name = named('buyer')
    const rows = Array.from(
      { length: ROWS },
      (_, at) => `r${at},,${name}-${at % 500},${NUMBER},12/${30 + (at % 2)},`,
    )
    const content = [HEADER, ...rows].join('\n')
    const dying = { ...service.context, db: service.context.db.withPlugin(dyingAfter(step)) }
    const outcome = await importFile(importing(content, { context: dying })).then(
      () => 'finished',
      (error: unknown) => String(error),
    )
    const done = await importFile(importing(content))
    expect(done).toMatchObject({ status: 'finished', rows_done: ROWS, failed: 0 })
    const { rows: counted } = await sql<{ buyers: number; methods: number; items: number; results: number }>`
      select count(distinct buyers.id)::integer as buyers, count(*)::integer as methods,
        count(items.token)::integer as items,
        (select count(distinct stored_id)::integer from vault_import_rows where import_id = ${done.id}) as results
      from payment_methods left join vault.items on items.token = vault_token join buyers on buyers.id = buyer_id
      where buyers.external_identifier like ${`${name}-%`}
    `.execute(service.context.db)
    const stored = done.imported
    expect(counted).toEqual([{ buyers: 500, methods: stored, items: stored, results: stored }])
    if (outcome === 'finished') break
    expect(outcome).toContain('killed')
    steps = step
  }
  expect(steps).toBeGreaterThan(15)
})

/** The process is gone once so many statements have run: no other one comes, and the transaction ends without a commit. */
function dyingAfter(statements: number): KyselyPlugin {
  let count = 0
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count += 1
      if (count >= statements) throw new Error('killed')
      return result
    },
  }
}
