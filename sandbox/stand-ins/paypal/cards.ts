import type { Json, Source } from './books.ts'
import { inventId } from './books.ts'
import { Problem } from './problem.ts'

/**
 * The names that the sandbox declines, with the processor's answer. They are written as the card's holder.
 * https://developer.paypal.com/tools/sandbox/card-testing/
 */
export const REJECTIONS: Readonly<Record<string, string>> = {
  'CCREJECT-REFUSED': '0500',
  'CCREJECT-SF': '9500',
  'CCREJECT-EC': '5400',
  'CCREJECT-IRC': '5180',
  'CCREJECT-IF': '5120',
  'CCREJECT-LS': '9520',
  'CCREJECT-IA': '1330',
  'CCREJECT-BANK_ERROR': '5100',
  'CCREJECT-CVV_F': '00N7',
}

/** A card of a request. The stand-in keeps neither number nor code. */
export function readCard(wire: Json, now: Date): Source & { kind: 'card' } {
  const { number, expiry, security_code: code, name, attributes, network_token: token } = wire as Json
  const holder = token === undefined ? { number, expiry } : (token as Json)
  if (token !== undefined && holder['cryptogram'] === undefined && !isMerchants(wire)) {
    throw new Problem(422, 'CRYPTOGRAM_REQUIRED', { field: '/payment_source/card/network_token/cryptogram' })
  }
  const digits = typeof holder['number'] === 'string' ? holder['number'] : ''
  if (digits === '') throw new Problem(422, 'CARD_NUMBER_REQUIRED', { field: '/payment_source/card/number' })
  if (!/^\d{13,19}$/.test(digits) || !passesLuhn(digits)) {
    throw new Problem(422, 'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED', { field: '/payment_source/card/number' })
  }
  const end = typeof holder['expiry'] === 'string' ? holder['expiry'] : ''
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(end)) {
    throw new Problem(422, 'INVALID_EXPIRY_DATE', { field: '/payment_source/card/expiry' })
  }
  if (end < now.toISOString().slice(0, 7)) throw new Problem(422, 'CARD_EXPIRED')
  const brand = brandOf(digits)
  if (code !== undefined && String(code).length !== (brand === 'AMEX' ? 4 : 3)) {
    throw new Problem(422, 'INVALID_SECURITY_CODE_LENGTH', { field: '/payment_source/card/security_code' })
  }
  const context = (wire['experience_context'] ?? {}) as Json
  const vault = ((attributes ?? {}) as Json)['vault'] as Json | undefined
  return {
    kind: 'card',
    wallet: null,
    lastDigits: digits.slice(-4),
    brand,
    expiry: end,
    name: typeof name === 'string' ? name : null,
    hasCode: code !== undefined,
    networkReference: inventId(15),
    authentication: null,
    returnUrl: textOrNull(context['return_url']),
    cancelUrl: textOrNull(context['cancel_url']),
    storesOnSuccess: vault?.['store_in_vault'] === 'ON_SUCCESS',
    vaultId: null,
  }
}

/** Whether the merchant initiates the payment. */
export function isMerchants({ stored_credential: credential }: Json): boolean {
  return ((credential ?? {}) as Json)['payment_initiator'] === 'MERCHANT'
}

/** A customer at the other end is asked with SCA_ALWAYS; with SCA_WHEN_REQUIRED only holders of these test cards. */
const ASKED_WHEN_REQUIRED = ['2370', '0015', '1091']

export function needsBuyer(card: Source & { kind: 'card' }, wire: Json): boolean {
  const verification = ((wire['attributes'] ?? {}) as Json)['verification'] as Json | undefined
  const method = verification?.['method']
  if (method === 'SCA_ALWAYS' || method === '3D_SECURE') return true
  return method === 'SCA_WHEN_REQUIRED' && ASKED_WHEN_REQUIRED.includes(card.lastDigits)
}

/** Rejections come with AVS `G` and CVV `P`, as the sandbox does it. */
export function processorResponse(card: Source & { kind: 'card' }): { isApproved: boolean; body: Json } {
  const trigger = Object.keys(REJECTIONS).find((name) => card.name?.split(' ')[0] === name)
  if (trigger) {
    return { isApproved: false, body: { avs_code: 'G', cvv_code: 'P', response_code: REJECTIONS[trigger] } }
  }
  const cvv = card.hasCode ? 'M' : 'P'
  return { isApproved: true, body: { avs_code: 'Y', cvv_code: cvv, response_code: '0000' } }
}

export function viewCard(card: Source & { kind: 'card' }): Json {
  const { authentication, vaultId } = card
  return {
    ...(card.name && card.name.length > 1 && { name: card.name }),
    last_digits: card.lastDigits,
    brand: card.brand,
    type: 'CREDIT',
    expiry: card.expiry,
    ...(authentication && {
      authentication_result: {
        liability_shift: authentication.liabilityShift,
        three_d_secure: {
          enrollment_status: authentication.enrollment,
          ...(authentication.status && { authentication_status: authentication.status }),
        },
      },
    }),
    ...(vaultId && { attributes: { vault: { id: vaultId, status: 'VAULTED' } } }),
  }
}

function brandOf(digits: string): string {
  if (/^3[47]/.test(digits)) return 'AMEX'
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'MASTERCARD'
  if (/^(6011|65|36)/.test(digits)) return 'DISCOVER'
  if (/^35/.test(digits)) return 'JCB'
  if (/^(50|6[37])/.test(digits)) return 'MAESTRO'
  return 'VISA'
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
