import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { Facts, Id, Money, Status, When } from '../parts/values.tsx'
import { Lines } from './lines.tsx'
import { useServices } from './use-services.ts'
import { FILE_STATUSES, LIST, reportName } from './words.ts'

type File = Schemas['PaymentServiceReportFile']

export function ReportDetail() {
  const { params } = useAddress()
  const { nameOf } = useServices()
  const report = useRead('GET /payment-service-reports/{payment_service_report_id}', {
    path: { payment_service_report_id: params['id'] ?? '' },
  })
  return (
    <Loaded of={report}>
      {(it) => (
        <Page
          title={reportName(it)}
          back={LIST}
          under={
            <>
              <span>{nameOf(it.payment_service_id)}</span>
              <When at={it.created_at} />
              {it.external_identifier && <Id value={it.external_identifier} />}
            </>
          }
        >
          <div className="files">
            {it.files.toReversed().map((file, index) => (
              <ReportFile key={file.id} file={file} isLast={index === 0} />
            ))}
          </div>
          {it.files.length === 0 && (
            <Notice tone="wait" title="No file yet">
              These entries come from notifications. The next file confirms them.
            </Notice>
          )}
          <h2 className="below">Lines</h2>
          <Lines reportId={it.id} />
        </Page>
      )}
    </Loaded>
  )
}

function ReportFile({ file, isLast }: { readonly file: File; readonly isLast: boolean }) {
  const { tone, label } = FILE_STATUSES[file.status]
  const isCorrected = !isLast && file.status === 'applied'
  return (
    <Section
      title={file.names[0] ?? 'File'}
      actions={isCorrected ? <Status tone="mute">Corrected</Status> : <Status tone={tone}>{label}</Status>}
    >
      {file.problem && (
        <Notice tone={file.status === 'refused' ? 'bad' : 'wait'} title="The file could not be fully read">
          {file.problem}
        </Notice>
      )}
      {file.currency && <Sums file={file} currency={file.currency} />}
      <Facts
        facts={[
          ['Day', file.report_date],
          ['Lines', `${file.applied_line_count} of ${file.line_count} applied`],
          [
            'Not matched',
            file.unmatched_line_count > 0 && (
              <strong className="attention">{file.unmatched_line_count}</strong>
            ),
          ],
          [
            'With differences',
            file.flagged_line_count > 0 && <strong className="attention">{file.flagged_line_count}</strong>,
          ],
          ['Published', <When key="published" at={file.published_at} />],
          ['Read', <When key="read" at={file.ingested_at} />],
          ['SHA-256', <Id key="sha" value={file.sha256} isShort />],
        ]}
      />
    </Section>
  )
}

/** Gross less fees is net, in the one currency of the file. */
function Sums({ file, currency }: { readonly file: File; readonly currency: string }) {
  return (
    <dl className="sums">
      <div>
        <dt>Payments</dt>
        <dd>
          <Money amount={file.gross_amount} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>Fees</dt>
        <dd>
          <Money amount={-file.fee_amount} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>Net</dt>
        <dd>
          <Money amount={file.net_amount} currency={currency} />
        </dd>
      </div>
    </dl>
  )
}
