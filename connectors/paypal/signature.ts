import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Link, Message, Remembered } from '#connectors/contract/connector.ts'
import { isCertificateAddress } from './address.ts'

const HOUR = 3_600_000

/** PayPal sends a message again for three days. An older one is a recording. */
const OLDEST_MS = 4 * 24 * HOUR
const AHEAD_MS = HOUR

/** Null if the message comes from PayPal and is for this webhook. Else what is wrong. */
export async function whyNotSigned({ headers, body }: Message, link: Link): Promise<string | null> {
  const webhookId = link.fields['webhook_id']
  if (!webhookId) return 'the payment service has no webhook_id'
  const {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature,
    'paypal-cert-url': address,
    'paypal-auth-algo': algorithm,
  } = headers
  if (!id || !time || !signature || !address) return 'the message is not signed'
  if (algorithm !== 'SHA256withRSA') return 'the message is signed with another algorithm than SHA256withRSA'
  if (!isCertificateAddress(address, link)) return 'the certificate is not at an address of PayPal'
  const age = link.now().getTime() - Date.parse(time)
  if (!(age < OLDEST_MS && age > -AHEAD_MS)) return 'the message is too old'
  const certificate = await certificateAt(address, link)
  if (!certificate) return 'the certificate could not be read; send the message again'
  const text = `${id}|${time}|${webhookId}|${crc32(body)}`
  const isSigned = verify(
    'sha256',
    Buffer.from(text),
    certificate.publicKey,
    Buffer.from(signature, 'base64'),
  )
  return isSigned ? null : 'the signature does not fit'
}

/** PayPal signs many messages with one certificate, so it is remembered for a day. */
async function certificateAt(address: string, link: Link): Promise<X509Certificate | null> {
  try {
    const pem = await link.remember(`paypal-certificate-${address}`, async (): Promise<Remembered> => {
      const response = await link.fetch(address)
      if (response.status !== 200) throw new Error('PayPal did not deliver the certificate')
      const text = await response.text()
      check(new X509Certificate(text), link)
      return { value: text, expiresAt: new Date(link.now().getTime() + 24 * HOUR) }
    })
    const certificate = new X509Certificate(pem)
    check(certificate, link)
    return certificate
  } catch {
    return null
  }
}

/** TLS has proven the host. The certificate must also be PayPal's, and be valid now. */
function check(certificate: X509Certificate, link: Link): void {
  const { subject, validFromDate, validToDate, publicKey } = certificate
  const now = link.now()
  const isPayPals = subject.split('\n').some((line) => /^CN=([a-z0-9-]+\.)+paypal\.com$/i.test(line))
  if (!isPayPals || now < validFromDate || now > validToDate || publicKey.asymmetricKeyType !== 'rsa') {
    throw new Error('the certificate is not one of PayPal, or not valid now')
  }
}
