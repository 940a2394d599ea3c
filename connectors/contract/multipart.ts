/** A field of text, or a file. */
export type Part =
  | { readonly name: string; readonly text: string; readonly contentType?: string }
  | {
      readonly name: string
      readonly fileName: string
      readonly contentType: string
      readonly content: Buffer<ArrayBuffer>
    }

/** A form with files. The key is no part of any file: it was made for this request. So a repeated request has the same bytes. */
export function encodeParts(parts: readonly Part[], key: string) {
  const boundary = `switchyard-${key}`
  const written = parts.map((part) => {
    const file = 'fileName' in part ? `; filename="${part.fileName}"` : ''
    const type = part.contentType === undefined ? '' : `\r\ncontent-type: ${part.contentType}`
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${part.name}"${file}${type}\r\n\r\n`
    const content = 'content' in part ? part.content : Buffer.from(part.text)
    return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')])
  })
  const body = Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}
