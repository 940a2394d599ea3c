import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type GoogleTokenOrder,
  googleTestKey,
  makeGoogleToken,
} from '#sandbox/simulator/wallets/make-google-token.ts'
import { type GoogleRecipient, openGooglePay } from './open-google-pay.ts'
import { RefusedToken } from './opened-token.ts'

const { google: published } = JSON.parse(
  readFileSync(new URL('./published-tokens.json', import.meta.url), 'utf8'),
)

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof RefusedToken) return error.refusal
    throw error
  }
  return 'opened'
}

function privateKeyIn(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
}

describe('a token that was made with the test code of Tink', () => {
  const root = createPublicKey({ key: Buffer.from(published.rootKey, 'base64'), format: 'der', type: 'spki' })
  const key = privateKeyIn(published.privateKey)
  const another = privateKeyIn(published.anotherPrivateKey)
  const recipient = { recipientId: published.recipientId, gatewayMerchantId: null, privateKeys: [key] }
  const now = new Date('2026-01-01T00:00:00Z')
  const trust = { rootKeys: [{ key: root, expiresAt: null }], now }

  test('opens, given as text or as an object', () => {
    for (const given of [published.card, JSON.stringify(published.card)]) {
      const { instrument, agreed, assurance } = openGooglePay(given, recipient, trust)

      expect(instrument.number.use(String)).toBe('4111111111111111')
      expect(instrument).toMatchObject({ kind: 'card', expirationDate: '12/26' })
      expect(agreed).toBeNull()
      expect(assurance).toBeNull()
    }
  })

  test('opens with the one key of several that it was made for', () => {
    const both = { ...recipient, privateKeys: [another, key] }

    expect(refusalOf(() => openGooglePay(published.card, both, trust))).toBe('opened')
    expect(
      refusalOf(() => openGooglePay(published.card, { ...recipient, privateKeys: [another] }, trust)),
    ).toBe('wrong-key')
    expect(refusalOf(() => openGooglePay(published.card, { ...recipient, privateKeys: [] }, trust))).toBe(
      'wrong-key',
    )
  })

  test.each([
    ['expired', 'expired'],
    ['expiredSigningKey', 'expired'],
    ['wrongTag', 'wrong-key'],
    ['notJson', 'unreadable'],
  ])('is refused if it is %s', (name, refusal) => {
    expect(refusalOf(() => openGooglePay(published[name], recipient, trust))).toBe(refusal)
  })

  test('is refused for another recipient and below other root keys', () => {
    const other = { ...recipient, recipientId: 'merchant:other' }
    const expired = { ...trust, rootKeys: [{ key: root, expiresAt: now }] }
    const foreign = { ...trust, rootKeys: [{ key: googleTestKey(), expiresAt: null }] }

    expect(refusalOf(() => openGooglePay(published.card, other, trust))).toBe('wrong-signature')
    expect(refusalOf(() => openGooglePay(published.card, recipient, expired))).toBe('wrong-signature')
    expect(refusalOf(() => openGooglePay(published.card, recipient, foreign))).toBe('wrong-signature')
    expect(refusalOf(() => openGooglePay(published.card, recipient, { ...trust, rootKeys: [] }))).toBe(
      'wrong-signature',
    )
  })

  test('is refused when anything in it is changed', () => {
    const { card } = published
    const changed = {
      message: { ...card, signedMessage: `${card.signedMessage} ` },
      signature: { ...card, signature: published.expired.signature },
      'signing key': {
        ...card,
        intermediateSigningKey: {
          ...card.intermediateSigningKey,
          signedKey: card.intermediateSigningKey.signedKey.replace('1879409613939', '1979409613939'),
        },
      },
      signatures: { ...card, intermediateSigningKey: { ...card.intermediateSigningKey, signatures: [] } },
      'too many signatures': {
        ...card,
        intermediateSigningKey: {
          ...card.intermediateSigningKey,
          signatures: Array(11).fill(card.signature),
        },
      },
    }

    for (const [name, given] of Object.entries(changed)) {
      expect(
        refusalOf(() => openGooglePay(given, recipient, trust)),
        name,
      ).toBe('wrong-signature')
    }
  })

  test('is refused with another version, and as anything else', () => {
    const { card } = published
    const of = (given: unknown) => refusalOf(() => openGooglePay(given, recipient, trust))

    expect(of({ ...card, protocolVersion: 'ECv1' })).toBe('unsupported')
    expect(of({ ...card, protocolVersion: 'ECv2SigningOnly' })).toBe('unsupported')
    for (const given of ['', 'text', '[]', 'null', {}, [], null, { protocolVersion: 'ECv2' }]) {
      expect(of(given)).toBe('unreadable')
    }
    expect(of({ ...card, intermediateSigningKey: 'text' })).toBe('unreadable')
    expect(of({ ...card, signedMessage: 7 })).toBe('unreadable')
  })
})

describe('a token of the sandbox', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = new Date()
  const recipient: GoogleRecipient = {
    recipientId: 'gateway:switchyard',
    gatewayMerchantId: 'default',
    privateKeys: [privateKey],
  }
  const trust = { rootKeys: [{ key: googleTestKey(), expiresAt: null }], now }
  const make = (order: Partial<GoogleTokenOrder> = {}) =>
    makeGoogleToken({
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      recipientId: 'gateway:switchyard',
      gatewayMerchantId: 'default',
      authMethod: 'CRYPTOGRAM_3DS',
      number: '4111111111111111',
      expirationDate: '12/30',
      now,
      ...order,
    })

  test('opens with a cryptogram, and tells what Google has verified', () => {
    const { instrument, assurance } = openGooglePay(make(), recipient, trust)

    expect(instrument).toMatchObject({ kind: 'network-token', expirationDate: '12/30', eci: '05' })
    expect(instrument.kind === 'network-token' && instrument.cryptogram.use(String)).toMatch(/^.{28}$/)
    expect(assurance).toEqual({ isAccountVerified: true, isCardHolderAuthenticated: true })
  })

  test('opens as a card without a cryptogram', () => {
    const { instrument, assurance } = openGooglePay(make({ authMethod: 'PAN_ONLY' }), recipient, trust)

    expect(instrument.kind).toBe('card')
    expect(assurance).toEqual({ isAccountVerified: true, isCardHolderAuthenticated: false })
  })

  test('is refused if it names another merchant, or none', () => {
    for (const gatewayMerchantId of ['another-shop', null]) {
      const given = make({ gatewayMerchantId })

      expect(refusalOf(() => openGooglePay(given, recipient, trust))).toBe('other-merchant')
    }
  })

  test('is refused an hour later', () => {
    const token = make()
    const later = { ...trust, now: new Date(now.getTime() + 3_600_000) }

    expect(refusalOf(() => openGooglePay(token, recipient, later))).toBe('expired')
  })

  test('is refused with a method that we do not know', () => {
    expect(
      refusalOf(() => openGooglePay(make({ authMethod: 'OTHER' as 'PAN_ONLY' }), recipient, trust)),
    ).toBe('unsupported')
  })

  test('is refused when a trusted key of another curve has signed it', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const keyValue = other.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const signedKey = JSON.stringify({ keyValue, keyExpiration: '9999999999999' })
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const parts = ['Google', 'ECv2', signedKey].map((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(part.length)
      return Buffer.concat([length, Buffer.from(part)])
    })
    const signature = sign('sha256', Buffer.concat(parts), root.privateKey).toString('base64')
    const given = { ...make(), intermediateSigningKey: { signedKey, signatures: [signature] } }

    expect(
      refusalOf(() =>
        openGooglePay(given, recipient, { rootKeys: [{ key: root.publicKey, expiresAt: null }], now }),
      ),
    ).toBe('wrong-signature')
  })
})
