import { type Ask, OTHER_ACCOUNT, payAndCapture, simulatorOf } from './ask-shop.ts'
import { makeRule } from './flow-makers.ts'
import type { Known } from './generated-requests.ts'

const BLANKS = 3

/** What a request of one operation must name to succeed, beside what exists for all. */
export async function ownValues(ask: Ask, operationId: string): Promise<Known['real']> {
  switch (operationId) {
    case 'issue_gift_card':
    case 'activate_gift_card':
      return { number: await blankCards(ask) }
    case 'update_transaction_session':
      return { token: await sessionTokens(ask) }
    case 'create_invitation_options':
      return { token: [await invitationToken(ask)] }
    case 'create_payment_method_payment_service_token':
      return { payment_service_id: [await simulatorOf(ask)] }
    case 'create_sandbox_chargeback':
    case 'create_sandbox_notification':
      return { transaction_id: [(await payAndCapture(ask)).id, (await payAndCapture(ask)).id] }
    case 'create_flow_version':
      await makeRule((route, body) => ask(route, body, OTHER_ACCOUNT))
      return { restore: [1] }
    case 'create_flow_back_test':
      return { version: [1] }
    default:
      return {}
  }
}

/** The numbers of gift cards that wait on a shelf to be activated. */
async function blankCards(ask: Ask): Promise<string[]> {
  const blank = { theme: 'walk', amount: 0, currency: 'USD' }
  const numbers: string[] = []
  while (numbers.length < BLANKS) {
    const { url } = await ask('POST /gift-cards/issuances', blank, OTHER_ACCOUNT)
    const page = await (await fetch(url, { method: 'POST' })).text()
    numbers.push(/<dd[^>]*>\s*([\d\s]{16,})<\/dd>/.exec(page)?.[1]?.replaceAll(/\s/g, '') ?? '')
  }
  return numbers
}

async function sessionTokens(ask: Ask): Promise<string[]> {
  const { items } = await ask('GET /transactions?limit=20&status=buyer_approval_pending')
  const shown = await Promise.all(items.map(({ id }: { id: string }) => ask(`GET /transactions/${id}`)))
  return shown.flatMap(({ session_token }) => session_token ?? [])
}

async function invitationToken(ask: Ask): Promise<string> {
  const email_address = `${crypto.randomUUID()}@example.com`
  const body = { email_address, name: 'Walk', role_ids: ['analyst'] }
  return String((await ask('POST /users', body)).invitation_url).split('#')[1] ?? ''
}
