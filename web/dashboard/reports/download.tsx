import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton, Dialog } from '../parts/controls.tsx'
import { Problem } from '../parts/page.tsx'
import { exactText } from '../parts/values.tsx'

type Execution = Schemas['ReportExecution']
type Props = { readonly of: Execution }

const FIVE_MINUTES = 5

/** The file of an execution: for oneself, or as a link for someone else. Links are secrets: they are kept nowhere. */
export function FileActions({ of: execution }: Props) {
  const [isSharing, setSharing] = useState(false)
  if (execution.status !== 'succeeded') return null
  return (
    <span className="row-actions">
      <Download of={execution} />
      <Button
        tone="quiet"
        icon="link"
        aria-label="Share a link to the file"
        onClick={() => setSharing(true)}
      />
      {isSharing && <ShareDialog of={execution} onClose={() => setSharing(false)} />}
    </span>
  )
}

function Download({ of: execution }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const download = async () => {
    setAsking(true)
    try {
      const { url } = await urlOf(execution, FIVE_MINUTES)
      // The answer is a file to keep, so the browser stays on this page.
      location.assign(url)
    } catch (error) {
      setProblem(error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Button tone="quiet" icon="download" disabled={isAsking} onClick={() => void download()}>
        Download
      </Button>
      {problem !== undefined && (
        <Dialog title="The file is not available" onClose={() => setProblem(undefined)}>
          <Problem error={problem} />
        </Dialog>
      )}
    </>
  )
}

function ShareDialog({ of: execution, onClose }: Props & { readonly onClose: () => void }) {
  return (
    <Ask
      title={`Link to a file of ${execution.report.name}`}
      verb="Create link"
      says="Anyone with the link can download the file without signing in. The audit log records that you created it."
      fields={[
        {
          name: 'expires_in',
          label: 'Valid for',
          kind: 'choice',
          isRequired: true,
          options: [
            { value: '5', label: '5 minutes' },
            { value: '60', label: '1 hour' },
            { value: '1440', label: '1 day' },
            { value: '10080', label: '1 week' },
          ],
        },
      ]}
      initial={{ expires_in: '60' }}
      send={(body, idempotencyKey) => urlOf(execution, Number(body['expires_in']), idempotencyKey)}
      outcome={({ url, expires_at }) => ({
        kind: 'shown',
        title: 'The link is ready',
        text: (
          <div className="secret">
            <p>It works until {exactText(expires_at)}. It is not shown again.</p>
            <code className="secret-text">{url}</code>
            <CopyButton text={url} tone="main" label="Copy link" />
          </div>
        ),
      })}
      onClose={onClose}
    />
  )
}

function urlOf({ id, report }: Execution, expires_in: number, idempotencyKey?: string) {
  return send('POST /reports/{report_id}/executions/{report_execution_id}/url', {
    path: { report_id: report.id, report_execution_id: id },
    body: { expires_in },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
}
