import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Asking = {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id?: string }
  readonly user?: { readonly id: string }
}
type Manner = {
  readonly origin?: string
  /** Whether the device checks who uses it. */
  readonly isVerified?: boolean
  /** Whether a frame in a page of another site asked. */
  readonly isFramed?: boolean
  /** The user whom the device names, if not the one for whom it made the passkey. */
  readonly userHandle?: string
}

/** A device with one passkey, as browsers and phones have them. */
export class PasskeyDevice {
  readonly id = randomBytes(16).toString('base64url')
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #uses = 0
  #userHandle: string | undefined

  /** Answers as `navigator.credentials.create` does. */
  register(options: Asking, manner: Manner = {}): RegistrationResponseJSON {
    this.#userHandle = options.user?.id
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    const publicKey = cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const credential = [Buffer.alloc(16), Buffer.from([0, id.length]), id, publicKey]
    const authData = Buffer.concat([this.#head(options, HAS_CREDENTIAL, manner), ...credential])
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ])
    return {
      ...this.#names(),
      response: {
        clientDataJSON: clientData('webauthn.create', options, manner).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Answers as `navigator.credentials.get` does. */
  sign(options: Asking, manner: Manner = {}): AuthenticationResponseJSON {
    this.#uses += 1
    const authData = this.#head(options, 0, manner)
    const data = clientData('webauthn.get', options, manner)
    const userHandle = manner.userHandle ?? this.#userHandle
    const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), this.#key.privateKey)
    return {
      ...this.#names(),
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle !== undefined && { userHandle }),
      },
    }
  }

  /** As a copy of the device would count that was made earlier. */
  countFrom(uses: number): void {
    this.#uses = uses
  }

  #names() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} } as const
  }

  #head({ rpId, rp }: Asking, flags: number, { isVerified = true }: Manner): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#uses)
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(Buffer.from(rpId ?? rp?.id ?? '')), Buffer.from([all]), counter])
  }
}

function clientData(
  type: string,
  { challenge }: Asking,
  { origin = 'http://localhost:3000', isFramed = false }: Manner,
): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: isFramed }))
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** RFC 8949, as far as a passkey needs it. */
function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff])
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}
