import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const KEY_PURPOSES = ['apple-merchant-identity', 'apple-payment-processing', 'google-payment'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]
const STATUSES = ['pending', 'active', 'expired'] as const

const PEM_LENGTH_MAX = 20_000

const Purpose = OneOf(KEY_PURPOSES, {
  description:
    '`apple-merchant-identity` proves to Apple who asks for a session. `apple-payment-processing` opens Apple Pay’s tokens, ' +
    '`google-payment` those of Google Pay.',
})
const Certificate = Type.String({
  minLength: 1,
  maxLength: PEM_LENGTH_MAX,
  description: 'The certificate that Apple issued, in PEM.',
})

export const CreateDigitalWalletKey = Strict(
  {
    purpose: Purpose,
    certificate: Type.Optional(Nullable(Certificate)),
    private_key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: PEM_LENGTH_MAX,
          description:
            'In PEM, without a passphrase; with its certificate, if it is one of Apple Pay. Without it, we make a key. Sealed in the vault and never shown.',
        }),
      ),
    ),
    recipient_id: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^(gateway|merchant):[!-~]{1,200}$',
          expected: '`gateway:` and a name, or `merchant:` and an id, such as gateway:switchyard',
          description: 'For `google-payment`: to whom Google addresses the tokens.',
        }),
      ),
    ),
  },
  { title: 'CreateDigitalWalletKey', examples: [{ purpose: 'apple-payment-processing' }] },
)
export type CreateDigitalWalletKey = Static<typeof CreateDigitalWalletKey>

export const CertifyDigitalWalletKey = Strict(
  { certificate: Certificate },
  {
    title: 'CertifyDigitalWalletKey',
    examples: [{ certificate: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n' }],
  },
)
export type CertifyDigitalWalletKey = Static<typeof CertifyDigitalWalletKey>

export const DigitalWalletKey = Strict(
  {
    type: Kind('digital-wallet-key'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    digital_wallet_id: Uuid(),
    purpose: Purpose,
    status: OneOf(STATUSES, {
      description:
        '`pending` until its certificate is here, then `active`, and `expired` with its certificate.',
    }),
    public_key: Type.String({ description: 'In PEM.' }),
    public_key_hash: Type.String({
      description: 'SHA-256 of the public key in DER, in base64. Apple Pay’s tokens name their key by it.',
    }),
    certificate_signing_request: Nullable(
      Type.String({ description: 'If we made the key: the request to hand to Apple, in PEM.' }),
    ),
    certificate: Nullable(Type.String()),
    serial_number: Nullable(Type.String({ description: 'Of the certificate, in hex.' })),
    merchant_identifier: Nullable(
      Type.String({ description: 'Apple’s name for the merchant, as the certificate has it.' }),
    ),
    expires_at: Nullable(DateTime({ description: 'When the certificate expires.' })),
    recipient_id: Nullable(Type.String()),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'DigitalWalletKey',
    examples: [
      {
        type: 'digital-wallet-key',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0002',
        merchant_account_id: 'default',
        digital_wallet_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        purpose: 'apple-payment-processing',
        status: 'pending',
        public_key: '-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n',
        public_key_hash: 'LbsUwAT6w1JV9tFXocU813TCHks+LSuFF0R/eBkrWnQ=',
        certificate_signing_request:
          '-----BEGIN CERTIFICATE REQUEST-----\nMIHY…\n-----END CERTIFICATE REQUEST-----\n',
        certificate: null,
        serial_number: null,
        merchant_identifier: null,
        expires_at: null,
        recipient_id: null,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type DigitalWalletKey = Static<typeof DigitalWalletKey>

export const DigitalWalletKeys = Strict(
  { items: Type.Array(DigitalWalletKey) },
  { title: 'DigitalWalletKeys' },
)
