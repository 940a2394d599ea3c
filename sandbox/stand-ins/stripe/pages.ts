import { writeApproval, writeMessage } from '../page.ts'
import { decideAction } from './approve.ts'
import type { Books } from './books.ts'
import type { Intent, NextAction, SetupIntent } from './objects.ts'
import { conflict, missing } from './stripe-error.ts'

/** Codes that Stripe's test mode accepts. Source: https://docs.stripe.com/payments/ach-direct-debit/accept-a-payment */
const CODE_ACCEPTED = 'SM11AA'

export type Page = { readonly status: number; readonly html?: string; readonly location?: string }

/** The pages that buyers see at Stripe: authentication, approval at a bank, the check of a bank account. */
export function showPage(books: Books, path: string, form: URLSearchParams | null): Page {
  const [, kind, id = ''] = path.split('/')
  const intent = books.intents.get(id) ?? books.setupIntents.get(id)
  if (!intent) throw missing('payment_intent', id)
  if (kind === 'microdeposits') return bankAccountPage(books, id, form)
  const action = intent.next_action
  if (!action) {
    throw conflict('payment_intent_unexpected_state', 'This payment does not wait for its buyer.')
  }
  if (!form)
    return {
      status: 200,
      html: writeApproval({
        provider: 'Stripe',
        question: 'Approve this payment?',
        amount: amountOf(intent),
        form: BUTTONS,
      }),
    }
  const result = decideAction(books, id, form.get('outcome') === 'approve')
  const back = returnUrlIn(action)
  // Pages with a code or a number lead back to no shop.
  if (back === null) return { status: 200, html: writeMessage('Stripe', `The payment has ${result}.`) }
  const location = new URL(back)
  const name = intent.object
  location.searchParams.set(name, id)
  location.searchParams.set(`${name}_client_secret`, intent.client_secret)
  location.searchParams.set('redirect_status', result)
  return { status: 303, location: location.href }
}

function returnUrlIn(action: NextAction): string | null {
  if (action.type === 'redirect_to_url') return action.redirect_to_url.return_url
  return action.type === 'alipay_handle_redirect'
    ? String(action.alipay_handle_redirect?.['return_url'])
    : null
}

function bankAccountPage(books: Books, id: string, form: URLSearchParams | null): Page {
  if (!form)
    return {
      status: 200,
      html: writeApproval({
        provider: 'Stripe',
        question: 'Verify your bank account',
        amount: null,
        form: CODE_FORM,
      }),
    }
  const isRight = form.get('descriptor_code') === CODE_ACCEPTED
  decideAction(books, id, isRight)
  const text = isRight ? 'Your account is verified.' : 'The code is wrong.'
  return { status: 200, html: writeMessage('Stripe', text) }
}

const BUTTONS = `<form method="post">
<button name="outcome" value="approve">Approve</button>
<button name="outcome" value="fail">Fail</button>
</form>`

const CODE_FORM = `<form method="post">
<label>Code of the deposit in your account <input name="descriptor_code" required></label>
<button>Verify</button>
</form>`

/** A setup has no amount. */
function amountOf(intent: Intent | SetupIntent): string | null {
  if (!('amount' in intent)) return null
  const currency = intent.currency.toUpperCase()
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return `${(intent.amount / 10 ** digits).toFixed(digits)} ${currency}`
}
