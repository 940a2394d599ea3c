import type { KeyObject } from 'node:crypto'
import { type CertificateOptions, selfSigned } from './self-signed.ts'

export const MERCHANT_IDENTIFIER = 'merchant.com.example.shop'
export const APPLE_DOMAIN = 'shop.example.com'
/** The address that Apple's own sandbox gives to pages. */
export const APPLE_URL = 'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession'

/** A certificate like those that Apple issues to merchants, and its key, as a request has them. */
export function appleCertificate(options: CertificateOptions = {}) {
  const { cert, key } = selfSigned('Apple Pay', { userId: MERCHANT_IDENTIFIER, ...options })
  return { certificate: cert, private_key: key }
}

/** A certificate for a key of which only the public half is here, as Apple has it of a signing request. */
export function issueCertificate(publicKey: KeyObject): string {
  return appleCertificate({ publicKey }).certificate
}

type Send = (
  route: string,
  body?: unknown,
) => Promise<{ readonly statusCode: number; readonly body: string; json: () => { items: { id: string }[] } }>

/** Deletes all wallets of the default account with their keys: an account has one of each provider. */
export async function removeWallets(send: Send): Promise<void> {
  for (const { id } of (await send('GET /digital-wallets')).json().items) {
    for (const key of (await send(`GET /digital-wallets/${id}/keys`)).json().items) {
      await send(`DELETE /digital-wallets/${id}/keys/${key.id}`)
    }
    await send(`DELETE /digital-wallets/${id}`)
  }
}
