import { writeHelp } from '../page.ts'

export function showHelp(client: { readonly id: string; readonly secret: string }, origin: string): string {
  return writeHelp({
    provider: 'PayPal',
    documentation: 'https://developer.paypal.com/tools/sandbox/card-testing',
    fields: { client_id: client.id, client_secret: client.secret, stand_in_url: origin },
    values: [
      ['4868 7191 9682 9038', 'is approved. Any expiry date to come, a security code of three digits.'],
      ['holder CCREJECT-IF, CCREJECT-EC …', 'the holder’s name chooses the decline.'],
      ['a card that ends in 2370, 0015 or 1091', '3-D Secure: the buyer is asked on a page.'],
      ['method paypal', 'the buyer approves on a page, and chooses how it ends.'],
    ],
    controls: [
      ['/_stand-in/behave', 'the next ones wait: {"captures": "pending"}; also authorizations and refunds.'],
      ['/_stand-in/captures/ID', 'ends one that waits, or fails it afterwards: {"status": "FAILED"}.'],
      ['/_stand-in/authorizations/ID', 'the same for an authorization: {"status": "DENIED"}.'],
      ['/_stand-in/refunds/ID', 'the same for a refund: {"status": "FAILED"}.'],
    ],
  })
}
