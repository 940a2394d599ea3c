/** A file that was written: its size in bytes, and its hash in hexadecimal. */
export type StoredFile = { readonly size: number; readonly sha256: string }

export type Link = {
  readonly until: Date
  /** What a browser calls the file. */
  readonly fileName: string
}

/** Where files are kept. Keys are made by us: letters, digits, dashes, dots. */
export type FileStorage = {
  /** Names the place. A file that was written to another place is not here. */
  readonly place: () => Promise<string>
  /** The same without writing. Undefined: nothing was ever written there. */
  readonly knownPlace?: () => Promise<string | undefined>
  /** A folder of this machine for what is not whole yet. */
  readonly spoolFolder: string
  /** Throws if the disk of that folder is nearly full. */
  readonly checkRoom: () => Promise<void>
  /** Writes a whole file or, if it fails, none. A file with this key is replaced. */
  readonly put: (key: string, chunks: AsyncIterable<Buffer>) => Promise<StoredFile>
  /** An address at which the file can be had without a token, until a time. */
  readonly url: (key: string, link: Link) => string | Promise<string>
  /** A file that is not there is as good as removed. */
  readonly remove: (key: string) => Promise<void>
  /** Removes what processes have left in the spool folder that died while they wrote. */
  readonly tidy: () => Promise<void>
  /** The same at once, for files whose keys begin so. */
  readonly discard: (beginning: string) => Promise<void>
  /** For storages without a server of their own. Undefined if the file is not there. */
  readonly open?: (key: string) => Promise<OpenedFile | undefined>
}

export type OpenedFile = {
  readonly size: number
  /** Reads the file, and closes it. */
  readonly content: () => NodeJS.ReadableStream
  /** For those who want no content. */
  readonly close: () => Promise<void>
}

/** The storage failed, in words that a person can act on. They contain no secret. */
export class StorageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
  }
}
