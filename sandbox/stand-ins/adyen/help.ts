import { writeHelp } from '../page.ts'
import type { Account } from './notifications.ts'

export function showHelp(account: Account, origin: string): string {
  return writeHelp({
    provider: 'Adyen',
    documentation: 'https://docs.adyen.com/development-resources/testing',
    fields: {
      api_key: account.apiKey,
      merchant_account: account.merchantAccount,
      hmac_key: account.hmacKey,
      stand_in_url: origin,
    },
    values: [
      ['4111 1111 4555 1142', 'is approved. Any expiry date to come, any security code of three digits.'],
      ['holder DECLINED, NOT_ENOUGH_BALANCE, CVC_DECLINED …', 'the holder’s name chooses the refusal.'],
      ['holder PENDING', 'the payment waits until finish.'],
      ['5454 5454 5454 5454', '3-D Secure: the buyer is asked on a page.'],
      ['4212 3456 7890 1237', '3-D Secure with a posted form.'],
      ['e-mail address with +denied before the @', 'a refusal before any page.'],
    ],
    controls: [
      ['/_stand-in/webhook', 'sends webhooks to {"url": "…"} from now on.'],
      ['/_stand-in/finish', 'ends all that waits, or what {"pspReference": "…"} names.'],
      ['/_stand-in/captures/ID/fail', 'a capture turns out to have failed; also refunds/ID/fail.'],
      ['/_stand-in/payments/ID/expire', 'an authorization ends unused.'],
      ['/_stand-in/disputes', 'opens a chargeback of {"pspReference": "…"}.'],
      ['/_stand-in/disputes/ID/reverse', 'the chargeback is won; second: it is lost again.'],
      ['/_stand-in/reports', 'closes the batch and publishes its settlement report.'],
      ['/_stand-in/deliver', 'sends webhooks that wait now.'],
    ],
  })
}
