import { sql } from 'kysely'
import { generateKey } from 'openpgp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { decrypt } from '../vault-imports/decrypt.ts'
import { importFile } from '../vault-imports/import-file.ts'
import { importKey, openKeys } from '../vault-imports/keys.ts'
import { type Exporting, exportCards } from './export-cards.ts'
import { holdersOf, makeShare, NotAgreed, removeShare } from './shares.ts'

const NUMBERS = ['4111111111111111', '5555555555554444', '4000056655665556']
const TEST_RSA_BITS = 2_048
const DAY_MS = 86_400_000

let here: TestService
let there: TestService
beforeAll(async () => {
  here = await startTestService()
  there = await startTestService()
})
afterAll(async () => {
  await here.close()
  await there.close()
})

async function exported(others: Partial<Exporting> = {}) {
  const chunks: Uint8Array[] = []
  const { public_key: publicKey } = await importKey(there.context, there.vault, { rsaBits: TEST_RSA_BITS })
  const receipt = await exportCards({
    context: here.context,
    vault: here.vault,
    publicKey,
    agreedBy: ['Ada', 'Ben'],
    merchantAccountId: null,
    write: async (given) => {
      for await (const chunk of given) chunks.push(chunk)
    },
    onProgress: () => {},
    ...others,
  })
  return { receipt, bytes: Buffer.concat(chunks) }
}

test('another installation imports what was exported, and charges it', async () => {
  const buyer = (
    await here.send('POST /buyers', {
      external_identifier: 'ours-1',
      display_name: '=Jane, "JD"',
      billing_details: {
        phone_number: '+14155550123',
        address: { country: 'US', line1: 'First\nSecond' },
        tax_id: { value: '12-3456789', kind: 'us.ein' },
      },
    })
  ).json()
  const ids: string[] = []
  for (const [at, number] of NUMBERS.entries()) {
    const owner = at === 2 ? {} : { buyer_id: buyer.id }
    const card = {
      method: 'card',
      number,
      expiration_date: '12/40',
      external_identifier: `card-${at}`,
      ...owner,
    }
    ids.push((await here.send('POST /payment-methods', card)).json().id)
  }
  const deleted = await here.send('POST /payment-methods', {
    method: 'card',
    number: NUMBERS[0],
    expiration_date: '12/41',
  })
  await here.send(`DELETE /payment-methods/${deleted.json().id}`)
  await here.send(`PUT /payment-methods/${ids[0]}`, {
    scheme_transaction_id: 'MCC1',
    scheme_transaction_id_scheme: 'visa',
  })

  const { receipt, bytes } = await exported()

  expect(receipt).toMatchObject({ cards: 3, bytes: bytes.length, agreed_by: ['Ada', 'Ben'] })
  for (const number of NUMBERS) expect(bytes.includes(number)).toBe(false)
  const keys = await openKeys(there.context, there.vault)
  const open = () =>
    decrypt(
      (async function* () {
        yield bytes
      })(),
      { isArmored: false, keys },
    )
  const needs = { context: there.context, vault: there.vault, open, name: 'cards.csv', onProgress: () => {} }
  expect(await importFile(needs)).toMatchObject({ imported: 3, failed: 0, duplicates: 0 })
  const { rows } = await sql<{ reference: string; stored_id: string }>`
    select reference, stored_id from vault_import_rows order by row_number
  `.execute(there.context.db)
  expect(rows.map(({ reference }) => reference)).toEqual(ids)
  const brought = await Promise.all(
    rows.map(async ({ stored_id }) => (await there.send(`GET /payment-methods/${stored_id}`)).json()),
  )
  expect(brought).toMatchObject([
    {
      label: '1111',
      expiration_date: '12/40',
      scheme_transaction_id: 'MCC1',
      external_identifier: 'card-0',
      buyer: {
        external_identifier: 'ours-1',
        display_name: '=Jane, "JD"',
        billing_details: {
          phone_number: '+14155550123',
          address: { country: 'US', line1: 'First Second' },
          tax_id: { value: '12-3456789', kind: 'us.ein' },
        },
      },
    },
    { label: '4444', buyer: { external_identifier: 'ours-1' } },
    { label: '5556', external_identifier: 'card-2', buyer: { external_identifier: ids[2] } },
  ])
  for (const { id } of brought) {
    const paid = await there.send('POST /transactions', {
      amount: 100,
      currency: 'USD',
      country: 'US',
      payment_method: { method: 'id', id },
    })
    expect(paid.json().status).toBe('authorization_succeeded')
  }
})

test('the audit log has both people, the receipt, and each card', async () => {
  const { receipt } = await exported()
  const { rows } = await sql<{ action: string; resource_type: string; resource_name: string; count: number }>`
    select action, resource_type, resource_name, count(*)::integer as count from audit_logs
    where resource_type = 'vault-export' or resource_name = 'vault export' group by 1, 2, 3 order by max(id::text)
  `.execute(here.context.db)
  expect(rows.slice(-3)).toMatchObject([
    { action: 'created', resource_name: `cards for ${receipt.key_fingerprint}, agreed by Ada and Ben` },
    { action: 'revealed', resource_type: 'payment-method', count: 6 },
    { action: 'updated', resource_name: `3 cards for ${receipt.key_fingerprint}, SHA-256 ${receipt.sha256}` },
  ])
})

test('has the cards of one account, if wanted', async () => {
  await expect(exported({ merchantAccountId: 'nowhere' })).rejects.toThrow('There is no card to export.')
})

test('only goes to a key that can encrypt', async () => {
  await expect(exported({ publicKey: 'no key' })).rejects.toThrow(/no public PGP key/)
  const { privateKey } = await generateKey({ userIDs: [{ name: 'test' }], format: 'armored' })
  await expect(exported({ publicKey: privateKey })).rejects.toThrow(/This is a private key/)
  const expired = await generateKey({
    userIDs: [{ name: 'test' }],
    format: 'armored',
    date: new Date(Date.now() - 2 * DAY_MS),
    keyExpirationTime: 60,
  })
  await expect(exported({ publicKey: expired.publicKey })).rejects.toThrow(/cannot encrypt: it has expired/)
})

describe('two people', () => {
  test('have to agree', async () => {
    const ada = await makeShare(here.context, 'Ada')
    const ben = await makeShare(here.context, 'Ben')
    expect(await holdersOf(here.context, [ada, `${ben}\n`], 'sandbox')).toEqual(['Ada', 'Ben'])
    for (const [shares, message] of [
      [[ada], /Two people have to agree/],
      [[ada, ada], /Two people have to agree/],
      [[ada, 'x'], /not known/],
      [[], /Two people have to agree/],
      [['', ''], /not known/],
    ] as const) {
      const refused = holdersOf(here.context, shares, 'sandbox')
      await expect(refused).rejects.toThrow(NotAgreed)
      await expect(refused).rejects.toThrow(message)
    }
    const { rows } = await sql<{ found: number }>`
      select count(*)::integer as found from vault_export_shares as share where share::text like ${`%${ada}%`}
    `.execute(here.context.db)
    expect(rows).toEqual([{ found: 0 }])
  })

  test('lose their shares by a newer one, and when they leave', async () => {
    const [first, ben] = [await makeShare(here.context, 'Cy'), await makeShare(here.context, 'Ben')]
    const second = await makeShare(here.context, 'Cy')
    await expect(holdersOf(here.context, [first, ben], 'sandbox')).rejects.toThrow(/not known/)
    expect(await holdersOf(here.context, [second, ben], 'sandbox')).toEqual(['Cy', 'Ben'])
    expect(await removeShare(here.context, 'Cy')).toBe(true)
    expect(await removeShare(here.context, 'Cy')).toBe(false)
    await expect(holdersOf(here.context, [second, ben], 'sandbox')).rejects.toThrow(/not known/)
  })

  test('wait for a day in production', async () => {
    const shares = [await makeShare(here.context, 'Dan'), await makeShare(here.context, 'Eve')]
    await expect(holdersOf(here.context, shares, 'production')).rejects.toThrow(/share of Dan is good from/)
    here.moveClock(DAY_MS)
    expect(await holdersOf(here.context, shares, 'production')).toEqual(['Dan', 'Eve'])
  })
})
