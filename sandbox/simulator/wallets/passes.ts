import { timingSafeEqual } from 'node:crypto'
import type { Body } from '../requests.ts'
import type { WalletDesk } from './desk.ts'

const KEPT_MS = 30 * 60_000

type Desk = Pick<WalletDesk, 'clock' | 'mac'>

/** A text that only this simulator can have made, and that is good for half an hour. */
export function writePass({ clock, mac }: Desk, kind: string, facts: Body): string {
  const content = { ...facts, until: clock().getTime() + KEPT_MS }
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${text}.${mac(`${kind} ${text}`).toString('base64url')}`
}

/** Null if it is forged, of another kind, or too old. */
export function readPass({ clock, mac }: Desk, kind: string, pass: unknown): Body | null {
  const [text = '', seal = ''] = String(pass).split('.')
  const expected = mac(`${kind} ${text}`)
  const given = Buffer.from(seal, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const facts = JSON.parse(Buffer.from(text, 'base64url').toString()) as Body
  return Number(facts['until']) > clock().getTime() ? facts : null
}
