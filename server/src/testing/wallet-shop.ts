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

type Answer = { readonly json: () => never }
type Send = (route: string, body?: unknown) => Promise<Answer>
type Item = { readonly id: string }
type Items = { readonly items: readonly Item[] }

/** Deletes all wallets of the default account with their keys: an account has one of each provider. */
export async function removeWallets(send: Send): Promise<void> {
  const wallets: Items = (await send('GET /digital-wallets')).json()
  for (const { id } of wallets.items) {
    const keys: Items = (await send(`GET /digital-wallets/${id}/keys`)).json()
    for (const key of keys.items) await send(`DELETE /digital-wallets/${id}/keys/${key.id}`)
    await send(`DELETE /digital-wallets/${id}`)
  }
}

/** A body for an operation of sessions, with everything that it needs to be answered. */
export async function readyForSession(send: Send, path: string): Promise<object | undefined> {
  const [, , provider = '', , step] = path.split('/')
  if (!path.includes('/session') || provider === 'google') return undefined
  await removeWallets(send)
  const wallet: Item = (
    await send('POST /digital-wallets', {
      provider,
      merchant_name: 'Fashion store',
      domain_names: [APPLE_DOMAIN],
      accept_terms_and_conditions: true,
    })
  ).json()
  if (provider === 'apple') {
    const purpose = 'apple-merchant-identity'
    await send(`POST /digital-wallets/${wallet.id}/keys`, { purpose, ...appleCertificate() })
    return undefined
  }
  if (provider === 'click-to-pay') {
    const checkout: Item = (await send('POST /checkout/sessions')).json()
    return { checkout_session_id: checkout.id }
  }
  return step === undefined ? undefined : beginPaze(send, step)
}

async function beginPaze(send: Send, step: string): Promise<object> {
  const path = '/digital-wallets/paze/session'
  const session: Record<'id' | 'sessionId' | 'accessToken', string> = (
    await send(`POST ${path}`, { source: 'mobile' })
  ).json()
  const { id, sessionId, accessToken } = session
  const order = { client: { id }, sessionId, accessToken }
  if (step === 'create') return order
  const begun: { readonly pazeCheckoutUrl: string } = (
    await send(`POST ${path}/create`, { ...order, callbackURLScheme: 'shop', intent: 'REVIEW_AND_PAY' })
  ).json()
  return { sessionId, accessToken, code: new URL(begun.pazeCheckoutUrl).searchParams.get('code') }
}
