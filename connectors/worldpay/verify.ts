import type { Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import { send } from './card-wire.ts'
import { isRecord } from './wire.ts'

/** Asks for a payment that there is not: a question that needs the credentials and moves nothing. */
export async function verify(link: Link): Promise<VerifyAnswer> {
  const reply = await send(link, 'paymentQueries/payments?transactionReference=switchyard-verify')
  if (reply.kind === 'answer' && isRecord(reply.body['_embedded'])) return { outcome: 'accepted' }
  if (reply.kind !== 'error') return { outcome: 'unreachable', message: 'Worldpay gave no readable answer' }
  if (reply.status === 401) return rejected('Worldpay does not accept username and password')
  if (reply.status === 403)
    return rejected(
      'ask Worldpay to allow payment queries for this username: lost answers are found with them',
    )
  return { outcome: 'unreachable', message: `Worldpay answered ${reply.status}` }
}

function rejected(message: string): VerifyAnswer {
  return { outcome: 'rejected', message }
}
