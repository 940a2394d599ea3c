import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Link } from '#platform/file-storage/storage.ts'

const ID_LENGTH = 36

type Needs = { readonly secrets: Secrets; readonly publicUrl: string }

/** Where this service itself serves a file of its disk. The key begins with the id of its execution. */
export function fileUrl({ secrets, publicUrl }: Needs, key: string, { until }: Pick<Link, 'until'>): string {
  const id = key.slice(0, ID_LENGTH)
  const seconds = Math.floor(until.getTime() / 1000)
  const signature = signatureOf(secrets, id, String(seconds)).toString('base64url')
  return `${publicUrl}/report-files/${id}?until=${seconds}&signature=${signature}`
}

type Given = { readonly until: string; readonly signature: string }

/** Whether we have signed this URL, for this execution. */
export function isSigned(secrets: Secrets, id: string, { until, signature }: Given): boolean {
  const expected = signatureOf(secrets, id, until)
  const given = Buffer.from(signature, 'base64url')
  // Each byte has one spelling only.
  if (given.length !== expected.length || given.toString('base64url') !== signature) return false
  return timingSafeEqual(given, expected)
}

function signatureOf(secrets: Secrets, id: string, until: string): Buffer {
  return secrets.mac('report-file', `${id}\n${until}`)
}
