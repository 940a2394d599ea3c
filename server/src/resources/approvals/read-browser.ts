import type { FastifyRequest } from 'fastify'
import type { Browser } from '#connectors/contract/three-d-secure.ts'
import { openState } from '#payments/plan/three-ds-server.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import type { Returned } from '#processing/attempts/conclude.ts'
import type { Engine } from '#processing/engine.ts'

/** Whether a form of one of our own pages was sent, the one that the payment waits for. */
export function isSentByUs(
  engine: Pick<Engine, 'secrets'>,
  { id, document: { challenge } }: StoredTransaction,
  sent: Returned,
): boolean {
  if (!challenge) return false
  // Sent twice, or late: it changes nothing.
  if (challenge.stage === 'asked') return true
  if (challenge.stage === 'device') return sent['told'] !== undefined
  const isSimulated = openState(engine, id, challenge).form === null
  return isSimulated && (sent['decision'] === 'approve' || sent['decision'] === 'refuse')
}

/** Whether the buyer is on a page of the issuer, and comes back from there. */
export function isAtIssuer(
  engine: Pick<Engine, 'secrets'>,
  { id, document: { challenge } }: StoredTransaction,
): boolean {
  if (!challenge || challenge.stage === 'device') return false
  return openState(engine, id, challenge).form !== null
}

const HEADER_MAX = 2048
const WHOLE = /^-?\d{1,5}$/

/** What the browser says of itself: in its headers, and by the script of our page. It may say anything, or nothing. */
export function browserOf({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>, sent: Returned): Browser {
  const { accept, 'user-agent': agent = '', 'accept-language': languages = '' } = headers
  const number = (name: string) => (WHOLE.test(sent[name] ?? '') ? Number(sent[name]) : null)
  const flag = (name: string) => ({ true: true, false: false })[sent[name] ?? ''] ?? null
  const [, preferred = ''] = /^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)/.exec(sent['language'] || languages) ?? []
  return {
    acceptHeader: accept ? accept.slice(0, HEADER_MAX) : null,
    userAgent: agent.slice(0, HEADER_MAX),
    ipAddress: ip,
    language: preferred || null,
    javaEnabled: flag('java_enabled'),
    javascriptEnabled: flag('javascript_enabled'),
    colorDepth: number('color_depth'),
    screenHeight: number('screen_height'),
    screenWidth: number('screen_width'),
    timeZoneOffset: number('time_zone_offset'),
  }
}
