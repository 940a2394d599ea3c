import type pg from 'pg'
import { BadRequest, type Call, isOneOf, isReference } from '../requests.ts'
import * as batches from './batches.ts'
import { closeDue, nextFileAt, type Terms } from './close.ts'
import { writeFile } from './file.ts'
import { FILE_FAULTS } from './file-faults.ts'

const LIST_MAX = 1_000
const COPY = '-copy'

type Office = { readonly pool: pg.Pool; readonly clock: () => Date }

/** The merchant's files since a time. Asking closes the days that are over. */
export async function listFiles(
  office: Office,
  merchantId: string,
  query: URLSearchParams,
): Promise<Response> {
  const since = new Date(query.get('since') ?? '')
  if (Number.isNaN(since.getTime())) throw new BadRequest('since')
  await closeDue(office, readTerms(merchantId, query))
  const period = { merchantId, since, now: office.clock(), limit: LIST_MAX + 1 }
  const files = await batches.listFiles(office.pool, period)
  const shown = files.slice(0, LIST_MAX).map(({ batch, isCopy, publishedAt }) => ({
    id: `${batch.id}${isCopy ? COPY : ''}`,
    name: `settlement_${batch.day}_${batch.currency}${isCopy ? '_copy' : ''}.csv`,
    published_at: publishedAt.toISOString(),
  }))
  const next_at = await nextFileAt(office, merchantId)
  return Response.json({ files: shown, has_more: files.length > LIST_MAX, next_at })
}

/** Null if the merchant has no such file, or not yet. */
export async function readFile(
  office: Office,
  merchantId: string,
  call: Call,
  id: string,
): Promise<Response | null> {
  const batchId = id.endsWith(COPY) ? id.slice(0, -COPY.length) : id
  if (!isReference(batchId)) return null
  const batch = await batches.findPublished(office.pool, { id: batchId, merchantId, now: office.clock() })
  if (!batch || (batchId !== id && batch.fault !== 'duplicate_file')) return null
  call.signal.throwIfAborted()
  const body = ReadableStream.from(writeFile(office.pool, batch))
  return new Response(body, { headers: { 'content-type': 'text/csv; charset=utf-8' } })
}

function readTerms(merchantId: string, query: URLSearchParams): Terms {
  const settlementCurrency = query.get('settlement_currency')
  const fault = query.get('fault')
  if (settlementCurrency !== null && !/^[A-Z]{3}$/.test(settlementCurrency)) {
    throw new BadRequest('settlement_currency')
  }
  if (fault !== null && !isOneOf(fault, FILE_FAULTS)) throw new BadRequest('fault')
  return { merchantId, settlementCurrency, fault }
}
