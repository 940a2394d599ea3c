import { FEE_PARTS, type ReportFile, type ReportLink, type Reports } from '#connectors/contract/reports.ts'
import { parseReport } from './parse-report.ts'
import { originOf } from './wire.ts'

/**
 * Adyen's settlement details reports. They cannot be listed: a webhook tells of each.
 * https://docs.adyen.com/reporting/automatically-get-reports
 */
export function reportsOf(method: string): Reports {
  return { read, parse: (bytes) => parseReport(bytes, method), fees: FEE_PARTS }
}

const NAME = /^settlement_detail_report[A-Za-z0-9_.-]*\.csv$/

/** Null if it is another kind of report. */
export function reportNamed(name: string, publishedAt: Date): ReportFile | null {
  return NAME.test(name) ? { id: name, name, publishedAt } : null
}

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  if (!NAME.test(fileId)) throw new Error('this is no name of a settlement details report')
  const { merchant_account = '', report_user = '', report_password = '' } = link.fields
  const url = `${hostOf(link)}/reports/download/MerchantAccount/${encodeURIComponent(merchant_account)}/${fileId}`
  const proof = Buffer.from(`${report_user}:${report_password}`).toString('base64')
  // The error of a failed request may repeat what was sent.
  const response = await link.stream(url, { headers: { authorization: `Basic ${proof}` } }).catch(() => null)
  if (response?.status === 401) throw new Error('Adyen does not accept report_user and report_password')
  if (response?.status !== 200) {
    throw new Error(`Adyen did not deliver the file (${response?.status ?? 'no answer'})`)
  }
  yield* response.body
}

function hostOf({ fields, environment }: ReportLink): string {
  if (environment === 'production') return 'https://ca-live.adyen.com'
  return fields['stand_in_url'] ? originOf(fields['stand_in_url']) : 'https://ca-test.adyen.com'
}
