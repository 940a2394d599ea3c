import { execFileSync } from 'node:child_process'
import { webcrypto, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { subtle } = webcrypto
const P256 = { name: 'ECDH', namedCurve: 'P-256' } as const

type Marks = { readonly leaf?: string; readonly intermediate?: string }

export type OpensslPhone = {
  readonly root: X509Certificate
  /** The merchant's private key, PKCS #8 in DER. */
  readonly merchantKey: Buffer
  /** A token of Apple Pay for this payment data. */
  readonly approve: (payment: object, options?: Approval) => Promise<AppleToken>
  /** Signs anything, with the certificates of this authority. */
  readonly sign: (message: Buffer, signer?: 'leaf' | 'intermediate') => Buffer
  readonly close: () => void
}

type Approval = { readonly merchantIdentifier?: string; readonly applicationData?: Buffer }

export type AppleToken = {
  readonly version: string
  readonly data: string
  readonly signature: string
  readonly header: Readonly<Record<string, string>>
}

export const MERCHANT = 'merchant.com.example.shop'

/**
 * Makes tokens of Apple Pay with the command line of OpenSSL and the web's cryptography, and with no code of the
 * service or of its simulator.
 */
export async function openOpensslPhone(marks: Marks = {}): Promise<OpensslPhone> {
  const folder = mkdtempSync(join(tmpdir(), 'phone-'))
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  writeFileSync(join(folder, 'extensions.cnf'), extensions(marks))
  issue(openssl, 'root', ['-signkey', 'root.key'])
  issue(openssl, 'intermediate', ['-CA', 'root.pem', '-CAkey', 'root.key', '-set_serial', '2'])
  issue(openssl, 'leaf', ['-CA', 'intermediate.pem', '-CAkey', 'intermediate.key', '-set_serial', '3'])
  const sign: OpensslPhone['sign'] = (message, signer = 'leaf') => {
    writeFileSync(join(folder, 'message'), message)
    const other = signer === 'leaf' ? 'intermediate' : 'leaf'
    const by = ['-signer', `${signer}.pem`, '-inkey', `${signer}.key`, '-certfile', `${other}.pem`]
    return openssl(
      'cms',
      '-sign',
      '-binary',
      '-in',
      'message',
      '-md',
      'sha256',
      '-outform',
      'DER',
      '-nosmimecap',
      ...by,
    )
  }
  const merchant = (await subtle.generateKey(P256, true, ['deriveBits'])) as webcrypto.CryptoKeyPair
  return {
    root: new X509Certificate(readFileSync(join(folder, 'root.pem'))),
    merchantKey: Buffer.from(await subtle.exportKey('pkcs8', merchant.privateKey)),
    sign,
    approve: (payment, options) => approve(merchant.publicKey, sign, payment, options),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

type Openssl = (...args: readonly string[]) => Buffer

function issue(openssl: Openssl, name: string, issuer: readonly string[]): void {
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', `${name}.key`)
  openssl('req', '-new', '-key', `${name}.key`, '-subj', `/CN=Phone ${name}`, '-out', `${name}.csr`)
  const kind = ['-extfile', 'extensions.cnf', '-extensions', name]
  openssl('x509', '-req', '-in', `${name}.csr`, ...issuer, '-days', '30', ...kind, '-out', `${name}.pem`)
}

function extensions({ leaf = '1.2.840.113635.100.6.29', intermediate = '1.2.840.113635.100.6.2.14' }: Marks) {
  const ca = 'basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign'
  return [
    `[root]\n${ca}`,
    `[intermediate]\n${ca}\n${intermediate}=DER:0500`,
    `[leaf]\nbasicConstraints=critical,CA:false\n${leaf}=DER:0500`,
  ].join('\n')
}

async function approve(
  merchant: webcrypto.CryptoKey,
  sign: OpensslPhone['sign'],
  payment: object,
  { merchantIdentifier = MERCHANT, applicationData }: Approval = {},
): Promise<AppleToken> {
  const device = (await subtle.generateKey(P256, true, ['deriveBits'])) as webcrypto.CryptoKeyPair
  const shared = await subtle.deriveBits({ name: 'ECDH', public: merchant }, device.privateKey, 256)
  const owner = await subtle.digest('SHA-256', Buffer.from(merchantIdentifier))
  const parts = ['\0\0\0\x01', shared, '\x0did-aes256-GCM', 'Apple', owner]
  const material = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  )
  const key = await subtle.importKey('raw', await subtle.digest('SHA-256', material), 'AES-GCM', false, [
    'encrypt',
  ])
  const text = Buffer.from(JSON.stringify(payment))
  const data = Buffer.from(await subtle.encrypt({ name: 'AES-GCM', iv: Buffer.alloc(16) }, key, text))
  const ephemeral = Buffer.from(await subtle.exportKey('spki', device.publicKey))
  const merchantSpki = Buffer.from(await subtle.exportKey('spki', merchant))
  const transactionId = Buffer.from(webcrypto.getRandomValues(new Uint8Array(32)))
  const signed = Buffer.concat([
    ephemeral,
    data,
    transactionId,
    ...(applicationData ? [applicationData] : []),
  ])
  return {
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: sign(signed).toString('base64'),
    header: {
      ephemeralPublicKey: ephemeral.toString('base64'),
      publicKeyHash: Buffer.from(await subtle.digest('SHA-256', merchantSpki)).toString('base64'),
      transactionId: transactionId.toString('hex'),
      ...(applicationData && { applicationData: applicationData.toString('hex') }),
    },
  }
}
