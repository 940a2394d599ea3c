import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { PrivateKey } from 'openpgp'

/** The file as a whole cannot be imported. Says why, without a word of what is in it. */
export class UnusableFile extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableFile'
  }
}

/** How an encrypted message begins: a session key for a public key or a password, old and new form. */
const BEGINNINGS = [0xc1, 0xc3, 0x84, 0x85, 0x86, 0x8c, 0x8d, 0x8e]
const ARMOR = '-----BEGIN PGP MESSAGE-----'

/** Whether a file is encrypted, by its first bytes. */
export function isEncrypted(start: Uint8Array): boolean {
  return (
    BEGINNINGS.includes(start[0] ?? 0) || Buffer.from(start).toString('latin1').trimStart().startsWith(ARMOR)
  )
}

type Opening = { readonly isArmored: boolean; readonly keys: readonly PrivateKey[] }

/**
 * What is in an encrypted file, as a stream: neither a disk nor the memory ever holds all of it. Older forms of encryption prove at
 * their end alone that nothing was changed, so the caller reads a file to its end before it acts on it.
 */
export async function* decrypt(
  chunks: AsyncIterable<Uint8Array>,
  { isArmored, keys }: Opening,
): AsyncGenerator<Uint8Array> {
  const pgp = await import('openpgp')
  const stream = Readable.toWeb(Readable.from(chunks, { objectMode: false })) as unknown as never
  try {
    const message = isArmored
      ? await pgp.readMessage({ armoredMessage: textOf(stream) as never })
      : await pgp.readMessage({ binaryMessage: stream })
    const wanted = message.getEncryptionKeyIDs()
    const { data } = await pgp
      .decrypt({
        message: message as never,
        decryptionKeys: [...keys],
        format: 'binary',
        config: { allowUnauthenticatedStream: true },
      })
      .catch((cause: unknown) => {
        throw notForUs(
          wanted.map((id) => id.toHex().toUpperCase()),
          cause,
        )
      })
    yield* data as unknown as ReadableStream<Uint8Array>
  } catch (cause) {
    if (cause instanceof UnusableFile) throw cause
    throw new UnusableFile('The encrypted file is damaged or cut off. Ask for it again.', { cause })
  }
}

function textOf(stream: never): ReadableStream<string> {
  return (stream as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as never)
}

function notForUs(wanted: readonly string[], cause: unknown): UnusableFile {
  const whose =
    wanted.length === 0 ? 'with a password' : `for the key ${wanted.join(', ')}, which is not ours`
  return new UnusableFile(
    `The file is encrypted ${whose}. It has to be encrypted for the key that "switchyard vault import-key" prints.`,
    { cause },
  )
}
