import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { der, oid, pem } from '#resources/digital-wallets/keys/create.ts'

type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

export type CertificateOptions = {
  readonly pair?: Pair
  /** The key in the certificate, if its private half is not here. */
  readonly publicKey?: KeyObject
  /** Apple's certificates name the merchant in the user id of their subject. */
  readonly userId?: string
  readonly from?: string
  readonly until?: string
}

/** A self-signed certificate for one name, valid from 2020 to 2049 unless told otherwise. */
export function selfSigned(
  name: string,
  options: CertificateOptions = {},
): { readonly key: string; readonly cert: string } {
  const pair = options.pair ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { publicKey = pair.publicKey, userId, from = '200101000000Z', until = '491231235959Z' } = options
  const names = [...(userId ? [['0992268993f22c640101', userId]] : []), ['550403', name]] as const
  const subject = der(
    0x30,
    ...names.map(([kind = '', text = '']) => der(0x31, der(0x30, oid(kind), der(0x0c, Buffer.from(text))))),
  )
  const algorithm =
    pair.privateKey.asymmetricKeyType === 'rsa'
      ? der(0x30, oid('2a864886f70d01010b'), der(0x05))
      : der(0x30, oid('2a8648ce3d040302'))
  const alternativeName = der(0x30, der(0x82, Buffer.from(name)))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    subject,
    der(0x30, der(0x17, Buffer.from(from)), der(0x17, Buffer.from(until))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, der(0x30, oid('551d11'), der(0x04, alternativeName)))),
  )
  const signature = sign('sha256', body, pair.privateKey)
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature))),
  }
}
