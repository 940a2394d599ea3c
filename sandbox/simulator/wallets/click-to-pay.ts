import { type Call, readBody } from '../requests.ts'
import type { WalletDesk } from './desk.ts'
import { readText } from './read-text.ts'

const NAME_MAX = 1024

/** Click to Pay's register of shops. A shop keeps its id, which is made from its reference. */
export async function answerClickToPay({ mac }: WalletDesk, call: Call, route: string): Promise<Response> {
  if (route !== 'POST applications') return Response.json({ error: 'unknown_path' }, { status: 404 })
  const body = await readBody(call)
  const name = readText(body, 'name', NAME_MAX)
  const hex = mac(`click-to-pay ${readText(body, 'reference', 100)}`).toString('hex')
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)]
  return Response.json({
    digital_payment_application_id: id.join('-'),
    digital_payment_application_name: name,
  })
}
