import { createPrivateKey, generateKeyPairSync, hash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { der } from '#resources/digital-wallets/keys/create.ts'
import { appleTestRoot, makeAppleToken } from '#sandbox/simulator/wallets/make-apple-token.ts'
import { type AppleToken, MERCHANT, type OpensslPhone, openOpensslPhone } from '#testing/openssl-phone.ts'
import { APPLE_ROOT } from './authorities.ts'
import { readBer } from './ber.ts'
import { openApplePay, readApplePay } from './open-apple-pay.ts'
import { RefusedToken } from './opened-token.ts'

const { apple: published } = JSON.parse(
  readFileSync(new URL('./published-tokens.json', import.meta.url), 'utf8'),
)
const PAYMENT = {
  applicationPrimaryAccountNumber: '4895370012003478',
  applicationExpirationDate: '281231',
  currencyCode: '840',
  transactionAmount: 1299,
  cardholderName: 'Ada Lovelace',
  deviceManufacturerIdentifier: '040010030273',
  paymentDataType: '3DSecure',
  paymentData: { onlinePaymentCryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=', eciIndicator: '5' },
}

/** The published tokens have keys in base64. */
function privateKeyIn(text: string | Buffer) {
  const key = typeof text === 'string' ? Buffer.from(text, 'base64') : text
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof RefusedToken) return error.refusal
    throw error
  }
  return 'opened'
}

const MARK_OF_LEAF = '06092a864886f76364061d'
const MARK_OF_INTERMEDIATE = '060a2a864886f7636406020e'

/** Replaces the certificates of a signature by values that have Apple's marks, and the certificates as text. */
function hideCertificates(signature: Buffer): Buffer {
  const [type, wrapped] = readBer(signature).children
  const fields = wrapped?.children[0]?.children ?? []
  const hidden = fields.map(({ tag, whole, children }) =>
    tag === 0xa0 ? der(0xa0, ...children.map((certificate) => hide(certificate.whole))) : whole,
  )
  return der(0x30, type?.whole ?? Buffer.alloc(0), der(0xa0, der(0x30, ...hidden)))
}

function hide(bytes: Buffer): Buffer {
  const certificate = new X509Certificate(bytes)
  const mark = Buffer.from(certificate.ca ? MARK_OF_INTERMEDIATE : MARK_OF_LEAF, 'hex')
  const extensions = der(0xa3, der(0x30, der(0x30, mark, der(0x04))))
  return der(0x30, der(0x30, extensions, der(0x04, Buffer.from(`\n${certificate.toString()}`))))
}

describe('a token that Apple has signed', () => {
  const key = {
    merchantIdentifier: published.merchantIdentifier,
    privateKey: privateKeyIn(published.privateKey),
  }
  const open = (given: unknown, time = published.signedAt) =>
    openApplePay(readApplePay(given), key, { roots: [APPLE_ROOT], now: new Date(time) })

  test('opens', () => {
    const { instrument, agreed, cardholderName } = open(published.token)

    expect(instrument.kind).toBe('network-token')
    expect(instrument.number.use(String)).toBe('4109370251004320')
    expect(instrument.expirationDate).toBe('07/20')
    expect(instrument.kind === 'network-token' && instrument.cryptogram.use(String)).toBe(
      'Af9x/QwAA/DjmU65oyc1MAABAAA=',
    )
    expect(instrument).toHaveProperty('eci', '05')
    expect(agreed).toEqual({ amount: 100, currencyNumber: '840' })
    expect(cardholderName).toBeNull()
  })

  test('opens as part of the whole payment token, as a page gets it', () => {
    const whole = {
      paymentData: published.token,
      paymentMethod: { network: 'Visa' },
      transactionIdentifier: 'x',
    }

    expect(open(whole).agreed).toEqual({ amount: 100, currencyNumber: '840' })
  })

  test('opens for five minutes, and a minute ahead of its time', () => {
    expect(refusalOf(() => open(published.token, '2014-10-27T19:56:43Z'))).toBe('opened')
    expect(refusalOf(() => open(published.token, '2014-10-27T19:56:44Z'))).toBe('expired')
    expect(refusalOf(() => open(published.token, '2014-10-27T19:50:43Z'))).toBe('opened')
    expect(refusalOf(() => open(published.token, '2014-10-27T19:50:42Z'))).toBe('expired')
  })

  test('is refused when its certificates have expired', () => {
    expect(refusalOf(() => open(published.token, '2020-01-01T00:00:00Z'))).toBe('wrong-signature')
  })

  test('is refused below another root', () => {
    const roots = [appleTestRoot()]
    const trust = { roots, now: new Date(published.signedAt) }

    expect(refusalOf(() => openApplePay(readApplePay(published.token), key, trust))).toBe('wrong-signature')
  })

  test('is refused after a change of any signed part', () => {
    const { token } = published
    const other = (text: string) => `${text.slice(0, 40)}${text[40] === 'a' ? 'b' : 'a'}${text.slice(41)}`
    const changed = [
      { ...token, data: other(token.data) },
      { ...token, header: { ...token.header, transactionId: other(token.header.transactionId) } },
      {
        ...token,
        header: { ...token.header, ephemeralPublicKey: other(token.header.ephemeralPublicKey) },
      },
      { ...token, header: { ...token.header, applicationData: 'ab'.repeat(32) } },
    ]

    for (const given of changed) expect(refusalOf(() => open(given))).toBe('wrong-signature')
  })

  test('has the fingerprint of the root that Apple publishes', () => {
    expect(APPLE_ROOT.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
      '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179',
    )
  })
})

describe('a token of a phone that shares no code with us', () => {
  let phone: OpensslPhone
  beforeAll(async () => {
    phone = await openOpensslPhone()
  })
  afterAll(() => phone.close())

  const open = (token: unknown, { merchantIdentifier = MERCHANT, roots = [phone.root] } = {}) => {
    const key = { merchantIdentifier, privateKey: privateKeyIn(phone.merchantKey) }
    return openApplePay(readApplePay(token), key, { roots, now: new Date() })
  }

  test('opens, also with data of the merchant’s own request', async () => {
    const plain = open(await phone.approve(PAYMENT))
    const withData = open(
      await phone.approve(PAYMENT, { applicationData: hash('sha256', 'order 7', 'buffer') }),
    )

    for (const { instrument, agreed, cardholderName } of [plain, withData]) {
      expect(instrument.number.use(String)).toBe('4895370012003478')
      expect(instrument).toMatchObject({ kind: 'network-token', expirationDate: '12/28', eci: '05' })
      expect(agreed).toEqual({ amount: 1299, currencyNumber: '840' })
      expect(cardholderName).toBe('Ada Lovelace')
    }
  })

  test('has one digest, however it is spelled', async () => {
    const token = await phone.approve(PAYMENT)
    const spelled = {
      ...token,
      header: { ...token.header, transactionId: token.header['transactionId']?.toUpperCase() },
    }

    expect(open(spelled).digest).toBe(open(token).digest)
    expect(open(await phone.approve(PAYMENT)).digest).not.toBe(open(token).digest)
  })

  test('has no second form in which bytes have moved from one part to another', async () => {
    const token = await phone.approve(PAYMENT)
    const { transactionId: id = '' } = token.header
    const cut = (at: number) => ({
      ...token,
      header: { ...token.header, transactionId: id.slice(0, at), applicationData: id.slice(at) },
    })
    const data = Buffer.from(token.data, 'base64')
    const shifted = {
      ...token,
      data: data.subarray(0, -32).toString('base64'),
      header: {
        ...token.header,
        transactionId: data.subarray(-32).toString('hex'),
        applicationData: id,
      },
    }

    for (const at of [62, 32, 2]) expect(refusalOf(() => open(cut(at)))).toBe('unreadable')
    expect(refusalOf(() => open(shifted))).toBe('wrong-key')
  })

  test('has a digest of all that is signed', async () => {
    const applicationData = hash('sha256', 'order 7', 'buffer')
    const token = await phone.approve(PAYMENT, { applicationData })
    const { ephemeralPublicKey = '', transactionId = '' } = token.header
    const signed = Buffer.concat([
      Buffer.from(ephemeralPublicKey, 'base64'),
      Buffer.from(token.data, 'base64'),
      Buffer.from(transactionId, 'hex'),
      applicationData,
    ])

    expect(open(token).digest).toBe(hash('sha256', Buffer.concat([Buffer.from('apple:'), signed])))
  })

  test('is refused with another key, another merchant and another root', async () => {
    const token = await phone.approve(PAYMENT)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { merchantIdentifier: MERCHANT, privateKey }
    const trust = { roots: [phone.root], now: new Date() }

    expect(refusalOf(() => openApplePay(readApplePay(token), key, trust))).toBe('wrong-key')
    expect(refusalOf(() => open(token, { merchantIdentifier: 'merchant.com.example.other' }))).toBe(
      'wrong-key',
    )
    expect(refusalOf(() => open(token, { roots: [APPLE_ROOT] }))).toBe('wrong-signature')
  })

  test('is refused when a signature is of another message or by another certificate of the chain', async () => {
    const token = await phone.approve(PAYMENT)
    const { ephemeralPublicKey = '', transactionId = '' } = token.header
    const message = Buffer.concat([
      Buffer.from(ephemeralPublicKey, 'base64'),
      Buffer.from(token.data, 'base64'),
      Buffer.from(transactionId, 'hex'),
    ])
    const signedBy = (signature: Buffer): AppleToken => ({
      ...token,
      signature: signature.toString('base64'),
    })

    expect(refusalOf(() => open(signedBy(phone.sign(message))))).toBe('opened')
    expect(refusalOf(() => open(signedBy(phone.sign(message.subarray(1)))))).toBe('wrong-signature')
    expect(refusalOf(() => open(signedBy(phone.sign(message, 'intermediate'))))).toBe('wrong-signature')
  })

  test('is refused below certificates that Apple issues for other purposes', async () => {
    for (const marks of [
      { leaf: '1.2.840.113635.100.6.30' },
      { intermediate: '1.2.840.113635.100.6.2.15' },
    ]) {
      const other = await openOpensslPhone(marks)
      const key = { merchantIdentifier: MERCHANT, privateKey: privateKeyIn(other.merchantKey) }
      const token = await other.approve(PAYMENT)

      expect(
        refusalOf(() => openApplePay(readApplePay(token), key, { roots: [other.root], now: new Date() })),
      ).toBe('wrong-signature')
      other.close()
    }
  })

  test('is refused when an unmarked certificate hides as PEM in a marked value', async () => {
    const other = await openOpensslPhone({
      leaf: '1.2.840.113635.100.6.30',
      intermediate: '1.2.840.113635.100.6.2.15',
    })
    const key = { merchantIdentifier: MERCHANT, privateKey: privateKeyIn(other.merchantKey) }
    const token = await other.approve(PAYMENT)
    const signature = hideCertificates(Buffer.from(token.signature, 'base64')).toString('base64')
    const trust = { roots: [other.root], now: new Date() }

    expect(refusalOf(() => openApplePay(readApplePay({ ...token, signature }), key, trust))).toBe(
      'wrong-signature',
    )
    other.close()
  })

  test('is refused when its payment data is not what we know', async () => {
    const wrong = {
      'of another type': { ...PAYMENT, paymentDataType: 'EMV' },
      'without an amount': { ...PAYMENT, transactionAmount: undefined },
      'with half a cent': { ...PAYMENT, transactionAmount: 12.5 },
      'without a cryptogram': { ...PAYMENT, paymentData: {} },
      'with a month of 13': { ...PAYMENT, applicationExpirationDate: '281331' },
      'with no number': { ...PAYMENT, applicationPrimaryAccountNumber: 'not a number' },
      'a list': [PAYMENT],
    }

    for (const [name, payment] of Object.entries(wrong)) {
      const token = await phone.approve(payment)
      expect(['unsupported', 'unreadable'], name).toContain(refusalOf(() => open(token)))
    }
  })

  test('with any byte of its signature changed, is refused and never crashes', async () => {
    const token = await phone.approve(PAYMENT)
    const signature = Buffer.from(token.signature, 'base64')
    const key = { merchantIdentifier: MERCHANT, privateKey: privateKeyIn(phone.merchantKey) }
    const refusals = new Map<string, number>()

    for (let at = 0; at < signature.length; at += 1) {
      const changed = Buffer.from(signature)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      const given = { ...token, signature: changed.toString('base64') }
      const refusal = refusalOf(() =>
        openApplePay(readApplePay(given), key, { roots: [phone.root], now: new Date() }),
      )
      refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
    }

    // What may change is outside of what is signed: versions, the digest list, the name of the signer.
    expect(refusals.get('opened') ?? 0).toBeLessThan(120)
    expect(new Set(refusals.keys())).toEqual(new Set(['opened', 'unreadable', 'wrong-signature']))
  })
})

test('refuses other versions and other things, and says why', () => {
  const { token } = published
  const refused = (given: unknown) => {
    try {
      readApplePay(given)
    } catch (error) {
      return `${(error as RefusedToken).refusal}: ${(error as Error).message}`
    }
    return 'read'
  }

  expect(refused({ ...token, version: 'RSA_v1' })).toContain(
    'unsupported: its version RSA_v1 is not supported',
  )
  expect(refused({ ...token, version: 'EC_v2' })).toBe('unsupported: its version is not EC_v1')
  expect(refused({})).toContain('unreadable: its version')
  expect(refused({ paymentData: 'text' })).toContain('unreadable: its paymentData')
  expect(refused({ ...token, header: undefined })).toContain('unreadable: its header')
  expect(refused({ ...token, data: 'not base64 !' })).toContain('unreadable: its data')
  expect(refused({ ...token, signature: 'A'.repeat(20_000) })).toContain('unreadable: its signature')
  const idOf = (transactionId: string) => ({ ...token, header: { ...token.header, transactionId } })
  for (const id of ['', 'ab', 'zz'.repeat(32), 'ab'.repeat(33), 'ab'.repeat(100_000)]) {
    expect(refused(idOf(id))).toBe('unreadable: its transactionId is not 32 bytes in hexadecimal digits')
  }
  expect(refused(null)).toContain('unreadable: its token')
})

test('the sandbox’s own token opens below its own root only', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = new Date()
  const token = makeAppleToken({
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    merchantIdentifier: MERCHANT,
    number: '4111111111111111',
    expirationDate: '12/30',
    amount: 1299,
    currencyNumber: '840',
    now,
  })
  const key = { merchantIdentifier: MERCHANT, privateKey }
  const root = appleTestRoot()

  expect(openApplePay(readApplePay(token), key, { roots: [APPLE_ROOT, root], now }).agreed?.amount).toBe(1299)
  expect(refusalOf(() => openApplePay(readApplePay(token), key, { roots: [APPLE_ROOT], now }))).toBe(
    'wrong-signature',
  )
})
