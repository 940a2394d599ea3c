import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for one name, valid from 2020 to 2049. */
export function selfSigned(name: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))))
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'))
  const alternativeName = der(0x30, der(0x82, Buffer.from(name)))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, der(0x30, oid('551d11'), der(0x04, alternativeName)))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** One element of ASN.1: its tag, length and content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
