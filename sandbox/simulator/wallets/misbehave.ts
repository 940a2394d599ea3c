import { networkError, stall } from '../faults.ts'
import type { Call } from '../requests.ts'
import type { WalletDesk } from './desk.ts'

/** What a name can ask for, so that every kind of bad answer can be tried. Undefined: a good answer. */
export async function misbehave(
  { sleep }: WalletDesk,
  { signal }: Call,
  name: string,
): Promise<Response | undefined> {
  switch (name) {
    case 'timeout':
      return stall({ sleep, signal })
    case 'unavailable':
      throw networkError('ECONNREFUSED')
    case 'garbled':
      return new Response('<html>Bad gateway</html>')
    case 'error':
      return Response.json({ error: 'internal_error' }, { status: 500 })
    default:
      return undefined
  }
}
