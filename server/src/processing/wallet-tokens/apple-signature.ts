import { hash, verify, X509Certificate } from 'node:crypto'
import { objectIdOf, readBer, TAG, timeOf, type Value } from './ber.ts'
import { RefusedToken } from './opened-token.ts'

/** The extensions by which Apple marks the certificates of this purpose. Other certificates below its root do not count. */
const MARK_OF_LEAF = '1.2.840.113635.100.6.29'
const MARK_OF_INTERMEDIATE = '1.2.840.113635.100.6.2.14'

const DATA = '1.2.840.113549.1.7.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_TIME = '1.2.840.113549.1.9.5'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

type Checked = { readonly roots: readonly X509Certificate[]; readonly now: Date }

/** Checks Apple's detached signature (RFC 5652) of a message. Returns when Apple signed it. */
export function verifyAppleSignature(signature: Buffer, message: Buffer, { roots, now }: Checked): Date {
  const { certificates, signer } = partsOf(signature)
  const leaf = theOneMarked(certificates, MARK_OF_LEAF)
  checkChain({ leaf, intermediate: theOneMarked(certificates, MARK_OF_INTERMEDIATE), roots, now })

  const { signed, attributes, bytes } = readSigner(signer)
  if (objectIdOf(theOne(attributes, CONTENT_TYPE)) !== DATA) refuse('it signs something else')
  if (!theOne(attributes, MESSAGE_DIGEST).content.equals(hash('sha256', message, 'buffer'))) {
    refuse('it signs another message')
  }
  const { publicKey } = leaf
  const isSigned = publicKey.asymmetricKeyType === 'ec' && verify('sha256', signed, publicKey, bytes)
  return isSigned ? timeOf(theOne(attributes, SIGNING_TIME)) : refuse('it was not made with its certificate')
}

function partsOf(signature: Buffer): { readonly certificates: readonly Value[]; readonly signer: Value } {
  const [type, wrapped] = readBer(signature).children
  const fields = wrapped?.children[0]?.children
  if (!type || !fields || objectIdOf(type) !== SIGNED_DATA) return refuse('it is no signed data')
  const certificates = fields.find(({ tag }) => tag === TAG.context(0))?.children ?? []
  const [signer, ...others] = fields.at(-1)?.children ?? []
  if (!signer || others.length > 0) return refuse('it has not one signer')
  return { certificates, signer }
}

/** The certificate with an extension. Two of them would leave open which one signed. */
function theOneMarked(certificates: readonly Value[], mark: string): X509Certificate {
  const [found, ...others] = certificates.filter((certificate) => extensionsOf(certificate).includes(mark))
  if (!found || others.length > 0) return refuse('a certificate is missing')
  return readExactly(found.whole)
}

/**
 * Node looks for a certificate in PEM anywhere in the bytes before it reads them as DER. We looked for the mark in these bytes, so
 * they have to be the certificate themselves: one that is wrapped in them does not carry the mark.
 */
function readExactly(bytes: Buffer): X509Certificate {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(bytes)
  } catch {
    return refuse('a certificate cannot be read')
  }
  return certificate.raw.equals(bytes) ? certificate : refuse('a certificate is hidden in another value')
}

function extensionsOf(certificate: Value): string[] {
  const fields = certificate.children[0]?.children ?? []
  const extensions = fields.find(({ tag }) => tag === TAG.context(3))?.children[0]?.children ?? []
  return extensions.flatMap(({ children: [name] }) => (name ? [objectIdOf(name)] : []))
}

type Chain = Checked & { readonly leaf: X509Certificate; readonly intermediate: X509Certificate }

function checkChain({ leaf, intermediate, roots, now }: Chain): void {
  const root = roots.find((candidate) => isIssuedByRoot(intermediate, candidate))
  if (!root) refuse('its certificates do not lead to a trusted root')
  if (!isIssued(leaf, intermediate)) refuse('its certificates do not follow from each other')
  const isInTime = [leaf, intermediate, root].every(
    ({ validFromDate, validToDate }) => validFromDate <= now && now <= validToDate,
  )
  if (!isInTime) refuse('a certificate has expired')
}

const knownOf = new WeakMap<X509Certificate, Set<string>>()

/**
 * Remembers intermediates that a root has issued. Apple has one for years, and the root's signature takes longer to verify than
 * everything else. Refused ones are not remembered, so that no sender can fill the memory.
 */
function isIssuedByRoot(intermediate: X509Certificate, root: X509Certificate): boolean {
  const known = knownOf.get(root) ?? new Set()
  knownOf.set(root, known)
  const name = hash('sha256', intermediate.raw)
  if (known.has(name)) return true
  const isIssuedNow = isIssued(intermediate, root)
  if (isIssuedNow) known.add(name)
  return isIssuedNow
}

/** `checkIssued` compares names and the issuer's permission to sign certificates, `verify` the signature. */
function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function readSigner({ children }: Value) {
  const [, , digest, signed, algorithm, signature] = children
  const isComplete = signed?.tag === TAG.context(0) && signature?.tag === TAG.octets
  if (!digest || !algorithm || !isComplete) return refuse('its signer cannot be read')
  const [digestName, algorithmName] = [digest, algorithm].map(({ children: [name] }) => name)
  const isExpected =
    digestName &&
    algorithmName &&
    objectIdOf(digestName) === SHA256 &&
    objectIdOf(algorithmName) === ECDSA_WITH_SHA256
  if (!isExpected) return refuse('it uses another algorithm than ECDSA with SHA-256')
  // The signature covers the attributes as a plain set, not under the tag that they have here.
  const asSet = Buffer.from(signed.whole)
  asSet[0] = TAG.set
  return { signed: asSet, attributes: signed.children, bytes: signature.content }
}

function theOne(attributes: readonly Value[], name: string): Value {
  const found = attributes.filter(({ children: [type] }) => type && objectIdOf(type) === name)
  const values = found[0]?.children[1]?.children ?? []
  const [value] = values
  return value && found.length === 1 && values.length === 1 ? value : refuse('an attribute is missing')
}

function refuse(reason: string): never {
  throw new RefusedToken('wrong-signature', `its signature does not count, ${reason}`)
}
